// The worker process, composed: which background work there is. Several may run; leases decide who
// does what.

import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Job, startTimers } from './jobs/timer.ts'
import { openDatabase } from './postgres/database.ts'
import { joinPostgres } from './postgres/open-postgres.ts'
import { sweepSessions } from './sessions/sweep-sessions.ts'
import { sweepThrottle } from './sign-in/sweep-throttle.ts'

const minute_ms = 60_000

const jobs: Job[] = [
  { name: 'sweep_sessions', every_ms: 10 * minute_ms, run: sweepSessions },
  { name: 'sweep_throttle', every_ms: 10 * minute_ms, run: sweepThrottle },
]

export interface RunningWorker {
  close(): Promise<void>
}

export async function startWorker(config: Config, log: Logger): Promise<RunningWorker> {
  const postgres = await joinPostgres(config)
  const db = openDatabase(postgres.connection, { clients_max: 4 })
  const timers = startTimers(db, log, jobs)
  return {
    async close() {
      await timers.stop()
      await db.close()
      await postgres.stop()
    },
  }
}
