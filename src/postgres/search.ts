// Searches that may read much to find little: each has so long at the most, and they go in turns,
// so that whoever asks for forty leaves the database's clients to others.

import { type Db, type Tx, withinTime } from './database.ts'
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
