// Whom a request is counted under. X-Forwarded-For is anybody's claim, but for what the proxies
// that FLORIN_TRUST_PROXY names have added to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SecondServer, startFlorin } from '../support/florin.ts'
import { sendRaw } from '../support/raw.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()

/** The address that a log-in with this header is kept under. */
async function addressOf(at: SecondServer, forwarded: string | undefined): Promise<string> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const { email, password } = owner
  const login = await at.call('POST', '/v1/auth/login', { body: { email, password }, headers })
  assert.equal(login.status, 200, login.text)
  const token = login.body.access_token
  const sessions = await at.call('GET', '/v1/auth/sessions', { token })
  const current = sessions.body.data.find((session: { current: boolean }) => session.current)
  return current.address
}

const settings: Record<string, Record<string, string>> = {
  // Nobody is trusted: whoever connected is the client.
  '': {
    '203.0.113.7': '127.0.0.1',
    '203.0.113.7, 198.51.100.2': '127.0.0.1',
  },
  '0': { '203.0.113.7': '127.0.0.1' },
  // One proxy: the last entry is what it saw, and everything before is the client's own tale.
  '1': {
    '203.0.113.7': '203.0.113.7',
    '10.9.9.9, 203.0.113.7': '203.0.113.7',
    '1.1.1.1, 2.2.2.2, 203.0.113.7': '203.0.113.7',
    '127.0.0.1, 203.0.113.7': '203.0.113.7',
    '2001:db8:1:2:3::4': '2001:db8:1:2::/64',
    '::ffff:203.0.113.7': '203.0.113.7',
  },
  '2': {
    '203.0.113.7, 198.51.100.2': '203.0.113.7',
    '10.9.9.9, 203.0.113.7, 198.51.100.2': '203.0.113.7',
  },
  // Networks: from the right, the first address that is none of ours.
  '127.0.0.0/8, 10.0.0.0/8': {
    '203.0.113.7': '203.0.113.7',
    '203.0.113.7, 10.1.2.3': '203.0.113.7',
    '1.1.1.1, 203.0.113.7, 10.1.2.3, 10.4.5.6': '203.0.113.7',
    '10.9.9.9, 203.0.113.7': '203.0.113.7',
  },
  // A proxy that is not the one who connected is not believed.
  '10.0.0.0/8': { '203.0.113.7': '127.0.0.1' },
}

for (const [setting, expected] of Object.entries(settings)) {
  test(`FLORIN_TRUST_PROXY=${setting || '(unset)'} finds the client`, async () => {
    const at = await florin.startSecondServer({ FLORIN_TRUST_PROXY: setting })
    assert.equal(await addressOf(at, undefined), '127.0.0.1')
    for (const [forwarded, address] of Object.entries(expected)) {
      assert.equal(await addressOf(at, forwarded), address, forwarded)
    }
  })
}

test('a header that holds no address does no harm', async () => {
  const at = await florin.startSecondServer({ FLORIN_TRUST_PROXY: '1' })
  const odd: Record<string, string> = {
    '': '127.0.0.1',
    ' , ,': '127.0.0.1',
    unknown: 'unknown',
    _hidden: 'unknown',
    '203.0.113.7:8080': '203.0.113.7',
    '[2001:db8::1]:80': '2001:db8:0:0::/64',
    '203.0.113': 'unknown',
    '203.0.113.777': 'unknown',
    é: 'unknown',
    ['a'.repeat(9_000)]: 'unknown',
    [`${'1.2.3.4,'.repeat(1_000)}203.0.113.7`]: '203.0.113.7',
  }
  for (const [forwarded, address] of Object.entries(odd)) {
    assert.equal(await addressOf(at, forwarded), address, forwarded.slice(0, 40))
  }
})

test('the limit of an address cannot be shaken off by a made-up header', async () => {
  const bare = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '5' })
  const behind = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '5', FLORIN_TRUST_PROXY: '1' })
  const flood = async (at: SecondServer, header: (n: number) => string) => {
    const asks = Array.from({ length: 40 }, (_, n) =>
      at.call('GET', '/v1/account', { headers: { 'x-forwarded-for': header(n) } }),
    )
    return (await Promise.all(asks)).filter((response) => response.status === 429).length
  }
  assert.ok((await flood(bare, (n) => `203.0.113.${n}`)) > 0, 'no proxy is trusted')
  assert.ok((await flood(behind, (n) => `198.51.100.${n}, 203.0.113.7`)) > 0, 'one is trusted')
  assert.equal(await flood(behind, (n) => `198.51.100.7, 203.0.113.${n + 10}`), 0)
})

test('metrics are open to this machine, but not to what comes through a proxy on it', async () => {
  const metrics = (headers: Record<string, string> = {}, token?: string) =>
    florin.call('GET', '/metrics', { headers, token })
  assert.equal((await florin.call('GET', '/livez')).status, 200)
  const open = await metrics()
  assert.equal(open.status, 200)
  assert.match(open.headers.get('content-type')!, /^text\/plain/)
  assert.match(open.text, /florin_http_request_duration_seconds_bucket/)
  for (const header of ['x-forwarded-for', 'forwarded']) {
    for (const value of ['', '127.0.0.1', 'for=127.0.0.1']) {
      const response = await metrics({ [header]: value })
      assert.equal(response.status, 401, `${header}: ${value}`)
      assert.equal(response.body.error, 'unauthorized')
    }
  }
})

test('from elsewhere metrics take the token of an admin', async () => {
  const { people } = florin
  const elsewhere = (token?: string) =>
    florin.app.inject({
      method: 'GET',
      url: '/metrics',
      remoteAddress: '203.0.113.7',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  const admin = await people.admin()
  assert.equal((await elsewhere(admin.token)).statusCode, 200)
  assert.equal((await elsewhere()).statusCode, 401)
  assert.equal((await elsewhere(`fat_${'a'.repeat(43)}`)).statusCode, 401)
  for (const who of [await people.platform(), owner, await people.lone()]) {
    const response = await elsewhere(who.token)
    assert.equal(response.statusCode, 401)
    assert.equal(response.headers['www-authenticate'], 'Bearer error="insufficient_scope"')
  }
})

test('whoever hangs up at once has no address any more, which is no failure of ours', async (t) => {
  const behind = await florin.startSecondServer({ FLORIN_TRUST_PROXY: '1' })
  const requests = [
    'GET /v1/account HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /v1/account HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer fat_x\r\n\r\n',
    'GET /dashboard/api/v1/account HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /dashboard/api/session HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /pay/nothing HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n',
    'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ]
  for (const { app, url, call } of [florin, behind]) {
    const error = t.mock.method(app.log, 'error', () => {})
    const warn = t.mock.method(app.log, 'warn', () => {})
    for (const request of requests) {
      // What a browser does that goes to another page: the request is read, its socket is gone.
      app.server.prependOnceListener('request', ({ socket }) => socket.destroy())
      assert.deepEqual(await sendRaw(url, request, { half_close: true }), [])
      // Whatever was done for it is done before this is answered.
      assert.equal((await call('GET', '/readyz')).status, 200)
      const told = [...error.mock.calls, ...warn.mock.calls].map((one) => one.arguments)
      assert.deepEqual(told, [], request)
    }
  }
})
