// The lanes through which every change of a transaction goes, chosen by account, so that what hits
// one account meets in one batch.

import type { Db } from '../postgres/database.ts'
import { Lane, type LaneEntry, type LaneLimits, type RunBatch } from '../postgres/lane.ts'
import { noPaymentRequests } from './payment-requests.ts'
import { type CommandResult, runBatch, type TransactionEntry } from './run-batch.ts'

// On two cores one lane beat two: a larger batch saves more than a second commit in flight gains.
const lane_count = 1

// 2 048 waiting changes are less than half a second of a busy server.
const limits: LaneLimits = {
  batch_max: 256,
  queue_max: 2_048,
  age_max_ms: 1_000,
  // Five batches of a busy server: whoever has an account for longer is no lane.
  skip_max_ms: 25,
  // As long as a lock is waited for.
  waiting_lane_age_max_ms: 3_000,
}

export type LaneOptions = Partial<LaneLimits> & { lane_count?: number }

/** Lanes of one kind of entry. A batch of theirs is run by whoever knows its commands. */
export class AccountLanes<Entry extends LaneEntry> {
  readonly #lanes: Lane<Entry, CommandResult>[]

  constructor(run: RunBatch<Entry, CommandResult>, options: LaneOptions) {
    const count = options.lane_count ?? lane_count
    this.#lanes = Array.from({ length: count }, () => new Lane(run, { ...limits, ...options }))
  }

  submit(entry: Entry): Promise<CommandResult> {
    return this.#laneOf(entry.account_id).submit(entry)
  }

  /** Whether a new request would only be refused. Asked before it is read or authenticated. */
  areFull(): boolean {
    return this.#lanes.every((lane) => lane.isFull())
  }

  /** Whether a change of this account might be refused, or wait for whoever has the account. */
  mayBeLate(account_id: string): boolean {
    const lane = this.#laneOf(account_id)
    return lane.isFull() || lane.hasWaitingLane(account_id)
  }

  /** How many wait for accounts that others have, and so for nobody here. */
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
  /** Without `payment_requests`, the id of one in the reference of a refund is plain text. */
  constructor(db: Db, options: LaneOptions = {}, payment_requests = noPaymentRequests) {
    super((entries, waits) => runBatch(db, entries, waits, payment_requests), options)
  }
}
