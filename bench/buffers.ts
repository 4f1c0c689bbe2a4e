// How many pages of the database a request touches, told by EXPLAIN. The statements are those that
// Florin itself sends: a real request is run on a database that writes them down and takes the
// change back, and then each of them is explained with its own values.

import type { Db, Queryable, Tx } from '../src/postgres/database.ts'
import type { Sql } from '../src/postgres/sql.ts'

class RolledBack extends Error {}

/** The pages that `work` touches with the statements it sends. */
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
      buffers += touchedBy(explained.rows[0]['QUERY PLAN'][0].Plan)
    }
    return buffers
  } finally {
    await client.query('rollback')
    client.release()
  }
}

function touchedBy(plan: Record<string, number>): number {
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
}

function recording(db: Db, statements: Sql[]): Db {
  const note = <On extends Queryable>(on: On, statement: Sql): On => {
    statements.push(statement)
    return on
  }
  const reader = (on: Queryable): Queryable => ({
    rows: (statement) => note(on, statement).rows(statement),
    row: (statement) => note(on, statement).row(statement),
    count: (statement) => note(on, statement).count(statement),
  })
  const change = (tx: Tx): Tx => ({
    ...reader(tx),
    get now() {
      return tx.now
    },
    send: (statement) => note(tx, statement).send(statement),
  })
  const undone = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    db.batch(async (tx) => {
      await work(change(tx))
      throw new RolledBack()
    })
  return {
    ...reader(db),
    transaction: undone,
    batch: undone,
    readTransaction: undone,
    close: () => db.close(),
    pool: db.pool,
    reserved: db.reserved,
    waiting_pool: db.waiting_pool,
  }
}
