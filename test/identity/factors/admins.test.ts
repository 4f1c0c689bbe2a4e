// The second factor of admins in live mode, its reset, and the rotation of keys.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkFactors } from '../../../src/cli/serve/check-factors.ts'
import { readSecretKeyFile } from '../../../src/embedded-postgres/secret-key-file.ts'
import { resealer } from '../../../src/identity/factors/reseal-secrets.ts'
import { resetFactors } from '../../../src/identity/factors/reset-factors.ts'
import { SecretKeys } from '../../../src/identity/factors/secret-keys.ts'
import { findUuid } from '../../../src/primitives/ids.ts'
import { logInForCookie, same_origin_headers } from '../../support/cookie-login.ts'
import { live_env, startFlorin } from '../../support/florin.ts'
import { enrollTotp, test_secret_key } from '../../support/totp.ts'

const florin = await startFlorin({ ...live_env, FLORIN_SECRET_KEY: test_secret_key })
const { call, db, config } = florin

/** Moves the upgrade of the instance into the past. */
async function endGrace(days = 7): Promise<void> {
  await db.pool.query("update instance set factors_since = now() - $1 * interval '1 day'", [days])
}

/** An admin who was created eight days ago. */
async function oldAdmin() {
  const admin = await florin.people.admin()
  const old_id = findUuid('user', admin.id)!
  const ms = Date.now() - 8 * 86_400_000
  const hex = ms.toString(16).padStart(12, '0')
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}${old_id.slice(13)}`
  for (const [table, column] of [
    ['users', 'id'],
    ['email_claims', 'user_id'],
    ['sessions', 'user_id'],
    ['tokens', 'user_id'],
  ]) {
    await db.pool.query(`update ${table} set ${column} = $1 where ${column} = $2`, [id, old_id])
  }
  return admin
}

test('after the grace period an admin without a factor can only add one', async () => {
  const admin = await oldAdmin()
  const fresh = await florin.people.admin()
  const platform = await florin.people.platform()
  const { token } = admin
  await endGrace(6)
  assert.equal((await call('GET', '/v1/users', { token })).status, 200)
  await endGrace()
  const refused = await call('GET', '/v1/users', { token })
  assert.deepEqual([refused.status, refused.body.error], [403, 'forbidden'])
  assert.match(refused.body.message, /POST \/v1\/user\/factors\/totp/)
  // A new admin has seven days too, and other roles need no factor.
  assert.equal((await call('GET', '/v1/users', { token: fresh.token })).status, 200)
  assert.equal((await call('GET', '/v1/users', { token: platform.token })).status, 200)
  assert.equal((await call('GET', '/v1/auth/sessions', { token })).status, 200)
  const missing = async () =>
    (await call('GET', '/v1/health', { token: fresh.token })).body.server.admins_without_factor
  const before = await missing()
  const app = await enrollTotp(call, admin)
  assert.equal((await call('GET', '/v1/users', { token })).status, 200)
  assert.equal(await missing(), before - 1, 'the health report counts admins without a factor')
  await call('DELETE', `/v1/user/factors/${app.factor_id}`, { token })
  assert.equal((await call('GET', '/v1/users', { token })).status, 403)
})

test('the dashboard learns until when its admin must add a factor', async () => {
  await endGrace()
  const admin = await oldAdmin()
  const cookie = await logInForCookie(call, admin)
  const headers = { ...same_origin_headers, cookie }
  const before = await call('GET', '/dashboard/api/session', { headers })
  assert.ok(Date.parse(before.body.user.factor_due_at) < Date.now())
  await enrollTotp(call, admin)
  const after = await call('GET', '/dashboard/api/session', { headers })
  assert.equal(after.body.user, null)
  await assert.rejects(logInForCookie(call, admin), /two-factor/)
})

test('florin admin reset-factors removes all factors and ends all sessions', async () => {
  const admin = await florin.people.admin()
  const app = await enrollTotp(call, admin)
  const reset = await resetFactors(db, admin.email.toUpperCase())
  assert.deepEqual(reset, { id: admin.id, email: admin.email, factors: 1 })
  assert.equal((await call('GET', '/v1/users', { token: admin.token })).status, 401)
  const { email, password } = admin
  const body = { email, password }
  assert.equal((await call('POST', '/v1/auth/login', { body })).status, 200)
  const with_code = { ...body, code: app.recovery_codes[0] }
  assert.equal((await call('POST', '/v1/auth/login', { body: with_code })).status, 200)
  const entry = await db.pool.query(
    `select actor_role, details from audit_log where object_id = $1 and action = $2`,
    [findUuid('user', admin.id), 'user.factors_reset'],
  )
  assert.deepEqual(entry.rows, [{ actor_role: 'operator', details: '{"factors":1}' }])
  await assert.rejects(resetFactors(db, 'unknown@example.com'), /No user has the email address/)
})

test('a worker encrypts secrets with the newest key, so the old one can be removed', async () => {
  const { rows } = await db.pool.query(`select count(*)::int as n from user_factors`)
  const newer = randomBytes(32)
  const old = Buffer.from(test_secret_key, 'base64')
  assert.equal(await resealer(new SecretKeys([old]))(db), 0)
  assert.equal(await resealer(new SecretKeys([newer]))(db), 0)
  await florin.people.lone().then((lone) => enrollTotp(call, lone))
  assert.equal(await resealer(new SecretKeys([newer, old]))(db), rows[0].n + 1)
  assert.equal(await resealer(new SecretKeys([newer, old]))(db), 0)
  const find = async (secret_keys: Buffer[]) => {
    const findings = await checkFactors(db, { ...config, secret_keys })
    return findings.find(({ check }) => check === 'Secret key')!
  }
  assert.equal((await find([newer])).state, 'ok')
  assert.equal((await find([old])).state, 'fail')
  assert.equal((await find([])).state, 'fail')
  assert.match((await find([old, newer])).message, /older key/)
  await resealer(new SecretKeys([old, newer]))(db)
})

test('florin doctor warns about admins without a factor', async () => {
  const admin = await florin.people.admin()
  const [, admins] = await checkFactors(db, config)
  assert.equal(admins!.state, 'warn')
  assert.ok(admins!.message.includes(admin.email))
})

test('the key file of a sandbox is private and created once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-key-'))
  try {
    const [first, second] = [await readSecretKeyFile(folder), await readSecretKeyFile(folder)]
    assert.equal(first.length, 32)
    assert.deepEqual(second, first)
    assert.equal(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600)
    writeFileSync(join(folder, 'secret.key'), 'short')
    await assert.rejects(readSecretKeyFile(folder), /must contain 32 bytes/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
