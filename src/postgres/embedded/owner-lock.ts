import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

// "florin" in ASCII. The maintenance database holds no other advisory lock.
const lock_key = '112615912270190'

/** The name under which a supervisor connects; it carries the pid that a refusal tells. */
export const supervisorName = `florin supervisor ${process.pid}`

// The lock of a process that was killed falls as soon as its backend reads the closed socket,
// which took under 10 ms when measured; a machine under load is given a hundred times as long.
const patience_ms = 1_000

/**
 * Takes the lock that tells an orphan from a living Florin. It lives as long as the connection,
 * so it falls when its holder dies in whatever way.
 */
export async function takeOwnerLock(client: pg.Client): Promise<void> {
  const deadline_ms = performance.now() + patience_ms
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
