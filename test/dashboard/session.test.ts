import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/postgres/sql.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { logInForCookie, same_origin_headers } from '../support/cookie-login.ts'
import { startFlorin } from '../support/florin.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const { call, people, db } = florin

test('login sets an HttpOnly cookie and returns no token', async () => {
  const { email, password } = await people.owner()
  const response = await call('POST', '/dashboard/api/session', {
    headers: same_origin_headers,
    body: { email, password },
  })
  assert.equal(response.status, 200)
  assert.match(
    response.headers.get('set-cookie')!,
    /^florin_dashboard=fds_[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
  )
  assert.doesNotMatch(response.text, /f[ar]t_/)
})

test('behind an HTTPS proxy the cookie has the __Host- prefix', async () => {
  const proxied = await florin.startSecondServer({ FLORIN_TRUST_PROXY: '1' })
  const { email, password } = await people.owner()
  const headers = { ...same_origin_headers, 'x-forwarded-proto': 'https' }
  const response = await proxied.call('POST', '/dashboard/api/session', {
    headers,
    body: { email, password },
  })
  const set = response.headers.get('set-cookie')!
  assert.match(set, /^__Host-florin_dashboard=.*; Secure$/)
  const cookie = set.split(';', 1)[0]!
  const list = await proxied.call('GET', '/dashboard/api/v1/transactions', {
    headers: { ...headers, cookie },
  })
  assert.equal(list.status, 200)
})

test('with an HTTPS public URL the cookie is Secure regardless of the proxy', async () => {
  const public_url = 'https://pay.example.com'
  const named = await florin.startSecondServer({ FLORIN_PUBLIC_URL: public_url })
  const { email, password } = await people.owner()
  const sent = { headers: same_origin_headers, body: { email, password } }
  const response = await named.call('POST', '/dashboard/api/session', sent)
  const set = response.headers.get('set-cookie')!
  assert.match(set, /^__Host-florin_dashboard=.*; Secure$/)
  const headers = { ...same_origin_headers, cookie: set.split(';', 1)[0]! }
  assert.equal((await named.call('GET', '/dashboard/api/v1/account', { headers })).status, 200)
  const left = await named.call('DELETE', '/dashboard/api/session', { headers })
  assert.match(
    left.headers.get('set-cookie')!,
    /^__Host-florin_dashboard=; .*Max-Age=0;.*; Secure$/,
  )
})

test('rejects a wrong password like the API, and shares its throttle', async () => {
  const { email } = await people.owner()
  const guess = () =>
    call('POST', '/dashboard/api/session', {
      headers: same_origin_headers,
      body: { email, password: 'not the password' },
    })
  const first = await guess()
  assert.equal(first.status, 401)
  assert.equal(first.body.error, 'invalid_credentials')
  for (let more = 0; more < 9; more++) await guess()
  assert.equal((await guess()).status, 429)
  const by_api = await call('POST', '/v1/auth/login', { body: { email, password: 'another' } })
  assert.equal(by_api.status, 429)
})

test('the cookie gives access to the API with the same permissions', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const account = await call('GET', '/dashboard/api/v1/account', { headers: { cookie } })
  assert.equal(account.status, 200)
  assert.equal(account.body.id, owner.account_id)
  const users = await call('GET', '/dashboard/api/v1/users', { headers: { cookie } })
  assert.equal(users.status, 403)
  const unknown = await call('GET', '/dashboard/api/v1/nothing', { headers: { cookie } })
  assert.equal(unknown.status, 404)
  const validated = await call('GET', '/dashboard/api/v1/transactions?status=odd', {
    headers: { cookie },
  })
  assert.equal(validated.status, 400)
})

test('rejects a missing or wrong cookie, and a token instead of a cookie', async () => {
  const owner = await people.owner()
  const path = '/dashboard/api/v1/account'
  const attempts: Record<string, string>[] = [
    {},
    { cookie: 'florin_dashboard=' },
    { cookie: `florin_dashboard=fds_${'a'.repeat(43)}` },
    { authorization: `Bearer ${owner.token}` },
    { cookie: `florin_dashboard=${owner.token}` },
  ]
  for (const headers of attempts) {
    assert.equal((await call('GET', path, { headers })).status, 401, JSON.stringify(headers))
  }
  const cookie = await logInForCookie(call, owner)
  assert.equal(
    (await call('GET', path, { headers: { cookie: `${cookie}; ${cookie}` } })).status,
    401,
  )
  assert.equal((await call('GET', '/v1/account', { headers: { cookie } })).status, 401)
})

test('no dashboard call returns a token', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const headers = { ...same_origin_headers, cookie }
  for (const path of ['/v1/auth/login', '/v1/auth/log%69n', '/v1/auth/refresh']) {
    const response = await call('POST', `/dashboard/api${path}`, { headers, body: {} })
    assert.equal(response.status, 404, path)
  }
  const me = await call('GET', '/dashboard/api/session', { headers: { cookie } })
  assert.equal(me.body.user.email, owner.email)
  assert.equal(me.body.user.role, 'owner')
  assert.ok(me.body.user.may.includes('list_transactions'))
  assert.ok(!me.body.user.may.includes('list_users'))
  assert.doesNotMatch(me.text, /f(at|rt|ds)_/)
})

test('rejects cross-site requests even with the cookie', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const body = { amount: 100, currency: 'USD', type: 'payment', account_id: owner.account_id }
  const pay = (headers: Record<string, string>) =>
    call('POST', '/dashboard/api/v1/transactions', { headers: { cookie, ...headers }, body })
  const cross_site: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { ...same_origin_headers, 'sec-fetch-site': 'cross-site' },
    { ...same_origin_headers, 'sec-fetch-site': 'same-site' },
    { ...same_origin_headers, 'sec-fetch-site': 'none' },
    { 'florin-dashboard': '1', origin: 'https://evil.example' },
    { 'florin-dashboard': '1', origin: 'not an origin' },
  ]
  for (const headers of cross_site) {
    const response = await pay(headers)
    assert.equal(response.status, 403, JSON.stringify(headers))
    assert.match(response.body.message, /Open \/dashboard and retry/)
  }
  assert.equal((await pay({ ...same_origin_headers, origin: florin.url })).status, 201)
  assert.equal((await pay({ 'florin-dashboard': '1' })).status, 201)
  const read = await call('GET', '/dashboard/api/v1/account', {
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(read.status, 403)
  const form = await call('POST', '/dashboard/api/session', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=a&password=b',
  })
  assert.equal(form.status, 415)
})

test('without a forwarded Host, the public URL counts as same-origin', async () => {
  const proxied = await florin.startSecondServer({ FLORIN_PUBLIC_URL: 'https://pay.example.com' })
  const { email, password, account_id } = await people.owner()
  const open = async (headers: Record<string, string>) => {
    const options = { headers: { 'florin-dashboard': '1', ...headers }, body: { email, password } }
    return (await proxied.call('POST', '/dashboard/api/session', options)).status
  }
  const origin = 'https://pay.example.com'
  assert.equal(await open({ 'sec-fetch-site': 'same-origin', origin }), 200)
  // Origin is checked only without Sec-Fetch-Site; then the public URL counts as the Host.
  assert.equal(await open({ origin }), 200)
  assert.equal(await open({ origin: proxied.url }), 200)
  const foreign = ['http://pay.example.com', 'https://pay.example.com:8443', 'https://example.com']
  for (const other of foreign) assert.equal(await open({ origin: other }), 403, other)
  assert.equal(await open({ 'sec-fetch-site': 'same-site', origin }), 403)
  const cookie = await logInForCookie(proxied.call, { email, password })
  const body = { amount: 100, currency: 'USD', type: 'payment', account_id }
  const pay = (headers: Record<string, string>) =>
    proxied.call('POST', '/dashboard/api/v1/transactions', {
      headers: { 'florin-dashboard': '1', cookie, ...headers },
      body,
    })
  assert.equal((await pay({ origin })).status, 201)
  assert.equal((await pay({ 'sec-fetch-site': 'same-origin', origin })).status, 201)
  assert.equal((await pay({ origin: 'https://example.com' })).status, 403)
})

test('the database stores neither the cookie nor the tokens in plain text', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const secret = cookie.split('=')[1]!
  const row = await db.row<{ sealed_tokens: Buffer }>(sql`
    select sealed_tokens from dashboard_sessions where cookie_hash = ${sha256(secret)}`)
  const sealed = row!.sealed_tokens.toString('latin1')
  assert.ok(sealed.length > 100)
  assert.doesNotMatch(sealed, /f(at|rt)_|token/)
})

test('logging out ends the session of the cookie', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const out = await call('DELETE', '/dashboard/api/session', {
    headers: { ...same_origin_headers, cookie },
  })
  assert.equal(out.status, 200)
  assert.match(out.headers.get('set-cookie')!, /^florin_dashboard=; .*Max-Age=0/)
  assert.equal(
    (await call('GET', '/dashboard/api/v1/account', { headers: { cookie } })).status,
    401,
  )
  const left = await call('GET', '/v1/auth/sessions', { token: owner.token })
  assert.equal(left.body.data.length, 1)
  const again = await call('DELETE', '/dashboard/api/session', {
    headers: { ...same_origin_headers, cookie },
  })
  assert.equal(again.status, 200)
})

test('logging out everywhere ends every session and no API key', async () => {
  const owner = await people.owner()
  const key = await call('POST', '/v1/api_keys', {
    token: owner.token,
    body: { name: 'till', scopes: ['accounts:read'] },
  })
  const cookie = await logInForCookie(call, owner)
  await call('DELETE', '/dashboard/api/session', {
    headers: { ...same_origin_headers, cookie },
    body: { everywhere: true },
  })
  assert.equal((await call('GET', '/v1/account', { token: owner.token })).status, 401)
  assert.equal(
    (await call('GET', '/dashboard/api/v1/account', { headers: { cookie } })).status,
    401,
  )
  assert.equal((await call('GET', '/v1/account', { token: key.body.key })).status, 200)
})

test('a revoked session is rejected on the next request', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const me = await call('GET', '/dashboard/api/session', { headers: { cookie } })
  const { session_id } = me.body.user
  await call('DELETE', '/v1/auth/session', { token: owner.token, body: { session_id } })
  assert.equal(
    (await call('GET', '/dashboard/api/v1/account', { headers: { cookie } })).status,
    401,
  )
  const after = await call('GET', '/dashboard/api/session', { headers: { cookie } })
  assert.equal(after.body.user, null)
  assert.match(after.headers.get('set-cookie')!, /Max-Age=0/)
})

test('returns whether cards are accepted, sign-up, and the minimum password length', async () => {
  const settingsOf = async (by: { call: typeof call }) => {
    const { body } = await by.call('GET', '/dashboard/api/session', {
      headers: same_origin_headers,
    })
    return [body.takes_cards, body.signup_open, body.password_min]
  }
  assert.deepEqual(await settingsOf(florin), [true, true, 8])
  const strict = await florin.startSecondServer({
    FLORIN_PROCESSOR: 'manual',
    FLORIN_SIGNUP: 'closed',
    FLORIN_PASSWORD_MIN: '12',
  })
  assert.deepEqual(await settingsOf(strict), [false, false, 12])
})
