// Business time: real time plus an offset that the database keeps for all processes. It is nought
// in live mode; in sandbox it only grows. Every change reads it with its first statement and has it
// as `tx.now`; here is what else asks for it, and the one thing that moves it.

import { coalesce } from './coalesce.ts'
import type { Queryable, Tx } from './database.ts'
import { tooBusy } from './lane.ts'
import { sql } from './sql.ts'

// A hundred years. An id holds 48 bits of milliseconds, until 10889, and a timestamp is written
// with four digits of a year: both stay far away, also when something is due a year later.
export const offset_max_ms = 36_500 * 86_400_000

/** Business time for reads; a change has its own in `tx.now`. */
export async function readTime(db: Queryable): Promise<Date> {
  return new Date(Date.now() + (await readClockOffset(db)))
}

/** By how many milliseconds business time is ahead of real time. */
export async function readClockOffset(db: Queryable): Promise<number> {
  const clock = await db.row<{ offset_ms: number }>(sql`
    select offset_ms
    from clock`)
  return clock!.offset_ms
}

/** Business time for many at once: those who ask together are told by one statement. */
export function timeReader(db: Queryable): () => Promise<Date> {
  const limits = { batch_max: 4_096, queue_max: 65_536 }
  const read = coalesce(
    async (asked: null[]) => {
      const now = await readTime(db)
      return asked.map(() => now)
    },
    limits,
    tooBusy,
  )
  return async () => (await read(null))!
}

/** Business time after the move, or undefined when the clock would go too far: then it stays. */
export async function moveClock(tx: Tx, by_ms: number): Promise<Date | undefined> {
  const clock = await tx.row<{ offset_ms: number }>(sql`
    update clock
    set offset_ms = offset_ms + ${by_ms}
    where offset_ms + ${by_ms} <= ${offset_max_ms}
    returning offset_ms`)
  return clock && new Date(Date.now() + clock.offset_ms)
}
