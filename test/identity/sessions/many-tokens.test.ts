// A revocation takes effect at once and changes a bounded number of rows, however many tokens a
// user has. The sweep deletes the rest. The tests insert rows like those that renewals leave.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTokens, selectLiveHashes } from '../../../src/identity/sessions/queries.ts'
import { sweepSessions } from '../../../src/identity/sessions/sweep-sessions.ts'
import { verifyTokens } from '../../../src/identity/users/verify-users.ts'
import type { Queryable } from '../../../src/postgres/database.ts'
import type { Sql } from '../../../src/postgres/sql.ts'
import { findUuid } from '../../../src/primitives/ids.ts'
import { sha256 } from '../../../src/primitives/secrets.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import type { Person } from '../../support/people.ts'
import { recordSlices } from '../../support/record-slices.ts'
import { newPassword } from '../../support/secrets.ts'
import { queryWithoutTimeout } from '../../support/without-timeout.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()
const { pool } = florin.db
const deleted = await recordSlices(pool, 'tokens')
const updated = await recordSlices(pool, 'tokens', 'update')

const many = 20_000
const rows_max = 1_000

/** Like the rows that renewals left before old generations were deleted. */
async function addUsedTokens({ id, session_id }: Person, count: number): Promise<void> {
  await queryWithoutTimeout(
    pool,
    `insert into tokens (token_hash, kind, principal_id, user_id, role, expires_at, used_at)
     select sha256(($1 || n)::bytea), 'refresh', $1::uuid, $2::uuid, 'lone',
       now() + interval '30 days', now()
     from generate_series(1, $3::int) as n`,
    [findUuid('session', session_id), findUuid('user', id), count],
  )
}

async function countTokens({ id }: Person): Promise<number> {
  const text = 'select count(*)::int as n from tokens where user_id = $1'
  return (await pool.query(text, [findUuid('user', id)])).rows[0].n
}

function refresh(token: string): Promise<ApiResponse> {
  return florin.call('POST', '/v1/auth/refresh', { token })
}

async function assertRevoked({ token, refresh_token }: Person): Promise<void> {
  const response = await florin.call('GET', '/v1/auth/sessions', { token })
  assert.equal(response.status, 401, response.text)
  assert.equal((await refresh(refresh_token)).body.error, 'invalid_grant')
}

function change(person: Person, body: object): Promise<ApiResponse> {
  return florin.call('PATCH', `/v1/users/${person.id}`, { token: admin.token, body })
}

const revocations: Record<string, (person: Person) => Promise<ApiResponse>> = {
  'a logout': ({ token }) => florin.call('DELETE', '/v1/auth/session', { token }),
  'a suspension': (person) => change(person, { status: 'suspended' }),
  'a password reset': (person) => change(person, { password: newPassword() }),
  'a deletion': ({ id }) => florin.call('DELETE', `/v1/users/${id}`, { token: admin.token }),
  'a reused refresh token': async (person) => {
    const renewed = await refresh(person.refresh_token)
    assert.equal((await refresh(person.refresh_token)).body.error, 'invalid_grant')
    return renewed
  },
}

for (const [name, revoke] of Object.entries(revocations)) {
  test(`${name} takes effect at once with ${many} used tokens`, async () => {
    const person = await florin.people.lone()
    await addUsedTokens(person, many)
    const response = await revoke(person)
    assert.equal(response.status, 200, response.text)
    await assertRevoked(person)
    assert.ok(Math.max(...(await deleted())) <= rows_max, 'few rows in one statement')
    assert.ok(Math.max(0, ...(await updated())) <= rows_max, 'few rows in one statement')
    assert.deepEqual(await verifyTokens(florin.db), [])
    await sweepSessions(florin.db)
    assert.equal(await countTokens(person), 0)
    assert.ok(Math.max(...(await deleted())) <= rows_max, 'the sweep deletes in slices')
  })
}

test('closing an account revokes the tokens of its users and its API keys at once', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  await addUsedTokens(member, many)
  const { token } = owner
  const body = { name: 'A key', scopes: ['*'] }
  const made = await florin.call('POST', '/v1/api_keys', { token, body })
  const closed = await florin.call('DELETE', '/v1/account', { token })
  assert.equal(closed.status, 200, closed.text)
  await assertRevoked(owner)
  await assertRevoked(member)
  const rejected = await florin.call('GET', '/v1/account', { token: made.body.key })
  assert.equal(rejected.status, 401)
  assert.ok(Math.max(...(await deleted())) <= rows_max, 'few rows in one statement')
  await sweepSessions(florin.db)
  assert.equal(await countTokens(member), 0)
})

test('opening an account keeps the session, with any number of tokens', async () => {
  const lone = await florin.people.lone()
  await addUsedTokens(lone, many)
  const { email, password, token } = lone
  const body = { email, password, name: 'Own Ltd', type: 'business' }
  const opened = await florin.call('POST', '/v1/accounts', { token, body })
  assert.equal(opened.status, 201, opened.text)
  assert.deepEqual(await updated(), [], 'the session moves, not its tokens')
  const account = await florin.call('GET', '/v1/account', { token })
  assert.equal(account.body.id, opened.body.id)
  const renewed = await refresh(lone.refresh_token)
  const again = await florin.call('GET', '/v1/account', { token: renewed.body.access_token })
  assert.equal(again.body.id, opened.body.id)
  await florin.call('DELETE', '/v1/account', { token })
  await sweepSessions(florin.db)
})

test('the next sweep resumes an interrupted one', async () => {
  const person = await florin.people.lone()
  await addUsedTokens(person, 3_500)
  await florin.call('DELETE', '/v1/auth/session', { token: person.token })
  await sweepSessions(florin.db, AbortSignal.abort())
  const left = await countTokens(person)
  assert.ok(left > 0 && left < 3_500, `${left} left after one slice`)
  await assertRevoked(person)
  await sweepSessions(florin.db)
  assert.equal(await countTokens(person), 0)
  const queued = await pool.query('select 1 from ended_sessions')
  assert.equal(queued.rowCount, 0)
})

test('a session retains the tokens of its last 100 renewals', async () => {
  const person = await florin.people.lone()
  let newest = person.refresh_token
  const spent: string[] = []
  for (let n = 0; n < 105; n++) {
    spent.push(newest)
    newest = (await refresh(newest)).body.refresh_token
  }
  assert.equal(await countTokens(person), 202)
  // Too old to be known: rejected, and the session continues.
  assert.equal((await refresh(spent[0]!)).body.error, 'invalid_grant')
  const renewed = await refresh(newest)
  assert.equal(renewed.status, 200, renewed.text)
  // Recent enough: the whole session ends.
  assert.equal((await refresh(spent[50]!)).body.error, 'invalid_grant')
  assert.equal((await refresh(renewed.body.refresh_token)).body.error, 'invalid_grant')
  assert.equal(await countTokens(person), 0)
})

test('a user has at most 1,000 sessions: a login ends the least recently used one', async () => {
  const person = await florin.people.lone()
  await queryWithoutTimeout(
    pool,
    `insert into sessions (id, user_id, role, ends_at, refreshed_at, address)
     select gen_random_uuid(), $1, 'lone', now() + interval '1 day',
       now() - n * interval '1 minute', ''
     from generate_series(1, 1000) as n`,
    [findUuid('user', person.id)],
  )
  const { email, password } = person
  const opened = await florin.call('POST', '/v1/auth/login', { body: { email, password } })
  assert.equal(opened.status, 200)
  const text = `select count(*)::int as n, min(refreshed_at) > now() - interval '999 minutes' as cut
    from sessions where user_id = $1`
  const { rows } = await pool.query(text, [findUuid('user', person.id)])
  assert.deepEqual(rows, [{ n: 1_000, cut: true }])
  const listed = await florin.call('GET', '/v1/auth/sessions', { token: person.token })
  assert.equal(listed.status, 200, 'a session in use stays')
})

test('a lookup reads a few pages, with any number of tokens and sessions', async () => {
  const person = await florin.people.lone()
  await addUsedTokens(person, many)
  await pool.query('analyze tokens, sessions, revoked_grantors')
  const hashes = [sha256(person.token)]
  for (const find of [findTokens, selectLiveHashes]) {
    const explaining = {
      async rows({ text, values }: Sql) {
        const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, values)
        return rows
      },
    } as unknown as Queryable
    const [found] = (await find(explaining, hashes, new Date())) as never as Explained[]
    const plan = found!['QUERY PLAN'][0]!.Plan
    assert.ok(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] < 100, JSON.stringify(plan))
    assert.equal(plan['Actual Rows'], 1)
  }
})

interface Explained {
  'QUERY PLAN': [
    { Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks' | 'Actual Rows', number> },
  ]
}
