// Lanes per shard, on a plain PostgreSQL with the shard catalog of Citus.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AccountLanes } from '../../src/lanes/account-lanes.ts'
import type { Outcome } from '../../src/lanes/lane-entry.ts'
import { runByShard } from '../../src/lanes/run-by-shard.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { hashUuid, Shards } from '../../src/postgres/shards.ts'
import { sql } from '../../src/postgres/sql.ts'
import { max_uuid, newRealTimeUuid, nil_uuid } from '../../src/primitives/ids.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { evenShards, setShards } from '../support/shard-catalog.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

test('computes the hash of PostgreSQL, which Citus distributes accounts by', async () => {
  const random = Array.from({ length: 500 }, () => crypto.randomUUID())
  const ids = [nil_uuid, max_uuid, newRealTimeUuid(Date.now()), ...random]
  const hashed = await db.rows<{ id: string; hash: number }>(sql`
    select id, uuid_hash(id) as hash
    from unnest(${ids}::uuid[]) as it (id)`)
  assert.deepEqual(
    hashed.map(({ id }) => hashUuid(id)),
    hashed.map(({ hash }) => hash),
  )
})

test('a plain PostgreSQL is one shard, and reads need one statement', async () => {
  const shards = new Shards()
  await shards.load(db)
  assert.equal(shards.count, 1)
  const keys = [nil_uuid, max_uuid].map((account_id) => ({ account_id }))
  assert.deepEqual(shards.split(keys), [keys])
  assert.deepEqual(await shards.readEach(db, keys, async (some) => [some.length]), [2])
})

interface Item {
  account_id: string
}

const items: Item[] = Array.from({ length: 100 }, () => ({ account_id: crypto.randomUUID() }))

test('groups accounts by the hash ranges of the shards, and follows a split', async () => {
  await setShards(db, evenShards(2))
  assert.equal(db.shards.count, 2)
  for (const part of db.shards.split(items)) {
    const signs = new Set(part.map(({ account_id }) => hashUuid(account_id) < 0))
    assert.equal(signs.size, 1)
  }
  await setShards(db, [...evenShards(2), 2 ** 30])
  assert.equal(db.shards.count, 3)
  const counts = await db.shards.readEach(db, items, async (some) => [some.length])
  assert.equal(counts.length, 3)
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    items.length,
  )
})

test('fails if the server stores accounts on other shards than computed', async () => {
  await setShards(db, evenShards(4))
  await db.count(sql`
    create or replace function get_shard_id_for_distribution_column(name regclass, id uuid)
    returns bigint language sql stable as 'select 1::bigint'`)
  await assert.rejects(db.shards.load(db), /which this version of Florin does not expect/)
})

/** Like Citus: rejects a batch with accounts of two shards. */
function runOneShard(some: Item[]): Promise<Outcome<string>[]> {
  const hashes = some.map(({ account_id }) => hashUuid(account_id))
  const starts = evenShards(8)
  const used = new Set(hashes.map((hash) => starts.findLast((start) => start <= hash)))
  if (used.size > 1) return Promise.reject(unsupported)
  return Promise.resolve(some.map(({ account_id }) => ({ value: account_id })))
}

const unsupported = Object.assign(new Error('FOR UPDATE'), { code: '0A000' })
const in_order = items.map(({ account_id }) => ({ value: account_id }))

/** This process has an old map; an operator has split the shards since. */
async function splitUnnoticed(): Promise<void> {
  const fresh = openDatabase(connection)
  await setShards(fresh, evenShards(2))
  await db.shards.load(db)
  await setShards(fresh, evenShards(8))
  await fresh.close()
}

test('reads the map again after a split, and runs the batch in parts', async () => {
  await splitUnnoticed()
  assert.equal(db.shards.count, 2)
  const [first] = db.shards.split(items)
  const expected = first!.map(({ account_id }) => ({ value: account_id }))
  assert.deepEqual(await runByShard(db, first!, runOneShard), expected)
  assert.equal(db.shards.count, 8)
  // Entries that were queued before the split.
  assert.deepEqual(await runByShard(db, items, runOneShard), in_order)
})

test('reads the map again when a read of several accounts is rejected', async () => {
  await splitUnnoticed()
  const rows = await db.shards.readEach(db, items, async (some) => {
    const outcomes = await runOneShard(some)
    return outcomes.map((outcome) => (outcome as { value: string }).value)
  })
  assert.deepEqual(rows.sort(), items.map(({ account_id }) => account_id).sort())
  assert.equal(db.shards.count, 8)
})

test('a second batch that fails at the same time runs in parts, too', async () => {
  await splitUnnoticed()
  const parts = db.shards.split(items)
  const outcomes = await Promise.all(parts.map((part) => runByShard(db, part, runOneShard)))
  assert.deepEqual(
    outcomes,
    parts.map((part) => part.map(({ account_id }) => ({ value: account_id }))),
  )
})

test('an outage fails only the entries of its part', async () => {
  await setShards(db, evenShards(8))
  const outage = new Error('the node is down')
  const failing = db.shards.split(items)[1]!
  const outcomes = await runByShard(db, items, async (some) => {
    if (some.includes(failing[0]!)) throw outage
    return runOneShard(some)
  })
  assert.deepEqual(
    outcomes,
    items.map((item, at) => (failing.includes(item) ? { error: outage } : in_order[at])),
  )
})

test('other errors, and a statement that Citus never supports, fail the batch', async () => {
  await setShards(db, evenShards(8))
  for (const error of [new Error('other'), unsupported]) {
    const one = items.slice(0, 1)
    await assert.rejects(
      runByShard(db, one, () => Promise.reject(error)),
      error,
    )
  }
})

test('a batch has accounts of one shard, and a slow shard does not delay the others', async () => {
  await setShards(db, evenShards(8))
  const slow = db.shards.shardOf(items[0]!.account_id)
  const batches: Item[][] = []
  let release = () => {}
  const blocked = new Promise<void>((resolve) => {
    release = resolve
  })
  const run = async (some: Item[]): Promise<Outcome<string>[]> => {
    batches.push(some)
    if (db.shards.shardOf(some[0]!.account_id) === slow) await blocked
    return some.map(({ account_id }) => ({ value: account_id }))
  }
  const lanes = new AccountLanes<Entry, string>({ shards: db.shards, skipping: run, waiting: run })
  const submitted = items.map((item) => lanes.submit(entryOf(item)))
  const isSlow = ({ account_id }: Item) => db.shards.shardOf(account_id) === slow
  await Promise.all(submitted.filter((_, at) => !isSlow(items[at]!)))
  assert.equal(lanes.areFull(), false)
  release()
  await Promise.all(submitted)
  for (const batch of batches) assert.equal(db.shards.split(batch).length, 1)
  assert.equal(lanes.processed.entries, items.length)
})

interface Entry extends Item {
  background: boolean
  isWanted(): boolean
}

function entryOf(item: Item): Entry {
  return { ...item, background: false, isWanted: () => true }
}
