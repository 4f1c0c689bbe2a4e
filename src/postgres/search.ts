// Reads that may take long go in turns before they take a database client: a few at a time, and one
// for each key, so that a caller who sends forty of them leaves the shared clients to others.

import { type Db, type Queryable, type Tx, withTimeout } from './database.ts'
import { createFairQueue } from './fair-queue.ts'
import { inSnapshot } from './snapshot.ts'
import { type Sql, sql } from './sql.ts'

const search_ms = 2_000

// Of the ten clients that all reads share. Most searches take milliseconds and wait for nobody.
const takeTurn = createFairQueue({ concurrency_max: 4, wait_max_ms: search_ms })

/** `key` is whose turn it takes: the account's that is searched, or what stands for all of them. */
export function runQueuedSearch<Result>(
  db: Db,
  key: string,
  advice: string,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return takeTurn(key, () => withTimeout(db, search_ms, advice, read))
}

/** The same for reads that must agree with each other. */
export function runQueuedSnapshot<Result>(
  db: Db,
  key: string,
  read: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  return takeTurn(key, () => inSnapshot(db, read))
}

// The pieces of a file have a queue of their own: nobody waits for the next piece of a long one. It
// waits longer, because a refusal would cut off a file that has begun; and of four clients that
// reading in turns may take, files take no more than two.
const takeFileTurn = createFairQueue({ concurrency_max: 2, wait_max_ms: 30_000 })

/** One piece of a file. Between two pieces the file holds neither a client nor a turn. */
export function runQueuedExportPart<Result>(
  db: Db,
  key: string,
  read: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  return takeFileTurn(key, () => inSnapshot(db, read))
}

export interface ListCount {
  count: number
  /** False where counting stopped at the maximum: there are at least this many. */
  is_exact: boolean
}

// Enough to know how long a list is, and few enough to read within milliseconds.
const count_max = 10_000

const count_advice = 'There are too many rows to count. Use fewer filters.'

/** How many rows a list has. `count` counts up to a limit. */
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

/** Counts rows up to a limit. `rows` is the statement from its FROM on. */
export async function countRows(db: Queryable, rows: Sql, limit: number): Promise<number> {
  const counted = await db.row<{ n: number }>(
    sql`select count(*) as n from (select 1 ${rows} limit ${limit}) as counted`,
  )
  return counted!.n
}
