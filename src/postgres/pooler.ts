// Support for a connection pooler such as PgBouncer between Florin and PostgreSQL.
//
// With transaction pooling, a session setting stays in the server process that ran it: the next
// transaction may run without it, and another client's transaction with it. So no session settings
// are used there. Each packet of statements includes its settings, local to its transaction.

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { limited } from './driver/client.ts'
import { sqlState, unpreparedPooler } from './failure.ts'

const rounds = 4

/**
 * Two sessions prepare a statement of the same name and run it in turns. Without support for
 * prepared statements, a pooler assigns both the same server process, where the name is taken, or a
 * different one, where it is missing. With session pooling, each always has the same process.
 */
export async function requirePreparedStatements(one: pg.Client, other: pg.Client): Promise<void> {
  const name = `florin_probe_${randomBytes(6).toString('hex')}`
  const run = async (client: pg.Client): Promise<number> => {
    const text = 'select pg_backend_pid() as pid'
    return (await client.query(limited({ name, text }, 3_000))).rows[0].pid
  }
  try {
    for (let round = 0; round < rounds; round++) {
      if ((await run(one)) === (await run(other))) return
    }
  } catch (error) {
    throw /^(26000|42P05)$/.test(sqlState(error) ?? '') ? unpreparedPooler(error) : error
  }
}
