// Runs background jobs at intervals. Each round gets the slots whose leases this worker holds, so
// several workers share the work. This folder is independent of the jobs; worker.ts lists them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../postgres/database.ts'
import { type LeasePace, Leases } from './leases.ts'

export interface Job {
  name: string
  every_ms: number
  /** How many parts the work has, so that several workers can share it; default 1. */
  slots?: number
  run(db: Db, context: JobContext): Promise<JobResult>
}

export interface JobContext {
  /** The slots that this worker holds now. */
  slots: number[]
  /** Aborted when the worker stops: work that has not started is left to the next round. */
  signal: AbortSignal
}

export interface JobResult {
  done: number
  /** Whether to run the next round at once instead of after the pause. */
  more: boolean
}

interface Timers {
  /** Waits for running work, then releases the leases. */
  stop(): Promise<void>
}

export function startTimers(db: Db, log: Logger, jobs: Job[], pace?: LeasePace): Timers {
  const slotted = jobs.map(({ name, slots = 1 }) => ({ name, slots }))
  const leases = new Leases(db, slotted, pace)
  const working = new AbortController()
  const holding = new AbortController()
  const first_heartbeat = heartbeat(leases, log)
  const heartbeats = first_heartbeat.then(() => sendHeartbeats(leases, log, holding.signal))
  const loops = jobs.map(async (job) => {
    await first_heartbeat
    await loop({ db, log, leases }, job, working.signal)
  })
  return {
    async stop() {
      working.abort()
      await Promise.all(loops)
      // Only now: the leases are renewed until all work is done.
      holding.abort()
      await heartbeats
      await leases.drop().catch(() => {})
    },
  }
}

async function sendHeartbeats(leases: Leases, log: Logger, signal: AbortSignal): Promise<void> {
  let succeeded = true
  while (!signal.aborted) {
    await pause(leases.pace.heartbeat_ms, signal)
    if (signal.aborted) return
    succeeded = await heartbeat(leases, succeeded ? log : undefined)
  }
}

/** During an outage only the first failure is logged; the next heartbeat retries. */
async function heartbeat(leases: Leases, log: Logger | undefined): Promise<boolean> {
  try {
    await leases.heartbeat()
    return true
  } catch (error) {
    log?.warn({ err: error }, 'failed to renew leases')
    return false
  }
}

interface Worker {
  db: Db
  log: Logger
  leases: Leases
}

async function loop(worker: Worker, job: Job, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const more = await runOnce(worker, job, signal).catch((error) => {
      // The database may be down; the next round retries.
      worker.log.warn({ err: error, job: job.name }, 'job failed')
      return false
    })
    if (!more) await pause(job.every_ms, signal)
  }
}

async function runOnce({ db, log, leases }: Worker, job: Job, signal: AbortSignal) {
  const slots = leases.slotsOf(job.name)
  if (slots.length === 0) return false
  const { done, more } = await job.run(db, { slots, signal })
  if (done > 0) log.debug({ job: job.name, done }, 'job done')
  return more
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
