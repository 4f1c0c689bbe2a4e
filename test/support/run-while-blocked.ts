// Holds row locks in a second database session, so a request blocks at a known point while the test
// does something else.

import pg from 'pg'
import { waitForWaiters } from '../transactions/transaction-fixtures.ts'
import type { Florin } from './florin.ts'

/**
 * Locks rows, starts `send`, waits until it blocks on them, runs `meanwhile` in the session that
 * holds the locks, and commits. Returns the result of `send`.
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
    if (held.rowCount === 0) throw new Error('the statement locked no row')
    const sent = send()
    await waitForWaiters(florin)
    await meanwhile(holder)
    await holder.query('commit')
    return await sent
  } finally {
    await holder.end()
  }
}
