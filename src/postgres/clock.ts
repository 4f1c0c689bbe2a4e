// Business time: real time plus an offset that the database stores for all processes. The offset is
// zero in live mode; in sandbox it only grows. Every change reads it with its first statement and
// has it as `tx.now`. This file has the other reads, and the only write.

import { firstUuidAt } from '../primitives/ids.ts'
import { tooBusy } from '../primitives/refusal.ts'
import { coalesce } from './coalesce.ts'
import type { Queryable, Tx } from './database.ts'
import { OneTransactionDb } from './one-transaction-db.ts'
import { sql } from './sql.ts'

// 100 years. An id holds 48 bits of milliseconds, enough until the year 10889, and timestamps are
// written with four-digit years. Both limits stay far away, also for rows due a year later.
export const offset_max_ms = 36_500 * 86_400_000

/** Business time for reads; a change uses `tx.now`. */
export async function readTime(db: Queryable): Promise<Date> {
  if (db instanceof OneTransactionDb) return db.now
  return new Date(Date.now() + (await readClockOffset(db)))
}

const unsettled_ms = 10_000

/**
 * Across accounts, rows do not commit in id order: a row with a smaller id can appear after one
 * with a larger id. Paging towards newer rows therefore ends before this id, until every such
 * transaction has ended.
 */
export async function newestSettledId(db: Queryable): Promise<string> {
  return firstUuidAt((await readTime(db)).getTime() - unsettled_ms)
}

/** Milliseconds by which business time is ahead of real time. */
export async function readClockOffset(db: Queryable): Promise<number> {
  const clock = await db.row<{ offset_ms: number }>(sql`
    select offset_ms
    from clock`)
  return clock!.offset_ms
}

/** Business time for many callers: concurrent reads share one statement. */
export function timeReader(db: Queryable): () => Promise<Date> {
  const limits = { batch_max: 4_096, queue_max: 65_536 }
  const read = coalesce(
    async (readers: null[]) => {
      const now = await readTime(db)
      return readers.map(() => now)
    },
    limits,
    tooBusy,
  )
  return async () => (await read(null))!
}

/** Returns business time after the move. Returns undefined, and moves nothing, past the limit. */
export async function moveClock(tx: Tx, by_ms: number): Promise<Date | undefined> {
  const clock = await tx.row<{ offset_ms: number }>(sql`
    update clock
    set offset_ms = offset_ms + ${by_ms}
    where offset_ms + ${by_ms} <= ${offset_max_ms}
    returning offset_ms`)
  return clock && new Date(Date.now() + clock.offset_ms)
}
