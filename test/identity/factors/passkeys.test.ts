// Passkeys over HTTP, with an authenticator in software.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { withoutRequestId } from '../../permissions/grid.ts'
import { Authenticator } from '../../support/authenticator.ts'
import { startFlorin } from '../../support/florin.ts'
import type { Person } from '../../support/people.ts'
import { enrollTotp, test_secret_key } from '../../support/totp.ts'

const public_url = 'http://localhost:4000'
// Passkeys need no key, so this server has none.
const florin = await startFlorin({ FLORIN_PUBLIC_URL: public_url })
const { call } = florin

async function options(person?: Person) {
  const path = person ? '/v1/user/factors/passkeys/options' : '/v1/auth/passkeys/options'
  const response = await call('POST', path, { body: {}, ...(person && { token: person.token }) })
  assert.equal(response.status, 200, response.text)
  return response.body.public_key
}

async function enroll(person: Person, authenticator = new Authenticator(public_url)) {
  const credential = authenticator.create(await options(person))
  const body = { name: 'Laptop', credential }
  const added = await call('POST', '/v1/user/factors/passkeys', { token: person.token, body })
  assert.equal(added.status, 201, added.text)
  return { authenticator, added: added.body }
}

function verify(credential: unknown) {
  return call('POST', '/v1/auth/passkeys/verify', { body: { credential } })
}

test('a passkey logs in without a password, with the response of a login', async () => {
  const owner = await florin.people.owner()
  const { email, password } = owner
  const usual = await call('POST', '/v1/auth/login', { body: { email, password } })
  const { authenticator, added } = await enroll(owner)
  assert.equal(added.factor.kind, 'passkey')
  assert.equal(added.factor.name, 'Laptop')
  assert.equal(added.recovery_codes.length, 10)
  const response = await verify(authenticator.get(await options()))
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(Object.keys(response.body), Object.keys(usual.body))
  assert.deepEqual(response.body.user, usual.body.user)
  const { access_token: token } = response.body
  assert.equal((await call('GET', '/v1/account', { token })).status, 200)
})

test('with a passkey, a password alone does not log in; a recovery code completes it', async () => {
  const lone = await florin.people.lone()
  const { added } = await enroll(lone)
  const { email, password } = lone
  const alone = await call('POST', '/v1/auth/login', { body: { email, password } })
  assert.equal(alone.status, 401)
  assert.match(alone.headers.get('www-authenticate')!, /insufficient_user_authentication/)
  const [code] = added.recovery_codes
  const body = { email, password, code }
  assert.equal((await call('POST', '/v1/auth/login', { body })).status, 200)
  const digits = { email, password, code: '123456' }
  assert.equal((await call('POST', '/v1/auth/login', { body: digits })).status, 401)
})

test('rejects every flawed response of a passkey in the same way', async () => {
  const [lone, other] = [await florin.people.lone(), await florin.people.lone()]
  const { authenticator } = await enroll(lone)
  await verify(authenticator.get(await options()))
  const foreign_handle = Buffer.from(findUuid('user', other.id)!.replaceAll('-', ''), 'hex')
  const flaws: Record<string, Parameters<Authenticator['get']>[1]> = {
    'another origin': { origin: 'https://evil.example' },
    'another site': { rp_id: 'evil.example' },
    'another challenge': { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    'a registration': { type: 'webauthn.create' },
    'a user who was not verified': { verified: false },
    'an old counter': { sign_count: 1 },
    'a counter that was reset': { sign_count: 0 },
    'the handle of another user': { user_handle: foreign_handle.toString('base64url') },
    'another key': { forged: true },
  }
  const seen = new Set<string>()
  for (const [name, flaw] of Object.entries(flaws)) {
    const response = await verify(authenticator.get(await options(), flaw))
    assert.equal(response.status, 401, name)
    assert.equal(response.body.error, 'invalid_credentials', name)
    seen.add(withoutRequestId(response))
  }
  const stranger = new Authenticator(public_url)
  seen.add(withoutRequestId(await verify(stranger.get(await options()))))
  for (const malformed of [
    {},
    { id: 1 },
    { id: authenticator.id },
    { id: authenticator.id, response: {} },
  ]) {
    seen.add(withoutRequestId(await verify(malformed)))
  }
  assert.equal(seen.size, 1, [...seen].join('\n'))
  assert.equal((await verify(authenticator.get(await options()))).status, 200)
})

test('a response works once, also in parallel, and only for five minutes', async () => {
  const lone = await florin.people.lone()
  const { authenticator } = await enroll(lone)
  const credential = authenticator.get(await options())
  const parallel = await Promise.all([1, 2, 3].map(() => verify(credential)))
  assert.deepEqual(parallel.map(({ status }) => status).sort(), [200, 401, 401])
  const late = authenticator.get(await options())
  await florin.db.pool.query(
    `update webauthn_challenges set expires_at = now() - interval '1 second'`,
  )
  assert.equal((await verify(late)).status, 401)
})

test('the challenge of a registration belongs to its user and works once', async () => {
  const [lone, other] = [await florin.people.lone(), await florin.people.lone()]
  const add = (person: Person, credential: unknown) =>
    call('POST', '/v1/user/factors/passkeys', { token: person.token, body: { credential } })
  const offered = await options(lone)
  assert.equal((await add(other, new Authenticator(public_url).create(offered))).status, 400)
  const unverified = new Authenticator(public_url).create(offered, { verified: false })
  assert.equal((await add(lone, unverified)).status, 400)
  const elsewhere = new Authenticator(public_url).create(offered, {
    origin: 'https://evil.example',
  })
  assert.equal((await add(lone, elsewhere)).status, 400)
  assert.equal((await add(lone, {})).status, 400)
  const authenticator = new Authenticator(public_url)
  assert.equal((await add(lone, authenticator.create(offered))).status, 201)
  const again = await add(lone, new Authenticator(public_url).create(offered))
  assert.equal(again.status, 400)
  assert.match(again.body.message, /Request new options/)
  // The challenge of a login does not add a passkey.
  const login = await options()
  const of_login = new Authenticator(public_url).create({ ...offered, challenge: login.challenge })
  assert.equal((await add(lone, of_login)).status, 400)
  // A passkey belongs to one user.
  const stolen = await add(other, authenticator.create(await options(other)))
  assert.deepEqual([stolen.status, stolen.body.error], [409, 'conflict'])
})

test('a suspended or deleted user cannot log in with a passkey', async () => {
  const [owner, admin] = [await florin.people.owner(), await florin.people.admin()]
  const member = await florin.people.member(owner)
  const { authenticator } = await enroll(member)
  const status = (body: unknown) =>
    call('PATCH', `/v1/users/${member.id}`, { token: admin.token, body })
  await status({ status: 'suspended' })
  const suspended = await verify(authenticator.get(await options()))
  assert.deepEqual([suspended.status, suspended.body.error], [401, 'unauthorized'])
  await status({ status: 'active' })
  assert.equal((await verify(authenticator.get(await options()))).status, 200)
  await call('DELETE', `/v1/users/${member.id}`, { token: owner.token })
  assert.equal((await verify(authenticator.get(await options()))).body.error, 'invalid_credentials')
})

test('recovery codes are created once and stay until the last factor is deleted', async () => {
  const keyed = await florin.startSecondServer({ FLORIN_SECRET_KEY: test_secret_key })
  const lone = await florin.people.lone()
  const { token } = lone
  await enrollTotp(keyed.call, lone)
  const { added, authenticator } = await enroll(lone)
  assert.equal(added.recovery_codes, null)
  const list = await call('GET', '/v1/user/factors', { token })
  assert.deepEqual(
    list.body.data.map(({ kind }: { kind: string }) => kind),
    ['totp', 'passkey'],
  )
  const [totp, passkey] = list.body.data
  await call('DELETE', `/v1/user/factors/${totp.id}`, { token })
  const left = await call('GET', '/v1/user/factors', { token })
  assert.equal(left.body.recovery_codes_left, 10)
  await call('DELETE', `/v1/user/factors/${passkey.id}`, { token })
  const none = await call('GET', '/v1/user/factors', { token })
  assert.deepEqual(none.body, { data: [], recovery_codes_left: 0 })
  assert.equal((await verify(authenticator.get(await options()))).status, 401)
})

test('passkeys are not available under an IP address', async () => {
  const by_address = await florin.startSecondServer({ FLORIN_PUBLIC_URL: 'http://127.0.0.1:4000' })
  const refused = await by_address.call('POST', '/v1/auth/passkeys/options', { body: {} })
  assert.deepEqual([refused.status, refused.body.error], [409, 'conflict'])
  assert.match(refused.body.message, /needs? a host name/)
})
