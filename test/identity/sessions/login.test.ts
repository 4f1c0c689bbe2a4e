import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, inHashingSlot } from '../../../src/identity/users/password.ts'
import { findUuid } from '../../../src/primitives/ids.ts'
import { withoutRequestId } from '../../permissions/grid.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges, throttleTables } from '../../support/hash-database.ts'
import { credentials } from '../../support/people.ts'
import { newPassword, recordSecret } from '../../support/secrets.ts'

const florin = await startFlorin()

function logIn(body: unknown): Promise<ApiResponse> {
  return florin.call('POST', '/v1/auth/login', { body })
}

/** Expects that the login changes only the tables of the throttle. */
function rejectedLogin(body: unknown): Promise<ApiResponse> {
  return assertNoChanges(florin.db.pool, () => logIn(body), { except: throttleTables })
}

test('an existing password that exceeds the current length limit still works', async () => {
  const { id, email } = await florin.people.lone()
  const password = recordSecret(`${newPassword()} ${'\ufdfa'.repeat(80)}`)
  await florin.db.pool.query('update users set password_hash = $1 where id = $2', [
    await hashPassword(password),
    findUuid('user', id),
  ])
  assert.equal((await logIn({ email, password })).status, 200)
})

test('rejects a huge password like any other wrong password', async () => {
  const { email } = await florin.people.lone()
  const password = newPassword() + '\ufdfa'.repeat(1_100)
  const response = await rejectedLogin({ email, password })
  assert.deepEqual([response.status, response.body.error], [401, 'invalid_credentials'])
  const hash = await hashPassword(password)
  assert.equal(
    await inHashingSlot({ key: 'test' }, 'other', (slot) => slot.verify(password, hash)),
    false,
  )
})

test('a login opens a session and returns exactly the fields of the contract', async () => {
  const { id, email, password } = await florin.people.owner()
  const response = await logIn({ email, password })
  assert.equal(response.status, 200)
  const { access_token, refresh_token, session_id, ...rest } = response.body
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 3600,
    user: { id, email, name: null },
  })
  assert.match(access_token, /^fat_[\w-]{43}$/)
  assert.match(refresh_token, /^frt_[\w-]{43}$/)
  assert.match(session_id, /^ses_[0-9a-z]{26}$/)
  const used = await florin.call('GET', '/v1/account', { token: access_token })
  assert.equal(used.status, 200)
})

test('compares the email case-insensitively and returns its original spelling', async () => {
  const who = { email: 'Mixed.Case@Example.COM', password: newPassword() }
  assert.equal((await florin.call('POST', '/v1/users', { body: who })).status, 201)
  for (const email of ['mixed.case@example.com', 'MIXED.CASE@EXAMPLE.COM']) {
    const response = await logIn({ ...who, email })
    assert.equal(response.status, 200)
    assert.equal(response.body.user.email, 'Mixed.Case@Example.COM')
  }
})

test('compares the authorization scheme case-insensitively', async () => {
  const { token } = await florin.people.lone()
  for (const scheme of ['bearer', 'BEARER', 'Bearer']) {
    const headers = { authorization: `${scheme} ${token}` }
    const response = await florin.call('GET', '/v1/auth/sessions', { headers })
    assert.equal(response.status, 200, scheme)
  }
})

test('returns 400 for a malformed login and names the field', async () => {
  const { email, password } = credentials('unknown')
  const cases: [unknown, RegExp][] = [
    [{ password }, /^"email" /],
    [{ email }, /^"password" /],
    [{ email: 1, password }, /^"email" /],
    [{ email: 'no email', password }, /^"email" /],
    [{ email: `${'a'.repeat(250)}@b.co`, password }, /^"email" /],
    [{ email, password: 12345678 }, /^"password" /],
    [{ email, password: '' }, /^"password" /],
    [{ email, password: 'with a\nline break' }, /^"password" /],
    [{ email, password: null }, /^"password" /],
    [{ email, password, username: 'x' }, /username/],
    [[], /body/i],
    ['{', /JSON/],
  ]
  for (const [body, message] of cases) {
    const response = await assertNoChanges(florin.db.pool, () => logIn(body))
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(Object.keys(response.body), ['error', 'message'])
    assert.equal(response.body.error, 'invalid_request')
    assert.match(response.body.message, message)
    assert.ok(!response.text.includes(password), 'the message does not contain the password')
  }
})

test('returns the same bytes for wrong, unknown, deleted and closed credentials', async () => {
  const { people } = florin
  const right = await people.owner()
  const deleted = await people.lone()
  const gone = { token: deleted.token }
  assert.equal((await florin.call('DELETE', `/v1/users/${deleted.id}`, gone)).status, 200)
  const closed = await people.owner()
  const member = await people.member(closed)
  const { token } = closed
  assert.equal((await florin.call('DELETE', '/v1/account', { token })).status, 200)
  const renamed = await people.owner()
  const body = { email: credentials('renamed').email }
  const change = await florin.call('PATCH', '/v1/account', { token: renamed.token, body })
  assert.equal(change.status, 200)
  const suspended = await people.member(right)
  await suspend(right.token, suspended.id)
  const attempts = [
    { email: right.email, password: newPassword() },
    { email: right.email, password: 'x' },
    { email: right.email, password: 'y'.repeat(1000) },
    { email: suspended.email, password: newPassword() },
    credentials('unknown'),
    ...[deleted, closed, member, renamed],
  ]
  const bodies = new Set<string>()
  for (const { email, password } of attempts) {
    const response = await rejectedLogin({ email, password })
    assert.equal(response.status, 401)
    assert.equal(response.body.error, 'invalid_credentials')
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    bodies.add(withoutRequestId(response))
  }
  assert.equal(bodies.size, 1)
  const after = await logIn({ email: body.email, password: renamed.password })
  assert.equal(after.status, 200)
})

async function suspend(token: string, id: string, status = 'suspended'): Promise<void> {
  const response = await florin.call('PATCH', `/v1/users/${id}`, { token, body: { status } })
  assert.equal(response.status, 200)
}

test('the message names the status of a suspended or pending user', async () => {
  const owner = await florin.people.owner()
  const { id, email, password } = await florin.people.member(owner)
  for (const status of ['suspended', 'pending']) {
    await suspend(owner.token, id, status)
    const response = await rejectedLogin({ email, password })
    assert.equal(response.status, 401)
    assert.equal(response.body.error, 'unauthorized')
    assert.match(response.body.message, new RegExp(status))
  }
  await suspend(owner.token, id, 'active')
  assert.equal((await logIn({ email, password })).status, 200)
})
