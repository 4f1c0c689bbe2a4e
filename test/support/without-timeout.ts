// Prepares many rows. Two cores shared by six test processes can need more than the five seconds
// that a statement of the server may take.

import type pg from 'pg'
import { limited } from '../../src/postgres/driver/client.ts'

export async function queryWithoutTimeout(
  pool: pg.Pool,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const client = await pool.connect()
  try {
    await client.query('begin; set local statement_timeout = 0')
    const result = await client.query(limited({ text, values }, 0))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
