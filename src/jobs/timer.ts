// Background work: a name, how often, and what. Each round is done with the slots whose leases this
// worker holds, so several workers share it. This room knows no kinds of jobs; whoever has one
// registers it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../postgres/database.ts'
import { type LeasePace, Leases } from './leases.ts'

export interface Job {
  name: string
  every_ms: number
  /** Into how many parts the work is cut, so that several workers can share it: one unless told. */
  slots?: number
  run(db: Db, turn: JobContext): Promise<JobResult>
}

export interface JobContext {
  /** The parts that are this worker's now. */
  slots: number[]
  /** Aborted when the worker stops: what has not begun is left to the next. */
  signal: AbortSignal
}

export interface JobResult {
  done: number
  /** Whether to go on at once instead of after the pause. */
  more: boolean
}

export interface Timers {
  /** For how long no beat has come through: the database is away, or hardly there. */
  readonly since_heartbeat_ms: number
  /** Waits for the work under way and gives the leases back. */
  stop(): Promise<void>
}

export function startTimers(db: Db, log: Logger, jobs: Job[], pace?: LeasePace): Timers {
  const slotted = jobs.map(({ name, slots = 1 }) => ({ name, slots }))
  const leases = new Leases(db, slotted, pace)
  const working = new AbortController()
  const holding = new AbortController()
  const first_beat = heartbeat(leases, log)
  const beats = first_beat.then(() => keepBeating(leases, log, holding.signal))
  const loops = jobs.map(async (job) => {
    await first_beat
    await loop({ db, log, leases }, job, working.signal)
  })
  return {
    get since_heartbeat_ms() {
      return leases.since_heartbeat_ms
    },
    async stop() {
      working.abort()
      await Promise.all(loops)
      // Only now: the leases are renewed until the last work is done.
      holding.abort()
      await beats
      await leases.drop().catch(() => {})
    },
  }
}

async function keepBeating(leases: Leases, log: Logger, signal: AbortSignal): Promise<void> {
  let was_well = true
  while (!signal.aborted) {
    await pause(leases.pace.heartbeat_ms, signal)
    if (signal.aborted) return
    was_well = await heartbeat(leases, was_well ? log : undefined)
  }
}

/** The database may be away; that is told once, and the next beat tries again. */
async function heartbeat(leases: Leases, log: Logger | undefined): Promise<boolean> {
  try {
    await leases.heartbeat()
    return true
  } catch (error) {
    log?.warn({ err: error }, 'leases could not be renewed')
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
      // The database may be away; the next round tries again.
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
