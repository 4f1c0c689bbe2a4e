// Reads that must agree with each other. All of them see the database as it was at one instant,
// whatever is written meanwhile; they lock nothing, write nothing and make nobody wait.

import type pg from 'pg'
import type { Db, Queryable } from './database.ts'
import { translateFailure } from './failure.ts'
import { runStatement, type StatementResult } from './flush.ts'
import { settingsFor } from './pool.ts'
import type { Sql } from './sql.ts'

export interface SnapshotOptions {
  /** Memory for one sort or hash; the server's own setting is made for small answers. */
  work_mem_mb?: number
}

export async function inSnapshot<Result>(
  db: Db,
  read: (snapshot: Queryable) => Promise<Result>,
  { work_mem_mb }: SnapshotOptions = {},
): Promise<Result> {
  const client = await db.pool.connect().catch((error) => {
    throw translateFailure(error)
  })
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    // Not awaited: with a pipelining client it travels with the first read, and fails with it.
    client.query('begin isolation level repeatable read, read only').catch(onError)
    const settings = settingsFor(client)
    if (settings !== undefined) client.query(settings.text, settings.values).catch(onError)
    // Statements that are run a few times gain nothing from being compiled.
    const roomy = `set local jit = off; set local work_mem = '${work_mem_mb}MB'`
    if (work_mem_mb !== undefined) client.query(roomy).catch(onError)
    return await read(new ClientSnapshot(client))
  } finally {
    // Nothing was written, so this way out is as good as COMMIT, and right after a failure too.
    await client.query('rollback').catch(onError)
    client.off('error', onError)
    client.release(broken)
  }
}

class ClientSnapshot implements Queryable {
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#runStatement(statement)).rows as Row[]
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.#runStatement(statement)).rows[0] as Row | undefined
  }

  async count(statement: Sql): Promise<number> {
    return (await this.#runStatement(statement)).count
  }

  async #runStatement(statement: Sql): Promise<StatementResult> {
    try {
      return await runStatement(this.#client, statement)
    } catch (error) {
      throw translateFailure(error)
    }
  }
}
