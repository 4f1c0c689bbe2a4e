// Which address a request counts against. X-Forwarded-For is trusted only as far as the proxies
// in FLORIN_TRUST_PROXY added it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SecondServer, startFlorin } from '../support/florin.ts'
import { sendRaw } from '../support/raw.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()

/** The address stored for a login with this header. */
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
  // No proxy is trusted: the direct peer is the client.
  '': {
    '203.0.113.7': '127.0.0.1',
    '203.0.113.7, 198.51.100.2': '127.0.0.1',
  },
  '0': { '203.0.113.7': '127.0.0.1' },
  // One proxy: it added the last entry; everything before is unverified.
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
  // Networks: the first address from the right outside them.
  '127.0.0.0/8, 10.0.0.0/8': {
    '203.0.113.7': '203.0.113.7',
    '203.0.113.7, 10.1.2.3': '203.0.113.7',
    '1.1.1.1, 203.0.113.7, 10.1.2.3, 10.4.5.6': '203.0.113.7',
    '10.9.9.9, 203.0.113.7': '203.0.113.7',
  },
  // The direct peer is not a trusted proxy, so the header is ignored.
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

test('handles a header without a valid address', async () => {
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

test('a forged header does not evade the rate limit', async () => {
  const bare = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '5' })
  const behind = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '5', FLORIN_TRUST_PROXY: '1' })
  const flood = async (at: SecondServer, header: (n: number) => string) => {
    const calls = Array.from({ length: 40 }, (_, n) =>
      at.call('GET', '/v1/account', { headers: { 'x-forwarded-for': header(n) } }),
    )
    return (await Promise.all(calls)).filter((response) => response.status === 429).length
  }
  assert.ok((await flood(bare, (n) => `203.0.113.${n}`)) > 0, 'no proxy is trusted')
  assert.ok((await flood(behind, (n) => `198.51.100.${n}, 203.0.113.7`)) > 0, 'one is trusted')
  assert.equal(await flood(behind, (n) => `198.51.100.7, 203.0.113.${n + 10}`), 0)
})

test('metrics are open to localhost, except through a proxy on it', async () => {
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

test('metrics require an admin token from other addresses', async () => {
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

test('handles clients that disconnect at once and have no address', async (t) => {
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
      // Like a browser that navigates away: the request is read, but its socket is closed.
      app.server.prependOnceListener('request', ({ socket }) => socket.destroy())
      assert.deepEqual(await sendRaw(url, request, { half_close: true }), [])
      // All work for the request is done before this responds.
      assert.equal((await call('GET', '/readyz')).status, 200)
      const logged = [...error.mock.calls, ...warn.mock.calls].map((call) => call.arguments)
      assert.deepEqual(logged, [], request)
    }
  }
})
