// Prepares many rows. Two cores shared by six test processes can need more than the five seconds
// that a statement of the server may take.

import type pg from 'pg'
import { limited } from '../../src/postgres/driver/client.ts'

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

export function queryWithoutTimeout(
  pool: pg.Pool,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  return withoutTimeout(pool, 'commit', (query) => query(text, values))
}

/** Runs `work` in a transaction that leaves no rows behind. */
export function rollBackAfter(pool: pg.Pool, work: (query: Query) => Promise<void>): Promise<void> {
  return withoutTimeout(pool, 'rollback', work)
}

async function withoutTimeout<Result>(
  pool: pg.Pool,
  end: 'commit' | 'rollback',
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin; set local statement_timeout = 0')
    const result = await work((text, values = []) => client.query(limited({ text, values }, 0)))
    await client.query(end)
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
