// Renewing needs no password hash, so expired tokens can be many. They are deleted in slices.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweepSessions } from '../../../src/identity/sessions/sweep-sessions.ts'
import { openDatabase } from '../../../src/postgres/database.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../../support/postgres.ts'
import { recordSlices } from '../../support/record-slices.ts'
import { queryWithoutTimeout } from '../../support/without-timeout.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})
const slices = await recordSlices(db.pool, 'tokens')

/** Adds tokens that expire in this many hours, each with a session. */
async function addTokens(count: number, hours: number): Promise<void> {
  await queryWithoutTimeout(
    db.pool,
    `with made as (
       insert into sessions (id, user_id, role, ends_at, refreshed_at, address)
       select gen_random_uuid(), gen_random_uuid(), 'owner', now() + $2::int * interval '1 hour',
         now(), ''
       from generate_series(1, $1::int)
       returning id, user_id, ends_at)
     insert into tokens (token_hash, kind, principal_id, user_id, role, expires_at)
     select sha256(id::text::bytea), 'access', id, user_id, 'owner', ends_at
     from made`,
    [count, hours],
  )
}

async function countLeft(): Promise<{ tokens: number; sessions: number; expired: number }> {
  const { rows } = await db.pool.query(
    `select (select count(*)::int from tokens) as tokens,
       (select count(*)::int from sessions) as sessions,
       (select count(*)::int from tokens where expires_at < now()) as expired`,
  )
  return rows[0]
}

test('deletes all expired rows in several short statements, and no others', async () => {
  await addTokens(3_456, -1)
  await addTokens(5, 1)
  assert.equal(await sweepSessions(db), 2 * 3_456)
  assert.deepEqual(await countLeft(), { tokens: 5, sessions: 5, expired: 0 })
  const deleted = await slices()
  assert.ok(deleted.length > 3, `${deleted.length} statements`)
  assert.ok(Math.max(...deleted) <= 1_000, `${Math.max(...deleted)} rows in one statement`)
  assert.equal(await sweepSessions(db), 0)
})
