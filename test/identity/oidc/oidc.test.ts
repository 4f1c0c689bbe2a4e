// Login with an OpenID Connect provider, against a real one: what logs in, what links, and what is
// rejected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import type { ApiResponse } from '../../support/call.ts'
import { same_origin_headers } from '../../support/cookie-login.ts'
import { startFlorin } from '../../support/florin.ts'
import { findFreePort } from '../../support/free-port.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { startOidcProvider } from '../../support/oidc-provider.ts'
import { credentials, type Person } from '../../support/people.ts'
import { recordSecret } from '../../support/secrets.ts'
import { enrollTotp, test_secret_key } from '../../support/totp.ts'

const port = await findFreePort()
const provider = await startOidcProvider(`http://127.0.0.1:${port}/dashboard/oidc/callback`)
const florin = await startFlorin({
  PORT: `${port}`,
  FLORIN_OIDC_ISSUER: provider.issuer,
  FLORIN_OIDC_CLIENT_ID: provider.client_id,
  FLORIN_OIDC_CLIENT_SECRET: provider.client_secret,
  FLORIN_OIDC_NAME: 'Acme SSO',
  FLORIN_SECRET_KEY: test_secret_key,
})
const { people, call } = florin
const form = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

/** The cookies that a response sets, as a browser would return them. */
function cookiesOf(response: ApiResponse): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
    if (value !== '') cookies[name!] = recordSecret(value!)
  }
  return cookies
}

const sent = (cookies: Record<string, string>) => ({
  cookie: Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; '),
})

async function start(query = '') {
  const response = await call('GET', `/dashboard/oidc/start${query}`)
  assert.equal(response.status, 303, response.text)
  return { cookies: cookiesOf(response), url: response.headers.get('location')! }
}

const pathOf = (url: string) => url.slice(new URL(url).origin.length)

function finish(callback: string, cookies: Record<string, string>): Promise<ApiResponse> {
  return call('GET', pathOf(callback), {
    headers: { ...sent(cookies), 'sec-fetch-site': 'cross-site' },
  })
}

let number = 0
function subjectOf(person: { email: string }, email_verified = true) {
  number += 1
  return { sub: `sub-${process.pid}-${number}`, email: person.email, email_verified }
}

/** Logs in at the provider as this person, and returns Florin's response to the callback. */
async function logInAs(person: typeof provider.person, query = ''): Promise<ApiResponse> {
  provider.person = person
  const { cookies, url } = await start(query)
  return finish(await provider.visit(url), cookies)
}

async function link(who: Person, at_provider: ReturnType<typeof subjectOf>) {
  const offered = await logInAs(at_provider)
  assert.equal(offered.headers.get('location'), '/dashboard/oidc/link', offered.text)
  const cookies = cookiesOf(offered)
  const body = new URLSearchParams({ password: who.password }).toString()
  const headers = { ...form, ...sent(cookies) }
  return call('POST', '/dashboard/oidc/link', { headers, body })
}

async function userOf(response: ApiResponse): Promise<string | undefined> {
  const headers = { ...same_origin_headers, ...sent(cookiesOf(response)) }
  const { body } = await call('GET', '/dashboard/api/session', { headers })
  return body.user?.id
}

function assertFault(response: ApiResponse, status: number, heading: string): void {
  assert.equal(response.status, status, response.text)
  assert.match(response.text, new RegExp(`<h1>${heading}</h1>`))
  assert.equal(cookiesOf(response).florin_dashboard, undefined)
  assert.match(response.headers.get('content-type')!, /^text\/html/)
}

test('the first login links with the password, and the next one logs in', async () => {
  const member = await people.member(await people.owner())
  const at_provider = subjectOf({ email: member.email.toUpperCase() })
  const offered = await logInAs(at_provider)
  const [pending] = offered.headers.getSetCookie().slice(-1)
  assert.match(pending!, /^florin_oidc=fol_.{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  const cookies = cookiesOf(offered)
  const page = await call('GET', '/dashboard/oidc/link', { headers: sent(cookies) })
  assert.match(page.text, /Link your Acme SSO login/)

  const wrong = await call('POST', '/dashboard/oidc/link', {
    headers: { ...form, ...sent(cookies) },
    body: 'password=wrong',
  })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /This password is incorrect\./)
  const body = new URLSearchParams({ password: member.password }).toString()
  const headers = { ...form, ...sent(cookies) }
  const linked = await call('POST', '/dashboard/oidc/link', { headers, body })
  assert.equal(linked.status, 200, linked.text)
  assert.equal(linked.headers.get('refresh'), '0; url=/dashboard')
  assert.equal(await userOf(linked), member.id)
  const replayed = await call('POST', '/dashboard/oidc/link', { headers, body })
  assertFault(replayed, 400, 'This login has expired')

  // From now on the provider's subject counts, whatever its email is.
  const changed = { ...at_provider, email: 'other@example.com', email_verified: false }
  const next = await logInAs(changed, '?next=/payments')
  assert.equal(next.status, 200, next.text)
  assert.equal(next.headers.get('refresh'), '0; url=/dashboard/payments')
  assert.equal(await userOf(next), member.id)
  const text =
    "select actor_role, details from audit_log where object_id = $1 and action like '%identity%'"
  const { rows } = await florin.db.pool.query(text, [findUuid('user', member.id)])
  const details = JSON.stringify({ issuer: provider.issuer })
  assert.deepEqual(rows, [{ actor_role: 'member', details }])
})

test('linking asks for the second factor, and a linked login does not', async () => {
  const who = await people.lone()
  const app = await enrollTotp(call, who)
  const at_provider = subjectOf(who)
  const without_code = await link(who, at_provider)
  assert.equal(without_code.status, 401)
  assert.match(without_code.text, /the next code of your authenticator app/)
  assert.equal(cookiesOf(without_code).florin_dashboard, undefined)
  const cookies = cookiesOf(await logInAs(at_provider))
  const fields = { password: who.password, code: app.nextCode() }
  const body = new URLSearchParams(fields).toString()
  const headers = { ...form, ...sent(cookies) }
  const linked = await call('POST', '/dashboard/oidc/link', { headers, body })
  assert.equal(await userOf(linked), who.id)
  assert.equal(await userOf(await logInAs(at_provider)), who.id)
})

test('a user lists and unlinks their logins, and no other user does', async () => {
  const [ann, bob] = [await people.lone(), await people.lone()]
  assert.equal((await link(ann, subjectOf(ann))).status, 200)
  const at_provider = provider.person
  const { body } = await call('GET', '/v1/user/identities', { token: ann.token })
  const [identity] = body.data
  assert.deepEqual(
    { ...identity, id: '', created_at: '' },
    { id: '', issuer: provider.issuer, email: ann.email, created_at: '' },
  )
  const path = `/v1/user/identities/${identity.id}`
  assert.equal((await call('DELETE', path, { token: bob.token })).status, 404)
  assert.equal((await call('DELETE', path, { token: ann.token })).status, 200)
  assert.equal((await call('DELETE', path, { token: ann.token })).status, 404)
  const again = await logInAs(at_provider)
  assert.equal(again.headers.get('location'), '/dashboard/oidc/link')
})

test('an unknown, unverified, inactive or privileged person gets no session', async () => {
  const owner = await people.owner()
  const suspended = await people.member(owner)
  const linked = subjectOf(suspended)
  assert.equal((await link(suspended, linked)).status, 200)
  const [admin, platform] = [await people.admin(), await people.platform()]
  const body = { status: 'suspended' }
  await call('PATCH', `/v1/users/${suspended.id}`, { token: owner.token, body })
  const users_before = (await florin.db.pool.query('select count(*) from users')).rows
  const unknown = 'No user for this login'
  const cases: [Exclude<typeof provider.person, 'cancels'>, string][] = [
    [subjectOf(credentials('nobody')), unknown],
    [{ sub: 'without-email' }, unknown],
    [subjectOf(admin), unknown],
    [subjectOf(platform), unknown],
    [subjectOf(owner, false), 'Email not verified'],
    [{ sub: 'not-stated', email: owner.email }, 'Email not verified'],
    [linked, 'You cannot log in'],
    [subjectOf(suspended), 'You cannot log in'],
  ]
  for (const [person, heading] of cases) assertFault(await logInAs(person), 403, heading)
  assert.deepEqual((await florin.db.pool.query('select count(*) from users')).rows, users_before)
})

test('a login that was changed on the way is rejected', async () => {
  const owner = await people.owner()
  provider.person = subjectOf(owner)
  const changed = (url: string, name: string, value: string) => {
    const other = new URL(url)
    other.searchParams.set(name, value)
    return other.href
  }
  const failed = 'Login failed'
  const expired = 'This login has expired'

  const nonce = await start()
  const other_nonce = await provider.visit(changed(nonce.url, 'nonce', 'other'))
  assertFault(await finish(other_nonce, nonce.cookies), 400, failed)

  const challenge = await start()
  const other_challenge = changed(challenge.url, 'code_challenge', 'x'.repeat(43))
  const without_verifier = await provider.visit(other_challenge)
  assertFault(await finish(without_verifier, challenge.cookies), 400, failed)

  const [one, two] = [await start(), await start()]
  const [of_one, of_two] = [await provider.visit(one.url), await provider.visit(two.url)]
  const code = new URL(of_two).searchParams.get('code')!
  assertFault(await finish(changed(of_one, 'state', 'other'), one.cookies), 400, expired)
  assertFault(await finish(of_two, one.cookies), 400, expired)
  assertFault(await finish(of_one, {}), 400, expired)
  assertFault(await finish(changed(of_one, 'code', code), one.cookies), 400, failed)
  assertFault(await finish(of_one, one.cookies), 400, expired)

  const issuer = await start()
  const callback = await provider.visit(issuer.url)
  const mixed_up = changed(callback, 'iss', 'http://evil.example')
  assertFault(await finish(mixed_up, issuer.cookies), 400, failed)

  const signature = await start()
  const to_forge = await provider.visit(signature.url)
  provider.is_forged = true
  assertFault(await finish(to_forge, signature.cookies), 400, failed)
  provider.is_forged = false

  const good = await start()
  const responded = await provider.visit(good.url)
  const finished = await finish(responded, good.cookies)
  assert.equal(finished.headers.get('location'), '/dashboard/oidc/link')
  assertFault(await finish(responded, good.cookies), 400, expired)
})

test('a callback that is sent many times at once logs in once', async () => {
  const who = await people.lone()
  const at_provider = subjectOf(who)
  assert.equal((await link(who, at_provider)).status, 200)
  const { cookies, url } = await start()
  const callback = await provider.visit(url)
  const responses = await Promise.all(Array.from({ length: 5 }, () => finish(callback, cookies)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
})

test('a canceled login, and one started by another site, show what to do', async () => {
  assertFault(await logInAs('cancels'), 400, 'Login canceled')
  const headers = { 'sec-fetch-site': 'cross-site' }
  const started = await assertNoChanges(florin.db.pool, () =>
    call('GET', '/dashboard/oidc/start', { headers }),
  )
  assertFault(started, 403, 'Start the login here')
  const posted = await call('POST', '/dashboard/oidc/link', { headers: { ...form, ...headers } })
  assert.equal(posted.status, 403)
})

test('a next page outside the dashboard is ignored', async () => {
  const who = await people.lone()
  const at_provider = subjectOf(who)
  assert.equal((await link(who, at_provider)).status, 200)
  for (const next of ['https://evil.example', '//evil.example', '@evil.example', '/x"y', '/a b']) {
    const response = await logInAs(at_provider, `?next=${encodeURIComponent(next)}`)
    const url = /^0; url=(.*)$/.exec(response.headers.get('refresh')!)![1]!
    assert.equal(new URL(url, florin.url).origin, new URL(florin.url).origin)
    assert.match(url, /^\/dashboard(\/|$)/, next)
  }
})

test('while the provider does not respond, a page offers the password', async () => {
  const who = await people.lone()
  provider.person = subjectOf(who)
  const { cookies, url } = await start()
  const callback = await provider.visit(url)
  // Not yet discovered, unlike the first server.
  const second = await florin.startSecondServer({ PORT: '0' })
  await provider.stop()
  assertFault(await finish(callback, cookies), 502, 'Login is not available')
  assertFault(await second.call('GET', '/dashboard/oidc/start'), 502, 'Login is not available')
  const { email, password } = who
  const body = { email, password }
  assert.equal((await call('POST', '/v1/auth/login', { body })).status, 200)
  await provider.resume()
  assert.equal((await second.call('GET', '/dashboard/oidc/start')).status, 303)
})

test('an issuer that differs from the one in the settings is not used', async () => {
  const FLORIN_OIDC_ISSUER = provider.issuer.replace('127.0.0.1', 'localhost')
  const second = await florin.startSecondServer({ PORT: '0', FLORIN_OIDC_ISSUER })
  assertFault(await second.call('GET', '/dashboard/oidc/start'), 502, 'Login is not available')
})

test('deleting a user deletes the link, so the login can be linked to a new user', async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const at_provider = subjectOf(member)
  assert.equal((await link(member, at_provider)).status, 200)
  const deleted = await call('DELETE', `/v1/users/${member.id}`, { token: owner.token })
  assert.equal(deleted.status, 200)
  assertFault(await logInAs(at_provider), 403, 'No user for this login')
  const closed = await people.owner()
  const of_closed = subjectOf(closed)
  assert.equal((await link(closed, of_closed)).status, 200)
  assert.equal((await call('DELETE', '/v1/account', { token: closed.token })).status, 200)
  assertFault(await logInAs(of_closed), 403, 'No user for this login')
})

test('without a provider the pages do not exist, and the login page has no button', async () => {
  const off = { FLORIN_OIDC_ISSUER: '', FLORIN_OIDC_CLIENT_ID: '', FLORIN_OIDC_CLIENT_SECRET: '' }
  const second = await florin.startSecondServer({ ...off, PORT: '0', FLORIN_OIDC_NAME: '' })
  for (const path of ['start', 'callback', 'link']) {
    assert.equal((await second.call('GET', `/dashboard/oidc/${path}`)).status, 404, path)
  }
  assert.equal((await second.call('GET', '/dashboard/api/session')).body.oidc_name, null)
  assert.equal((await call('GET', '/dashboard/api/session')).body.oidc_name, 'Acme SSO')
})
