// Who does which part of the background work. A job is cut into slots, and the lease of a slot says
// which worker does it. Leases run out by themselves, so the slots of a worker that was killed are
// free again soon; they are renewed beside the work, so that long work does not lose them.
//
// For a fair share each worker also takes a seat, a lease too: the seats that are taken say how
// many workers there are, and the slots go round the table. Nobody is asked, and nobody decides.
//
// A lease saves work; it never makes anything right. Two workers may believe for a moment that they
// hold the same slot, and what they do must bear it.

import type { Db } from '../postgres/database.ts'
import { newRealTimeUuid } from '../primitives/ids.ts'
import { dropLeasesBut, type LeaseKey, selectHeldLeases, takeLeases } from './queries.ts'

// After a crash somebody else goes on in at most this time and a beat. Two beats may fail or come
// late before a lease is lost; each costs one small commit, which an idle machine hardly feels.
export const default_pace: LeasePace = { lease_ms: 6_000, heartbeat_ms: 2_000 }

export interface LeasePace {
  lease_ms: number
  heartbeat_ms: number
}

export interface JobSlots {
  name: string
  slots: number
}

export class Leases {
  readonly #db: Db
  readonly #jobs: JobSlots[]
  readonly #holder: string
  readonly pace: LeasePace
  #held: LeaseKey[] = []
  #held_until_ms = 0
  #heartbeat_ms = performance.now()

  constructor(db: Db, jobs: JobSlots[], pace: LeasePace = default_pace) {
    this.#db = db
    this.#jobs = jobs
    this.#holder = newRealTimeUuid(Date.now())
    this.pace = pace
  }

  /** The slots of a job that are this worker's now. */
  slotsOf(name: string): number[] {
    if (performance.now() > this.#held_until_ms) return []
    return this.#held.filter((lease) => lease.name === name).map(({ slot }) => slot)
  }

  /** Since the last beat that came through, or the beginning. */
  get since_heartbeat_ms(): number {
    return performance.now() - this.#heartbeat_ms
  }

  /** Renews, takes what is this worker's share, gives back what no longer is. */
  async heartbeat(): Promise<void> {
    // Two workers that come at once may choose the same seat: the slower one looks again.
    for (let attempts_left = 5; attempts_left > 0; attempts_left--) {
      const began_ms = performance.now()
      const wanted = await this.#choose()
      const hold = { holder: this.#holder, for_ms: this.pace.lease_ms }
      const held = await takeLeases(this.#db, wanted, hold)
      const surplus = this.#held.some((lease) => !includes(wanted, lease))
      this.#held = held
      this.#held_until_ms = began_ms + this.pace.lease_ms
      this.#heartbeat_ms = performance.now()
      if (surplus) await dropLeasesBut(this.#db, this.#holder, wanted)
      if (wanted.every((lease) => !isSeat(lease) || includes(held, lease))) return
    }
  }

  async drop(): Promise<void> {
    this.#held = []
    await dropLeasesBut(this.#db, this.#holder, [])
  }

  async #choose(): Promise<LeaseKey[]> {
    const shared = this.#jobs.filter(({ slots }) => slots > 1)
    const alone = this.#jobs.filter(({ slots }) => slots === 1)
    const names = shared.map(seatsOf)
    const { lease_ms } = this.pace
    const taken = names.length === 0 ? [] : await selectHeldLeases(this.#db, names, lease_ms)
    const shares = shared.flatMap((job) => {
      const seats = taken.filter(({ name }) => name === seatsOf(job))
      const own = seats.find(({ holder }) => holder === this.#holder)?.slot
      return shareOf(
        job,
        seats.map(({ slot }) => slot),
        own,
      )
    })
    return [...alone.map(({ name }) => ({ name, slot: 0 })), ...shares]
  }
}

/** A seat, and the slots that fall to it when they are dealt round. */
export function shareOf(job: JobSlots, taken: number[], own: number | undefined): LeaseKey[] {
  const seat = own ?? firstFree(taken)
  const seats = [...new Set([...taken, seat])].sort((one, other) => one - other)
  const at = seats.indexOf(seat)
  const slots = Array.from({ length: job.slots }, (_, slot) => slot)
  const share = slots.filter((slot) => slot % seats.length === at)
  return [{ name: seatsOf(job), slot: seat }, ...share.map((slot) => ({ name: job.name, slot }))]
}

function firstFree(taken: number[]): number {
  for (let seat = 0; ; seat++) if (!taken.includes(seat)) return seat
}

function seatsOf({ name }: { name: string }): string {
  return `${name}${seats_suffix}`
}

const seats_suffix = ' seats'

function isSeat({ name }: LeaseKey): boolean {
  return name.endsWith(seats_suffix)
}

function includes(leases: LeaseKey[], { name, slot }: LeaseKey): boolean {
  return leases.some((lease) => lease.name === name && lease.slot === slot)
}
