// Searches that may read much to find little: each has so long at the most, and they go in turns,
// so that whoever asks for forty leaves the database's clients to others.

import { type Db, type Queryable, type Tx, withinTime } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { takeTurns } from './turns.ts'

const search_ms = 2_000

// Of the ten clients that all reads share. Most searches take milliseconds and wait for nobody.
const takeTurn = takeTurns({ at_once_max: 4, wait_max_ms: search_ms })

/** `key` is whose turn it takes: the account's that is searched, or what stands for all of them. */
export function searchInTurn<Result>(
  db: Db,
  key: string,
  advice: string,
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return takeTurn(key, () => withinTime(db, search_ms, advice, read))
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
export async function countInTurn(
  db: Db,
  account_id: string,
  count: (tx: Tx, limit: number) => Promise<number>,
): Promise<ListCount> {
  const found = await searchInTurn(db, account_id, count_advice, (tx) => count(tx, count_max + 1))
  return { count: Math.min(found, count_max), is_exact: found <= count_max }
}

/** Counts rows up to a limit. `rows` is the statement from its FROM on. */
export async function countRows(db: Queryable, rows: Sql, limit: number): Promise<number> {
  const counted = await db.row<{ n: number }>(
    sql`select count(*) as n from (select 1 ${rows} limit ${limit}) as counted`,
  )
  return counted!.n
}
