// A pooler such as PgBouncer between Florin and PostgreSQL.
//
// When it pools by transaction, what one session sets stays with whichever server process has run
// it: the next transaction may run without, and another client's with it. So nothing is set for a
// session there. Each packet of statements brings its settings and keeps them for its transaction.

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { sqlState, unpreparedPooler } from './failure.ts'

const rounds = 4

/**
 * Two sessions prepare a statement of the same name and run it in turns. A pooler without support
 * for prepared statements lends them the same server process, where the name is taken, or another
 * one, where it is missing. A pooler that pools by session lends each the same process every time.
 */
export async function requirePreparedStatements(one: pg.Client, other: pg.Client): Promise<void> {
  const name = `florin_probe_${randomBytes(6).toString('hex')}`
  const run = async (client: pg.Client): Promise<number> => {
    const text = 'select pg_backend_pid() as pid'
    return (await client.query({ name, text, query_timeout: 3_000 } as pg.QueryConfig)).rows[0].pid
  }
  try {
    for (let round = 0; round < rounds; round++) {
      if ((await run(one)) === (await run(other))) return
    }
  } catch (error) {
    throw /^(26000|42P05)$/.test(sqlState(error) ?? '') ? unpreparedPooler(error) : error
  }
}
