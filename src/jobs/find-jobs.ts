// The state of background work, derived from the leases.

import type { Queryable } from '../postgres/database.ts'
import { toIso } from '../primitives/time.ts'
import { default_pace, isSeat } from './leases.ts'
import { selectJobLeases } from './queries.ts'

interface JobHealth {
  name: string
  /** How many of its slots are leased right now. */
  slots_held: number
  last_seen_at: string
}

interface WorkerHealth {
  running: boolean
  last_seen_at: string | null
  jobs: JobHealth[]
}

/** Leases are renewed for a fixed time, so the last renewal is the expiry minus that time. */
export async function findJobs(db: Queryable): Promise<WorkerHealth> {
  const leases = await selectJobLeases(db, default_pace.lease_ms)
  const seen = leases.map(({ held_until }) => held_until.getTime() - default_pace.lease_ms)
  return {
    running: leases.some(({ is_held }) => is_held),
    last_seen_at: seen.length === 0 ? null : toIso(Math.max(...seen)),
    jobs: leases
      // Seats only count the workers that share a job.
      .filter((lease) => !isSeat(lease))
      .map(({ name, slots, held_until }) => ({
        name,
        slots_held: slots,
        last_seen_at: toIso(held_until.getTime() - default_pace.lease_ms),
      })),
  }
}
