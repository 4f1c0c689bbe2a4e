// Renewal of the tokens behind the cookie. Access tokens live for an hour, so the tests reseal the
// stored tokens with an expiry that is close.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepDashboardSessions } from '../../src/dashboard/cookie-session.ts'
import type { DashboardSessionRow } from '../../src/dashboard/queries.ts'
import { sealTokens, unsealTokens } from '../../src/dashboard/sealed-tokens.ts'
import { sql } from '../../src/postgres/sql.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { logInForCookie } from '../support/cookie-login.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecret } from '../support/secrets.ts'

const florin = await startFlorin()
const second = await florin.startSecondServer()
const { call, people, db } = florin

async function rowOf(secret: string): Promise<DashboardSessionRow | undefined> {
  return db.row(sql`
    select cookie_hash, sealed_tokens, expires_at from dashboard_sessions
    where cookie_hash = ${sha256(secret)}`)
}

async function tokensOf(secret: string) {
  const tokens = unsealTokens(secret, (await rowOf(secret))!)
  recordSecret(tokens.access_token)
  recordSecret(tokens.refresh_token)
  return tokens
}

/** Makes the access token expire in 30 seconds. */
async function makeStale(secret: string): Promise<void> {
  const { access_token, refresh_token } = await tokensOf(secret)
  const issued = { access_token, refresh_token, token_type: 'Bearer', session_id: '' } as const
  const { sealed_tokens } = sealTokens(secret, { ...issued, expires_in: 30 }, new Date())
  await db.count(sql`
    update dashboard_sessions set sealed_tokens = ${sealed_tokens}
    where cookie_hash = ${sha256(secret)}`)
}

test('40 parallel requests in two processes renew the tokens once', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const secret = cookie.split('=')[1]!
  const before = await tokensOf(secret)
  await makeStale(secret)
  const get = (at: number) =>
    (at % 2 ? call : second.call)('GET', '/dashboard/api/v1/account', { headers: { cookie } })
  const responses = await Promise.all(Array.from({ length: 40 }, (_, at) => get(at)))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  const after = await tokensOf(secret)
  assert.notEqual(after.access_token, before.access_token)
  const spent = await call('POST', '/v1/auth/refresh', {
    body: { refresh_token: before.refresh_token },
  })
  assert.equal(spent.status, 401)
})

test('renewal deletes the cookie session when the session has ended', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const secret = cookie.split('=')[1]!
  await makeStale(secret)
  const { session_id } = (await call('GET', '/dashboard/api/session', { headers: { cookie } })).body
    .user
  await makeStale(secret)
  await call('DELETE', '/v1/auth/session', { token: owner.token, body: { session_id } })
  const response = await call('GET', '/dashboard/api/v1/account', { headers: { cookie } })
  assert.equal(response.status, 401)
  assert.equal(await rowOf(secret), undefined)
})

test('rejects and sweeps an expired cookie session', async () => {
  const owner = await people.owner()
  const cookie = await logInForCookie(call, owner)
  const secret = cookie.split('=')[1]!
  await db.count(sql`
    update dashboard_sessions set expires_at = ${new Date(Date.now() - 1_000)}
    where cookie_hash = ${sha256(secret)}`)
  const response = await call('GET', '/dashboard/api/v1/account', { headers: { cookie } })
  assert.equal(response.status, 401)
  assert.equal(await sweepDashboardSessions(db), 1)
  assert.equal(await rowOf(secret), undefined)
})
