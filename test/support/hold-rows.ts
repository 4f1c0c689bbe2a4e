// A second session in the database that holds locks, so that a request can be made to wait at a
// known place while something else happens.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Florin } from './florin.ts'

/**
 * Locks rows, starts `send`, waits until it waits for them, runs `meanwhile` in the session that
 * holds them and commits. Answers what `send` answered.
 */
export async function whileWaiting<Result>(
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
    await someoneWaits(florin)
    await meanwhile(holder)
    await holder.query('commit')
    return await sent
  } finally {
    await holder.end()
  }
}

async function someoneWaits(florin: Florin): Promise<void> {
  const text = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  for (let tries = 0; tries < 300; tries++) {
    if ((await florin.db.pool.query(text)).rowCount !== 0) return
    await sleep(10)
  }
  throw new Error('nobody waits for the lock')
}
