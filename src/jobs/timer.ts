// Background work: a name, how often, and what. Each run takes the job's lease first, so of several
// workers one does it. This room knows no kinds of jobs; whoever has one registers it.

import type { Logger } from 'pino'
import type { Db } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { dropLeases, takeLease } from './queries.ts'

export interface Job {
  name: string
  every_ms: number
  run(db: Db): Promise<number>
}

export interface Timers {
  /** Waits for the work under way and gives the leases back. */
  stop(): Promise<void>
}

export function startTimers(db: Db, log: Logger, jobs: Job[]): Timers {
  const holder = newUuid(Date.now())
  const stopping = new AbortController()
  const loops = jobs.map((job) => loop(db, log, job, holder, stopping.signal))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await dropLeases(db, holder).catch(() => {})
    },
  }
}

async function loop(
  db: Db,
  log: Logger,
  job: Job,
  holder: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await runOnce(db, log, job, holder)
    } catch (error) {
      // The database may be away; the next round tries again.
      log.warn({ err: error, job: job.name }, 'job failed')
    }
    await pause(job.every_ms, signal)
  }
}

async function runOnce(db: Db, log: Logger, job: Job, holder: string): Promise<void> {
  // The lease outlives one pause, so that a holder at work is not overtaken between two rounds.
  const held_until = new Date(Date.now() + job.every_ms * 2)
  if (!(await takeLease(db, { name: job.name, slot: 0, holder, held_until }))) return
  const done = await job.run(db)
  if (done > 0) log.debug({ job: job.name, done }, 'job done')
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
