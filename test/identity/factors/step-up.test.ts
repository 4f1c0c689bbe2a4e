// Changes that need a login of the last ten minutes in the dashboard, and how to confirm one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { Authenticator } from '../../support/authenticator.ts'
import { logInForCookie, same_origin_headers } from '../../support/cookie-login.ts'
import { startFlorin } from '../../support/florin.ts'
import { credentials, type Owner } from '../../support/people.ts'
import { enrollTotp, test_secret_key, totpCode } from '../../support/totp.ts'

const public_url = 'http://localhost:4000'
const florin = await startFlorin({
  FLORIN_SECRET_KEY: test_secret_key,
  FLORIN_PUBLIC_URL: public_url,
})
const { call } = florin

class Browser {
  readonly #headers: Record<string, string>

  constructor(cookie: string) {
    this.#headers = { ...same_origin_headers, cookie }
  }

  send(method: string, path: string, body?: unknown) {
    return call(method, `/dashboard/api${path}`, { headers: this.#headers, body })
  }

  confirm(proof: unknown) {
    return this.send('POST', '/session/confirm', proof)
  }
}

/** A dashboard session whose login is more than ten minutes ago. */
async function oldLogin(owner: Owner): Promise<Browser> {
  const browser = new Browser(await logInForCookie(call, owner))
  await age(owner)
  return browser
}

async function age(owner: Owner): Promise<void> {
  await florin.db.pool.query(
    `update sessions set authenticated_at = now() - interval '10 minutes' where user_id = $1`,
    [findUuid('user', owner.id)],
  )
}

/** A customer without an open payment request. */
async function customerOf({ token, account_id }: Owner): Promise<{ id: string; email: string }> {
  const email = 'customer@example.com'
  const body = { account_id, amount: 500, currency: 'USD', customer_email: email }
  const created = await call('POST', '/v1/payments', { token, body })
  await call('POST', `/v1/payments/${created.body.id}/cancel`, { token, body: {} })
  const { data } = (await call('GET', '/v1/customers', { token })).body
  return { id: data[0].id, email }
}

const challenge = 'Bearer error="insufficient_user_authentication", max_age=600'

async function changesOf(owner: Owner, send: Browser['send']) {
  const endpoint = await call('POST', '/v1/webhook_endpoints', {
    token: owner.token,
    body: { url: 'https://example.com/hook', events: ['*'] },
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  const { id: customer, email } = await customerOf(owner)
  return {
    'a new API key': () => send('POST', '/v1/api_keys', { name: 'Shop', scopes: ['*'] }),
    'a new webhook secret': () =>
      send('POST', '/v1/webhook_endpoints', { url: 'https://example.com/2', events: ['*'] }),
    'a rotated webhook secret': () =>
      send('POST', `/v1/webhook_endpoints/${endpoint.body.id}/rotate`, {}),
    'a new email': () => send('PATCH', '/v1/account', { email: owner.email }),
    'a new password': () => send('PATCH', `/v1/users/${owner.id}`, { password: owner.password }),
    'a new user': () => send('POST', '/v1/users', credentials('member')),
    'an invitation': () => {
      const { email: to } = credentials('invited')
      return send('POST', '/v1/account/invitations', { email: to, role: 'member' })
    },
    "a customer's data": () => send('GET', `/v1/customers/${customer}/export`),
    'an erasure': () => send('POST', `/v1/customers/${customer}/erase`, { confirm_email: email }),
    'a second factor': () => send('POST', '/v1/user/factors/totp', {}),
  }
}

test('sensitive changes in the dashboard need a login of the last ten minutes', async () => {
  const owner = await florin.people.owner()
  const browser = await oldLogin(owner)
  const changes = await changesOf(owner, browser.send.bind(browser))
  for (const [name, change] of Object.entries(changes)) {
    const response = await change()
    assert.equal(response.status, 401, `${name}: ${response.text}`)
    assert.equal(response.body.error, 'unauthorized')
    assert.equal(response.headers.get('www-authenticate'), challenge, name)
  }
  const confirmed = await browser.confirm({ password: owner.password })
  assert.equal(confirmed.status, 200, confirmed.text)
  for (const [name, change] of Object.entries(changes)) {
    const response = await change()
    assert.ok(response.status < 300, `${name}: ${response.text}`)
  }
})

test('other changes of the same endpoints need no fresh login', async () => {
  const owner = await florin.people.owner()
  const browser = await oldLogin(owner)
  assert.equal((await browser.send('PATCH', '/v1/account', { name: 'Acme' })).status, 200)
  assert.equal((await browser.send('PATCH', `/v1/users/${owner.id}`, { name: 'Ann' })).status, 200)
  assert.equal((await browser.send('GET', '/v1/api_keys')).status, 200)
})

test('with a bearer token the endpoints of the contract behave as before', async () => {
  const owner = await florin.people.owner()
  await age(owner)
  const send = (method: string, path: string, body?: unknown) =>
    call(method, path, { token: owner.token, body })
  const { 'a second factor': second_factor, ...contract } = await changesOf(owner, send)
  for (const [name, change] of Object.entries(contract)) {
    const response = await change()
    assert.ok(response.status < 300, `${name}: ${response.text}`)
  }
  assert.equal((await second_factor()).status, 401)
})

test('a code or a passkey confirms a login, each once', async () => {
  const owner = await florin.people.owner()
  const app = await enrollTotp(call, owner)
  const authenticator = new Authenticator(public_url)
  const created = await call('POST', '/v1/user/factors/passkeys/options', {
    token: owner.token,
    body: {},
  })
  const credential = authenticator.create(created.body.public_key)
  const body = { credential }
  const added = await call('POST', '/v1/user/factors/passkeys', { token: owner.token, body })
  assert.equal(added.status, 201)
  const cookie = await logInForCookie(call, { ...owner, code: app.recovery_codes[0]! })
  const browser = new Browser(cookie)
  const key = () => browser.send('POST', '/v1/api_keys', { name: 'Shop', scopes: ['*'] })
  const code = app.nextCode()
  const passkey = async () => {
    const options = await browser.send('POST', '/session/passkey_options', {})
    return { credential: authenticator.get(options.body.public_key) }
  }
  for (const proof of [{ code }, { code: app.recovery_codes[1] }, await passkey()]) {
    await age(owner)
    assert.equal((await key()).status, 401)
    const confirmed = await browser.confirm(proof)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal((await key()).status, 201)
    const again = await browser.confirm(proof)
    assert.equal(again.status, 401, again.text)
  }
})

test('a wrong proof confirms nothing and counts in the throttle', async () => {
  const owner = await florin.people.owner()
  const app = await enrollTotp(call, owner)
  const cookie = await logInForCookie(call, { ...owner, code: app.recovery_codes[0]! })
  await age(owner)
  const browser = new Browser(cookie)
  for (const proof of [{}, { password: 'x', code: 'y' }]) {
    assert.equal((await browser.confirm(proof)).status, 400)
  }
  const wrong = { code: totpCode(app.secret, Date.now() + 300_000) }
  for (let nth = 0; nth < 5; nth++) {
    assert.equal((await browser.confirm({ password: 'wrong password' })).status, 401)
    assert.equal((await browser.confirm(wrong)).status, 401)
  }
  assert.equal((await browser.confirm({ password: owner.password })).status, 429)
  const key = await browser.send('POST', '/v1/api_keys', { name: 'Shop', scopes: ['*'] })
  assert.equal(key.status, 401)
})

test('a passkey of another user and an ended session confirm nothing', async () => {
  const [owner, other] = [await florin.people.owner(), await florin.people.owner()]
  const authenticator = new Authenticator(public_url)
  const offered = await call('POST', '/v1/user/factors/passkeys/options', {
    token: other.token,
    body: {},
  })
  const body = { credential: authenticator.create(offered.body.public_key) }
  await call('POST', '/v1/user/factors/passkeys', { token: other.token, body })
  const browser = await oldLogin(owner)
  const options = await browser.send('POST', '/session/passkey_options', {})
  const credential = authenticator.get(options.body.public_key)
  assert.equal((await browser.confirm({ credential })).status, 401)
  await browser.send('DELETE', '/session', {})
  assert.equal((await browser.confirm({ password: owner.password })).status, 401)
})

test('the dashboard logs in with a code or a passkey, and gets no token', async () => {
  const owner = await florin.people.owner()
  const app = await enrollTotp(call, owner)
  const { email, password } = owner
  const headers = same_origin_headers
  const alone = await call('POST', '/dashboard/api/session', { headers, body: { email, password } })
  assert.equal(alone.status, 401)
  assert.match(alone.headers.get('www-authenticate')!, /insufficient_user_authentication"$/)
  await logInForCookie(call, { ...owner, code: app.nextCode() })
  const authenticator = new Authenticator(public_url)
  const offered = await call('POST', '/v1/user/factors/passkeys/options', {
    token: owner.token,
    body: {},
  })
  const added = { credential: authenticator.create(offered.body.public_key) }
  await call('POST', '/v1/user/factors/passkeys', { token: owner.token, body: added })
  const path = '/dashboard/api/session/passkey'
  const options = await call('POST', `${path}_options`, { headers, body: {} })
  const body = { credential: authenticator.get(options.body.public_key) }
  const foreign = { ...headers, 'sec-fetch-site': 'cross-site' }
  assert.equal((await call('POST', path, { headers: foreign, body })).status, 403)
  const done = await call('POST', path, { headers, body })
  assert.equal(done.status, 200, done.text)
  assert.doesNotMatch(done.text, /f[ar]t_/)
  const cookie = done.headers.get('set-cookie')!.split(';', 1)[0]!
  assert.equal((await new Browser(cookie).send('GET', '/v1/account')).status, 200)
})
