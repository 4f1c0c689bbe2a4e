// Creates due transactions, and starts workers that settle them.

import assert from 'node:assert/strict'
import { pino } from 'pino'
import { startTimers } from '../../src/jobs/timer.ts'
import { moveClock, readTime } from '../../src/postgres/clock.ts'
import { type Connection, openDatabase } from '../../src/postgres/database.ts'
import { sandboxProcessor } from '../../src/processors/processor.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { type Florin, patient } from '../support/florin.ts'
import { createOf, entryOf } from './entries.ts'
import type { Shop, TransactionFixtures } from './transaction-fixtures.ts'

/** Advances business time without settling anything. */
export async function wait(florin: Florin, seconds: number): Promise<void> {
  await florin.db.transaction((tx) => moveClock(tx, seconds * 1_000))
}

/** Advances business time to the next noon in UTC, so that a test runs within one day. */
export async function waitForNoon(florin: Florin): Promise<void> {
  const day_ms = 86_400_000
  const since_midnight_ms = (await readTime(florin.db)).getTime() % day_ms
  const by_ms = (1.5 * day_ms - since_midnight_ms) % day_ms
  await florin.db.transaction((tx) => moveClock(tx, by_ms))
}

/** Creates `count` shops whose accounts are in different slots. */
export async function shopsInSlots(till: TransactionFixtures, count: number): Promise<Shop[]> {
  const by_slot = new Map<string, Shop>()
  while (by_slot.size < count) {
    const shop = await till.shop()
    by_slot.set(shop.uuid.slice(-1), shop)
  }
  return [...by_slot.values()]
}

/** Creates `count` pending payments of 100, due immediately, distributed over the shops. */
export async function makeDue(florin: Florin, shops: Shop[], count: number): Promise<void> {
  const lanes = new TransactionLanes(florin.db, patient)
  for (let created = 0; created < count; created += 500) {
    const some = Array.from({ length: Math.min(500, count - created) }, (_, at) => {
      const shop = shops[(created + at) % shops.length]!
      return lanes.submit(entryOf(shop, createOf(shop, { settle_after_ms: 0 })))
    })
    await Promise.all(some)
  }
}

export async function countStatus(florin: Florin, status: string): Promise<number> {
  const text = 'select count(*)::int as n from transactions where status = $1'
  return (await florin.db.pool.query(text, [status])).rows[0].n
}

/** Asserts that every ended transaction has two postings and one event for its end. */
export async function settledOnce(florin: Florin): Promise<void> {
  const wrong = await florin.db.pool.query(`
    select transactions.id, status, array_agg(movement order by sequence) as movements
    from transactions
    left join postings on postings.account_id = transactions.account_id
      and transaction_id = transactions.id
    group by transactions.id, status
    having count(*) <> case status when 'pending' then 1 else 2 end`)
  assert.deepEqual(wrong.rows, [])
  const repeated = await florin.db.pool.query(`
    select object_id from events
    where type in ('transaction.succeeded', 'transaction.failed', 'transaction.canceled')
    group by object_id
    having count(*) > 1`)
  assert.deepEqual(repeated.rows, [])
}

/** Starts the jobs of `florin worker` with a separate pool. */
export function startSettling(florin: Florin): { stop(): Promise<void> } {
  const db = openDatabase(florin.connection, { clients_max: 4 })
  const log = pino({ level: 'silent' })
  const pace = { lease_ms: 2_000, heartbeat_ms: 100 }
  const { config } = florin
  const processor = sandboxProcessor(config.settle_after_s)
  const timers = startTimers(db, log, jobsOf({ db, log, config, processor }), pace)
  return {
    async stop() {
      await timers.stop()
      await db.close()
    },
  }
}

/** The connection as a DATABASE_URL for another process. */
export function urlOf({ connectionString, host, port, user, database }: Connection): string {
  if (connectionString !== undefined) return connectionString
  const socket = encodeURIComponent(host!)
  return `postgres://${user}@localhost:${port ?? 5432}/${database}?host=${socket}`
}
