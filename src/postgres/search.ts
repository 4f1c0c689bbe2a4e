// Fair queueing for slow reads. They wait before they take a database client: a few run at a time,
// one per key, so a caller that sends 40 of them does not occupy the shared clients.

import { type Db, type Queryable, type Tx, withTimeout } from './database.ts'
import { createFairQueue } from './fair-queue.ts'
import { inSnapshot } from './snapshot.ts'
import { type Sql, sql } from './sql.ts'

const search_ms = 2_000

// Four of the ten clients that all reads share. Most searches take milliseconds and never wait.
const takeTurn = createFairQueue({ concurrency_max: 4, wait_max_ms: search_ms })

/** `key` is the account that is searched, or a fixed name for a search over all accounts. */
export function runQueuedSearch<Result>(
  db: Db,
  key: string,
  advice: string,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return takeTurn(key, () => withTimeout(db, search_ms, advice, read))
}

/** Like runQueuedSearch, for several reads that need one consistent snapshot. */
export function runQueuedSnapshot<Result>(
  db: Db,
  key: string,
  read: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  return takeTurn(key, () => inSnapshot(db, read))
}

// Parts of export files have a separate queue, so searches never wait for an export. Its wait limit
// is longer, because a rejection would truncate a file that is being sent. Exports use at most two
// clients.
const takeFileTurn = createFairQueue({ concurrency_max: 2, wait_max_ms: 30_000 })

/** Reads one part of a file. Between two parts an export occupies neither a client nor a turn. */
export function runQueuedExportPart<Result>(
  db: Db,
  key: string,
  read: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  return takeFileTurn(key, () => inSnapshot(db, read))
}

export interface ListCount {
  count: number
  /** False if counting stopped at the maximum: there are at least this many. */
  is_exact: boolean
}

// Large enough to show how long a list is, and small enough to count within milliseconds.
const count_max = 10_000

const count_advice = 'Counting with these filters took too long. Use fewer filters.'

/** Counts the rows of a list. `count` stops at the limit. */
export async function runQueuedCount(
  db: Db,
  account_id: string,
  count: (tx: Tx, limit: number) => Promise<number>,
): Promise<ListCount> {
  const found = await runQueuedSearch(db, account_id, count_advice, (tx) =>
    count(tx, count_max + 1),
  )
  return { count: Math.min(found, count_max), is_exact: found <= count_max }
}

/** Counts rows up to a limit. `rows` is the statement from its FROM clause on. */
export async function countRows(db: Queryable, rows: Sql, limit: number): Promise<number> {
  const counted = await db.row<{ n: number }>(
    sql`select count(*) as n from (select 1 ${rows} limit ${limit}) as counted`,
  )
  return counted!.n
}

export interface QueueDepth {
  waiting: number
  /** How many of them are due now. */
  due: number
}

/** Counts the rows of a queue up to a limit. `rows` is the statement from its FROM clause on. */
export async function countWaiting(db: Queryable, rows: Sql, limit: number): Promise<QueueDepth> {
  const counted = await db.row<QueueDepth>(sql`
    select count(*) as waiting, count(*) filter (where next_at <= now()) as due
    from (select next_at ${rows} limit ${limit}) as queued`)
  return counted!
}
