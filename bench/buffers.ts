// Counts the database pages that a request touches. A real request runs on a recording database,
// which collects its statements and rolls the change back. Each statement then runs under EXPLAIN
// (ANALYZE, BUFFERS) with the recorded values.

import type { Db, Queryable, Tx } from '../src/postgres/database.ts'
import type { Sql } from '../src/postgres/sql.ts'

class RolledBack extends Error {}

/** Returns the number of pages that the statements sent by `work` touch. */
export async function countBuffers(db: Db, work: (db: Db) => Promise<unknown>): Promise<number> {
  const statements: Sql[] = []
  await work(recording(db, statements)).catch((error) => {
    if (!(error instanceof RolledBack)) throw error
  })
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    let buffers = 0
    for (const { text, values } of statements) {
      const explained = await client.query({
        text: `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      })
      buffers += bufferCount(explained.rows[0]['QUERY PLAN'][0].Plan)
    }
    return buffers
  } finally {
    await client.query('rollback')
    client.release()
  }
}

function bufferCount(plan: Record<string, number>): number {
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
}

function recording(db: Db, statements: Sql[]): Db {
  const record = <On extends Queryable>(on: On, statement: Sql): On => {
    statements.push(statement)
    return on
  }
  const reader = (on: Queryable): Queryable => ({
    rows: (statement) => record(on, statement).rows(statement),
    row: (statement) => record(on, statement).row(statement),
    count: (statement) => record(on, statement).count(statement),
  })
  const change = (tx: Tx): Tx => ({
    ...reader(tx),
    get now() {
      return tx.now
    },
    shards: tx.shards,
    known_balances: tx.known_balances,
    send: (statement) => record(tx, statement).send(statement),
    proveBy: () => {},
    proveByRow: () => {},
  })
  const rolledBack = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    db.batch(async (tx) => {
      await work(change(tx))
      throw new RolledBack()
    })
  return {
    ...reader(db),
    transaction: rolledBack,
    batch: rolledBack,
    readTransaction: rolledBack,
    close: () => db.close(),
    pool: db.pool,
    shards: db.shards,
    reserved: db.reserved,
    waiting_pool: db.waiting_pool,
  }
}
