// Authenticator apps and recovery codes, over HTTP.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { withoutRequestId } from '../../permissions/grid.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges, throttleTables } from '../../support/hash-database.ts'
import type { Person } from '../../support/people.ts'
import { enrollTotp, test_secret_key, totpCode } from '../../support/totp.ts'

const florin = await startFlorin({ FLORIN_SECRET_KEY: test_secret_key })
const needs_factor = 'Bearer error="insufficient_user_authentication"'

function logIn({ email, password }: Person, code?: string): Promise<ApiResponse> {
  const body = code === undefined ? { email, password } : { email, password, code }
  return florin.call('POST', '/v1/auth/login', { body })
}

function enroll(person: { token: string }) {
  return enrollTotp(florin.call, person)
}

function assertNeedsFactor(response: ApiResponse): void {
  assert.equal(response.status, 401)
  assert.deepEqual(Object.keys(response.body), ['error', 'message'])
  assert.equal(response.body.error, 'unauthorized')
  assert.equal(response.headers.get('www-authenticate'), needs_factor)
}

/** Moves the used steps of the app into the past, so that a test need not wait for a new code. */
async function forgetSteps(person: Person): Promise<void> {
  await florin.db.pool.query(
    'update user_factors set last_step = last_step - 10 where user_id = $1',
    [findUuid('user', person.id)],
  )
}

test('with an authenticator app a login needs a password and a code', async () => {
  const owner = await florin.people.owner()
  const before = await logIn(owner)
  const app = await enroll(owner)
  assertNeedsFactor(await assertNoChanges(florin.db.pool, () => logIn(owner)))
  const done = await logIn(owner, app.nextCode())
  assert.equal(done.status, 200)
  assert.deepEqual(Object.keys(done.body), Object.keys(before.body))
  assert.equal(
    (await florin.call('GET', '/v1/account', { token: done.body.access_token })).status,
    200,
  )
})

test('a wrong password gets the same response with and without a factor and a code', async () => {
  const [plain, guarded] = [await florin.people.lone(), await florin.people.lone()]
  const app = await enroll(guarded)
  const responses = [
    await logIn({ ...plain, password: 'wrong password' }),
    await logIn({ ...guarded, password: 'wrong password' }),
    await logIn({ ...guarded, password: 'wrong password' }, app.nextCode()),
    await logIn({ ...guarded, password: 'wrong password' }, app.recovery_codes[0]),
  ]
  assert.equal(new Set(responses.map(withoutRequestId)).size, 1)
  assert.equal(responses[0]!.body.error, 'invalid_credentials')
  // Neither code was used.
  assert.equal((await logIn(guarded, app.nextCode())).status, 200)
  assert.equal((await logIn(guarded, app.recovery_codes[0])).status, 200)
})

test('each code of the app works once, also in parallel', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const code = app.nextCode()
  const parallel = await Promise.all([1, 2, 3, 4].map(() => logIn(lone, code)))
  assert.deepEqual(parallel.map(({ status }) => status).sort(), [200, 401, 401, 401])
  assertNeedsFactor(parallel.find(({ status }) => status === 401)!)
  // The code of an earlier step does not work after a later one.
  assert.equal((await logIn(lone, totpCode(app.secret, Date.now() - 30_000))).status, 401)
})

test('each recovery code works once, also in parallel, in any spelling', async () => {
  const lone = await florin.people.lone()
  const { recovery_codes } = await enroll(lone)
  assert.equal(new Set(recovery_codes).size, 10)
  for (const code of recovery_codes) assert.match(code, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const parallel = await Promise.all([1, 2, 3].map(() => logIn(lone, recovery_codes[0])))
  assert.deepEqual(parallel.map(({ status }) => status).sort(), [200, 401, 401])
  const spelled = recovery_codes[1]!.toUpperCase().replaceAll('-', ' ')
  const used = await logIn(lone, spelled)
  assert.equal(used.status, 200)
  const list = await florin.call('GET', '/v1/user/factors', { token: used.body.access_token })
  assert.equal(list.body.recovery_codes_left, 8)
})

test('a recovery code of another user does not work', async () => {
  const [one, other] = [await florin.people.lone(), await florin.people.lone()]
  const { recovery_codes } = await enroll(one)
  await enroll(other)
  assert.equal((await logIn(other, recovery_codes[0])).status, 401)
})

test('ten wrong codes per hour lock the codes of a user, from any address', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const proxied = await florin.startSecondServer({ FLORIN_TRUST_PROXY: '1' })
  const from = (address: string, code: string) =>
    proxied.call('POST', '/v1/auth/login', {
      body: { email: lone.email, password: lone.password, code },
      headers: { 'x-forwarded-for': address },
    })
  const wrong = totpCode(app.secret, Date.now() + 300_000)
  const parallel = await Promise.all(
    Array.from({ length: 14 }, (_, nth) => from(`203.0.113.${nth + 1}`, wrong)),
  )
  const statuses = parallel.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(4).fill(429)])
  const right = await from('203.0.113.200', app.nextCode())
  assert.equal(right.status, 429)
  assert.ok(Number(right.headers.get('retry-after')) > 3_000)
  // A password alone still gets the same response as before, and another user is unaffected.
  assertNeedsFactor(await logIn(lone))
})

test('wrong codes count in the throttle of passwords', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const wrong = totpCode(app.secret, Date.now() + 300_000)
  for (let nth = 0; nth < 5; nth++) assert.equal((await logIn(lone, wrong)).status, 401)
  for (let nth = 0; nth < 5; nth++) {
    assert.equal((await logIn({ ...lone, password: 'wrong password' })).status, 401)
  }
  assert.equal((await logIn(lone, app.nextCode())).status, 429)
})

test('refreshing tokens and API keys need no code', async () => {
  const owner = await florin.people.owner()
  const body = { name: 'Shop', scopes: ['accounts:read'] }
  const created = await florin.call('POST', '/v1/api_keys', { token: owner.token, body })
  await enroll(owner)
  const { refresh_token } = owner
  const refreshed = await florin.call('POST', '/v1/auth/refresh', { body: { refresh_token } })
  assert.equal(refreshed.status, 200)
  assert.equal((await florin.call('GET', '/v1/account', { token: created.body.key })).status, 200)
})

test('the first factor ends the other sessions', async () => {
  const lone = await florin.people.lone()
  const other = await florin.people.session(lone)
  await enroll(lone)
  assert.equal((await florin.call('GET', '/v1/user/factors', other)).status, 401)
  assert.equal((await florin.call('GET', '/v1/user/factors', lone)).status, 200)
})

test('an authenticator app counts only after its first code', async () => {
  const lone = await florin.people.lone()
  const { token } = lone
  const started = await florin.call('POST', '/v1/user/factors/totp', { token, body: {} })
  assert.equal((await logIn(lone)).status, 200)
  const list = await florin.call('GET', '/v1/user/factors', { token })
  assert.deepEqual(list.body, { data: [], recovery_codes_left: 0 })
  const confirm = (code: string) =>
    florin.call('POST', '/v1/user/factors/totp/confirm', { token, body: { code } })
  const wrong = await confirm(totpCode(started.body.secret, Date.now() + 300_000))
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.message, /^"code" must be the current code/)
  // Starting again replaces the secret.
  const again = await florin.call('POST', '/v1/user/factors/totp', {
    token,
    body: { name: 'Phone' },
  })
  assert.notEqual(again.body.secret, started.body.secret)
  assert.equal((await confirm(totpCode(started.body.secret))).status, 400)
  const confirmed = await confirm(totpCode(again.body.secret))
  assert.equal(confirmed.status, 200)
  assert.equal(confirmed.body.factor.name, 'Phone')
  assert.equal((await confirm(totpCode(again.body.secret))).status, 409)
  const second = await florin.call('POST', '/v1/user/factors/totp', { token, body: {} })
  assert.deepEqual([second.status, second.body.error], [409, 'conflict'])
  // The code that confirmed the app is used.
  assert.equal((await logIn(lone, totpCode(again.body.secret))).status, 401)
})

test('deleting the last factor turns two-factor authentication off', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const deleted = await florin.call('DELETE', `/v1/user/factors/${app.factor_id}`, lone)
  assert.equal(deleted.status, 200)
  assert.equal((await logIn(lone)).status, 200)
  const list = await florin.call('GET', '/v1/user/factors', { token: lone.token })
  assert.deepEqual(list.body, { data: [], recovery_codes_left: 0 })
  const codes = await florin.call('POST', '/v1/user/recovery_codes', {
    token: lone.token,
    body: {},
  })
  assert.deepEqual([codes.status, codes.body.error], [409, 'conflict'])
})

test('new recovery codes replace the old ones', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const { token } = lone
  const created = await florin.call('POST', '/v1/user/recovery_codes', { token, body: {} })
  assert.equal(created.status, 201)
  assert.equal(created.body.recovery_codes.length, 10)
  assert.equal((await logIn(lone, app.recovery_codes[0])).status, 401)
  assert.equal((await logIn(lone, created.body.recovery_codes[0])).status, 200)
})

test('changes of factors need a login of the last ten minutes', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const session = findUuid('session', lone.session_id)
  const move = (to: string) =>
    florin.db.pool.query(`update sessions set authenticated_at = ${to} where id = $1`, [session])
  await move(`now() - interval '10 minutes'`)
  const { token } = lone
  const changes: [string, string, unknown][] = [
    ['POST', '/v1/user/factors/totp', {}],
    ['POST', '/v1/user/factors/totp/confirm', { code: '123456' }],
    ['DELETE', `/v1/user/factors/${app.factor_id}`, undefined],
    ['POST', '/v1/user/recovery_codes', {}],
  ]
  for (const [method, path, body] of changes) {
    const response = await florin.call(method, path, { token, body })
    assert.equal(response.status, 401, path)
    assert.equal(response.headers.get('www-authenticate'), `${needs_factor}, max_age=600`)
  }
  assert.equal((await florin.call('GET', '/v1/user/factors', { token })).status, 200)
  // Refreshing does not count as a login.
  const { refresh_token } = lone
  const refreshed = await florin.call('POST', '/v1/auth/refresh', { body: { refresh_token } })
  const again = await florin.call('POST', '/v1/user/recovery_codes', {
    token: refreshed.body.access_token,
    body: {},
  })
  assert.equal(again.status, 401)
  await move(`now() - interval '9 minutes'`)
  const fresh = await florin.call('POST', '/v1/user/recovery_codes', { token, body: {} })
  assert.equal(fresh.status, 201)
})

test('a repeated request with an Idempotency-Key returns the same, sealed secret', async () => {
  const { token } = await florin.people.lone()
  const headers = { 'idempotency-key': 'totp-once' }
  const send = () => florin.call('POST', '/v1/user/factors/totp', { token, body: {}, headers })
  const [first, second] = [await send(), await send()]
  assert.equal(first.text, second.text)
  const stored = await florin.db.pool.query('select body from idempotency_keys')
  for (const { body } of stored.rows) assert.ok(!String(body).includes(first.body.secret))
})

test('a deleted user has no factors left', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  await enroll(member)
  await florin.call('DELETE', `/v1/users/${member.id}`, { token: owner.token })
  for (const table of ['user_factors', 'recovery_codes']) {
    const left = await florin.db.pool.query(`select from ${table} where user_id = $1`, [
      findUuid('user', member.id),
    ])
    assert.equal(left.rowCount, 0, table)
  }
})

test('a new password removes no factor', async () => {
  const owner = await florin.people.owner()
  const app = await enroll(owner)
  const password = `${owner.password} new`
  const body = { password }
  const { token } = owner
  assert.equal((await florin.call('PATCH', `/v1/users/${owner.id}`, { token, body })).status, 200)
  assertNeedsFactor(await logIn({ ...owner, password }))
  assert.equal((await logIn({ ...owner, password }, app.nextCode())).status, 200)
})

test('every change is audited, without secrets', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  await logIn(lone, app.recovery_codes[0])
  await florin.call('POST', '/v1/user/recovery_codes', { token: lone.token, body: {} })
  await florin.call('DELETE', `/v1/user/factors/${app.factor_id}`, { token: lone.token })
  const entries = await florin.db.pool.query(
    `select action, details from audit_log
    where object_id = $1 and action ~ 'factor|recovery' order by id`,
    [findUuid('user', lone.id)],
  )
  assert.deepEqual(
    entries.rows.map(({ action, details }) => [action, JSON.parse(details)]),
    [
      ['user.factor_added', { kind: 'totp' }],
      ['user.recovery_code_used', {}],
      ['user.recovery_codes_created', {}],
      ['user.factor_removed', { kind: 'totp' }],
    ],
  )
})

test('a rotated key still opens secrets, and a use encrypts them with the new key', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const newer = randomBytes(32).toString('base64')
  const both = await florin.startSecondServer({ FLORIN_SECRET_KEY: `${newer}, ${test_secret_key}` })
  const only = await florin.startSecondServer({ FLORIN_SECRET_KEY: newer })
  const body = () => ({ email: lone.email, password: lone.password, code: app.nextCode() })
  const lost = await only.call('POST', '/v1/auth/login', { body: body() })
  assert.equal(lost.status, 503)
  assert.match(lost.body.message, /FLORIN_SECRET_KEY lacks the key/)
  assert.equal((await both.call('POST', '/v1/auth/login', { body: body() })).status, 200)
  await forgetSteps(lone)
  assert.equal((await only.call('POST', '/v1/auth/login', { body: body() })).status, 200)
  await forgetSteps(lone)
  const old = await florin.call('POST', '/v1/auth/login', { body: body() })
  assert.equal(old.status, 503)
  // Recovery codes need no key.
  assert.equal((await logIn(lone, app.recovery_codes[0])).status, 200)
})

test('without FLORIN_SECRET_KEY an authenticator app cannot be added', async () => {
  const without = await florin.startSecondServer({ FLORIN_SECRET_KEY: '' })
  const { token } = await florin.people.lone()
  const refused = await without.call('POST', '/v1/user/factors/totp', { token, body: {} })
  assert.deepEqual([refused.status, refused.body.error], [409, 'conflict'])
  assert.match(refused.body.message, /set FLORIN_SECRET_KEY/)
})

test('a wrong code changes only the throttle', async () => {
  const lone = await florin.people.lone()
  const app = await enroll(lone)
  const wrong = totpCode(app.secret, Date.now() + 300_000)
  const send = () => logIn(lone, wrong)
  assertNeedsFactor(await assertNoChanges(florin.db.pool, send, { except: throttleTables }))
})
