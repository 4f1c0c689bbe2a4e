// Reads that may take long go in turns before they take a database client: a few at a time, and one
// for each key, so that a caller who sends forty of them leaves the shared clients to others.

import { type Db, type Queryable, type Tx, withinTime } from './database.ts'
import { inSnapshot } from './snapshot.ts'
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

/** The same for reads that must agree with each other. */
export function snapshotInTurn<Result>(
  db: Db,
  key: string,
  read: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  return takeTurn(key, () => inSnapshot(db, read))
}

// The pieces of a file have a queue of their own: nobody waits for the next piece of a long one. It
// waits longer, because a refusal would cut off a file that has begun; and of four clients that
// reading in turns may take, files take no more than two.
const takeFileTurn = takeTurns({ at_once_max: 2, wait_max_ms: 30_000 })

/** One piece of a file. Between two pieces the file holds neither a client nor a turn. */
export function pieceInTurn<Result>(
  db: Db,
  key: string,
  read: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  return takeFileTurn(key, () => inSnapshot(db, read))
}
