// A Db whose changes all belong to one open database transaction, at a business time that the
// caller sets. `florin seed` writes a history with it: the parts of a server run unchanged, other
// processes see nothing until it is complete, and a failure leaves nothing behind.

import type pg from 'pg'
import type { Db, Tx } from './database.ts'
import type { Shards } from './shards.ts'
import { type Sql, sql } from './sql.ts'

export class OneTransactionDb implements Db {
  readonly pool: pg.Pool
  readonly shards: Shards
  readonly #tx: Tx
  /** The business time of the next change. */
  now: Date

  constructor(db: Db, tx: Tx, now: Date) {
    this.pool = db.pool
    this.shards = db.shards
    this.#tx = tx
    this.now = now
  }

  get reserved(): Db {
    return this
  }

  get waiting_pool(): Db {
    return this
  }

  rows<Row>(statement: Sql): Promise<Row[]> {
    return this.#tx.rows<Row>(statement)
  }

  row<Row>(statement: Sql): Promise<Row | undefined> {
    return this.#tx.row<Row>(statement)
  }

  count(statement: Sql): Promise<number> {
    return this.#tx.count(statement)
  }

  /** A failed change fails the whole transaction: there are no savepoints. */
  async transaction<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result> {
    const outer = this.#tx
    const result = await change({
      now: this.now,
      shards: this.shards,
      known_balances: outer.known_balances,
      rows: (statement) => outer.rows(statement),
      row: (statement) => outer.row(statement),
      count: (statement) => outer.count(statement),
      send: (statement) => outer.send(statement),
      // The outer transaction has separate evidence: its accounts may be new.
      proveBy: () => {},
      proveByRow: () => {},
    })
    // Statements that were sent without waiting leave with the next one, at the latest with COMMIT.
    // The next change must see their rows.
    await outer.row(sql`select 1 as flushed`)
    return result
  }

  batch<Result>(change: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.transaction(change)
  }

  readTransaction<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.transaction(read)
  }

  /** The owner of the transaction ends it. */
  async close(): Promise<void> {}
}
