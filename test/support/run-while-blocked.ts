// A second session in the database that holds locks, so that a request can be made to wait at a
// known place while something else happens.

import pg from 'pg'
import { waitForWaiters } from '../transactions/transaction-fixtures.ts'
import type { Florin } from './florin.ts'

/**
 * Locks rows, starts `send`, waits until it waits for them, runs `meanwhile` in the session that
 * holds them and commits. Answers what `send` answered.
 */
export async function runWhileBlocked<Result>(
  florin: Florin,
  locking: pg.QueryConfig,
  send: () => Promise<Result>,
  meanwhile: (holder: pg.Client) => Promise<unknown>,
): Promise<Result> {
  const holder = new pg.Client({ ...florin.connection, pipeline: false } as pg.ClientConfig)
  await holder.connect()
  try {
    await holder.query('begin')
    const held = await holder.query(locking)
    if (held.rowCount === 0) throw new Error('there is no row to hold')
    const sent = send()
    await waitForWaiters(florin)
    await meanwhile(holder)
    await holder.query('commit')
    return await sent
  } finally {
    await holder.end()
  }
}
