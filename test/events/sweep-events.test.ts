// Old events are pruned per account, and the retained ones have no gaps.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newEventId, sequenceOf } from '../../src/events/event-id.ts'
import { sweepEvents } from '../../src/events/sweep-events.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { addBareAccounts } from '../support/bare-accounts.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { queryWithoutTimeout } from '../support/without-timeout.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

const day_ms = 86_400_000

/** Inserts one event for each age in days, oldest first. */
async function fill(account_id: string, ages: number[]): Promise<void> {
  await addBareAccounts(db.pool, [account_id])
  for (const [n, days] of ages.entries()) {
    const at = new Date(Date.now() - days * day_ms)
    await db.pool.query(
      `insert into events (account_id, sequence, id, type, object_id, at, data)
       values ($1, $2, $3, 'account.updated', $1, $4, '{}')`,
      [account_id, n + 1, newEventId(at, n + 1), at],
    )
  }
}

async function retained(account_id: string): Promise<number[]> {
  const text = 'select sequence from events where account_id = $1 order by sequence'
  const { rows } = await db.pool.query(text, [account_id])
  return rows.map(({ sequence }) => Number(sequence))
}

test('deletes events older than 90 days in every account', async () => {
  const [old, mixed, young] = [1, 2, 3].map(() => newUuid(Date.now())) as [string, string, string]
  await fill(old, [200, 150, 91])
  await fill(mixed, [200, 91, 89, 1])
  await fill(young, [89, 0])
  assert.equal(await sweepEvents(db), 5)
  const left = [await retained(old), await retained(mixed), await retained(young)]
  assert.deepEqual(left, [[], [3, 4], [1, 2]])
  assert.equal(await sweepEvents(db), 0)
})

test('deletes many old events in several statements', async () => {
  const account_id = newUuid(Date.now())
  await addBareAccounts(db.pool, [account_id])
  await queryWithoutTimeout(
    db.pool,
    `insert into events (account_id, sequence, id, type, object_id, at, data)
     select $1, n, gen_random_uuid(), 'account.updated', $1, now() - interval '100 days', '{}'
     from generate_series(1, 25000) as n`,
    [account_id],
  )
  assert.equal(await sweepEvents(db), 25_000)
  assert.deepEqual(await retained(account_id), [])
})

test('event ids contain the sequence number', () => {
  const at = new Date('2026-11-15T09:30:00.000Z')
  for (const sequence of [1, 255, 4_096, 2 ** 40 - 1]) {
    const id = newEventId(at, sequence)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(sequenceOf(id), sequence)
  }
  assert.notEqual(newEventId(at, 7), newEventId(at, 7))
})
