// Every change to a transaction goes through a lane. The account selects the lane, so concurrent
// changes to one account share a batch.

import { Lane, type LaneEntry, type LaneLimits, type RunBatch } from '../lanes/lane.ts'
import type { Db } from '../postgres/database.ts'
import { noPaymentRequests } from './payment-requests.ts'
import { type CommandResult, runBatch, type TransactionEntry } from './run-batch.ts'

// Measured on two cores, one lane is faster than two: larger batches gain more than a second
// concurrent commit.
const lane_count = 1

// A busy server processes 2,048 queued changes in less than half a second.
const limits: LaneLimits = {
  batch_max: 256,
  queue_max: 2_048,
  age_max_ms: 1_000,
  // The time of five batches on a busy server: a longer lock is not held by a lane.
  skip_max_ms: 25,
  // Equal to the lock timeout.
  waiting_lane_age_max_ms: 3_000,
}

export type LaneOptions = Partial<LaneLimits> & { lane_count?: number }

/** Lanes for one type of entry; `run` decides its batches. */
export class AccountLanes<Entry extends LaneEntry> {
  readonly #lanes: Lane<Entry, CommandResult>[]

  constructor(run: RunBatch<Entry, CommandResult>, options: LaneOptions) {
    const count = options.lane_count ?? lane_count
    this.#lanes = Array.from({ length: count }, () => new Lane(run, { ...limits, ...options }))
  }

  submit(entry: Entry): Promise<CommandResult> {
    return this.#laneOf(entry.account_id).submit(entry)
  }

  /** Whether a new request would be rejected. Checked before a request is read or authenticated. */
  areFull(): boolean {
    return this.#lanes.every((lane) => lane.isFull())
  }

  /** Whether a change to this account might be rejected, or wait for the account's lock. */
  mayBeLate(account_id: string): boolean {
    const lane = this.#laneOf(account_id)
    return lane.isFull() || lane.hasWaitingLane(account_id)
  }

  /** How many entries wait for accounts that are locked outside these lanes. */
  get in_waiting_lanes(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.in_waiting_lanes, 0)
  }

  get processed(): { batches: number; entries: number } {
    const all = this.#lanes.map((lane) => lane.processed)
    return {
      batches: all.reduce((sum, { batches }) => sum + batches, 0),
      entries: all.reduce((sum, { entries }) => sum + entries, 0),
    }
  }

  get waiting(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.length, 0)
  }

  #laneOf(account_id: string): Lane<Entry, CommandResult> {
    const digit = Number.parseInt(account_id.slice(-2), 16)
    return this.#lanes[digit % this.#lanes.length]!
  }
}

export class TransactionLanes extends AccountLanes<TransactionEntry> {
  /** Without `payment_requests`, a payment request id in a refund's reference is plain text. */
  constructor(db: Db, options: LaneOptions = {}, payment_requests = noPaymentRequests) {
    super((entries, waits) => runBatch(db, entries, waits, payment_requests), options)
  }
}
