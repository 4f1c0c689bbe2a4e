// Distributes background work among workers. A job is divided into slots, and the holder of a
// slot's lease runs it. Leases expire, so the slots of a killed worker are soon free again. They
// are renewed concurrently with the work, so a long round does not lose them.
//
// For a fair share, each worker also leases a seat. The number of taken seats is the number of
// workers, and slots are assigned to seats round-robin. There is no coordinator.
//
// A lease avoids duplicate effort; it does not guarantee correctness. Two workers may briefly
// work on the same slot, and their work must be safe in that case.

import type { Db } from '../postgres/database.ts'
import { newRealTimeUuid } from '../primitives/ids.ts'
import {
  insertLeases,
  type LeaseKey,
  releaseLeasesExcept,
  selectHeldLeases,
  takeLeases,
} from './queries.ts'

// After a crash another worker takes over within one lease and one heartbeat. Two heartbeats may
// fail or be late before a lease is lost. Each costs one small commit, negligible on an idle
// machine.
export const default_pace: LeasePace = { lease_ms: 6_000, heartbeat_ms: 2_000 }

export interface LeasePace {
  lease_ms: number
  heartbeat_ms: number
}

interface JobSlots {
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

  constructor(db: Db, jobs: JobSlots[], pace: LeasePace = default_pace) {
    this.#db = db
    this.#jobs = jobs
    this.#holder = newRealTimeUuid(Date.now())
    this.pace = pace
  }

  /** The slots of a job that this worker holds now. */
  slotsOf(name: string): number[] {
    if (performance.now() > this.#held_until_ms) return []
    return this.#held.filter((lease) => lease.name === name).map(({ slot }) => slot)
  }

  /** Renews leases, takes this worker's share, and releases surplus ones. */
  async heartbeat(): Promise<void> {
    // Two workers that start at once may choose the same seat: the slower one chooses again. An
    // attempt is also lost if another worker has just added the row of the seat.
    for (let attempts_left = 10; attempts_left > 0; attempts_left--) {
      const began_ms = performance.now()
      const wanted = await this.#choose()
      const hold = { holder: this.#holder, for_ms: this.pace.lease_ms }
      const held = await this.#take(wanted, hold)
      const surplus = this.#held.some((lease) => !includes(wanted, lease))
      this.#held = held
      this.#held_until_ms = began_ms + this.pace.lease_ms
      if (surplus) await releaseLeasesExcept(this.#db, this.#holder, wanted)
      if (wanted.every((lease) => !isSeat(lease) || includes(held, lease))) return
    }
  }

  /** Leases are added only if one was not taken: all exist soon after the first start. */
  async #take(wanted: LeaseKey[], hold: { holder: string; for_ms: number }): Promise<LeaseKey[]> {
    const held = await takeLeases(this.#db, wanted, hold)
    if (held.length === wanted.length || (await insertLeases(this.#db, wanted)) === 0) return held
    return takeLeases(this.#db, wanted, hold)
  }

  async drop(): Promise<void> {
    this.#held = []
    await releaseLeasesExcept(this.#db, this.#holder, [])
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

/** A seat, and the slots that are assigned to it round-robin. */
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

export function isSeat({ name }: { name: string }): boolean {
  return name.endsWith(seats_suffix)
}

function includes(leases: LeaseKey[], { name, slot }: LeaseKey): boolean {
  return leases.some((lease) => lease.name === name && lease.slot === slot)
}
