// Several reads in one consistent snapshot of the database. They take no locks, write nothing and
// block no other transaction.

import type pg from 'pg'
import type { Db, Queryable } from './database.ts'
import { runStatement, type StatementResult } from './driver/flush.ts'
import { translateFailure } from './failure.ts'
import { settingsFor } from './pool.ts'
import type { Sql } from './sql.ts'
import { StatementRunner } from './statement-runner.ts'

interface SnapshotOptions {
  /** Memory for one sort or hash; the server's setting is meant for small results. */
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
    // Not awaited: a pipelining client sends it with the first read, and both fail together.
    client.query('begin isolation level repeatable read, read only').catch(onError)
    const settings = settingsFor(client)
    if (settings !== undefined) client.query(settings.text, settings.values).catch(onError)
    // JIT compilation does not pay off for statements that run only a few times. With one
    // connection to each Citus worker, an account is read in one snapshot; elsewhere the name has
    // no meaning.
    const memory = `set local jit = off; set local work_mem = '${work_mem_mb}MB';
      set local citus.max_adaptive_executor_pool_size = 1`
    if (work_mem_mb !== undefined) client.query(memory).catch(onError)
    return await read(new ClientSnapshot(client))
  } finally {
    // Nothing was written, so ROLLBACK is as good as COMMIT, and also works after a failure.
    await client.query('rollback').catch(onError)
    client.off('error', onError)
    client.release(broken)
  }
}

class ClientSnapshot extends StatementRunner {
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    super()
    this.#client = client
  }

  protected async runStatement(statement: Sql): Promise<StatementResult> {
    try {
      return await runStatement(this.#client, statement)
    } catch (error) {
      throw translateFailure(error)
    }
  }
}
