import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedDatabaseError } from './errors.ts'

// "florin" in ASCII. The maintenance database has no other advisory lock.
const lock_key = '112615912270190'

/** The application name of a supervisor. It contains the pid, for the error message below. */
export const supervisorName = `florin supervisor ${process.pid}`

// The lock of a killed process is released when its backend reads the closed socket. That took less
// than 10 ms when measured; this allows 100 times as long for a loaded machine.
const wait_max_ms = 1_000

/**
 * Takes the lock that shows whether a running Florin owns the server, or whether it is orphaned.
 * The lock belongs to the connection, so it is released however its holder ends.
 */
export async function takeOwnerLock(client: pg.Client): Promise<void> {
  const deadline_ms = performance.now() + wait_max_ms
  while (!(await tryLock(client))) {
    if (performance.now() > deadline_ms) throw await alreadyRunning(client)
    await sleep(50)
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const sql = 'select pg_try_advisory_lock($1) as taken'
  const { rows } = await client.query<{ taken: boolean }>(sql, [lock_key])
  return rows[0]?.taken === true
}

async function alreadyRunning(client: pg.Client): Promise<EmbeddedDatabaseError> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name
     from pg_locks l
     join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory'
       and l.granted
       and a.datname = current_database()`,
  )
  const pid = /\d+$/.exec(rows[0]?.application_name ?? '')?.[0]
  return new EmbeddedDatabaseError(
    `Florin is already running on this data directory${pid ? ` (pid ${pid})` : ''}. ` +
      'Stop it first, or set FLORIN_DATA to another directory.',
  )
}
