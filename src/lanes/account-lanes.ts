// The lanes of one noun. Each shard has separate lanes, because a database transaction within one
// shard needs no two-phase commit. A plain PostgreSQL is one shard.

import { Shards } from '../postgres/shards.ts'
import type { Processed } from './lane.ts'
import type { BatchRunners, LaneEntry } from './lane-entry.ts'
import { type LaneLimits, ShardLanes } from './shard-lanes.ts'
import type { TraceBatch } from './trace-batch.ts'

export interface LaneOptions extends Partial<LaneLimits> {
  /** Absent unless traces are recorded. */
  trace?: TraceBatch | undefined
}

// A busy server processes 2,048 queued changes in less than half a second.
const default_limits: LaneLimits = {
  batch_max: 256,
  queue_max: 2_048,
  age_max_ms: 1_000,
  // The time of five batches on a busy server: a longer lock is not held by a lane.
  skip_max_ms: 25,
  // Equal to the lock timeout.
  waiting_lane_age_max_ms: 3_000,
}

export class AccountLanes<Entry extends LaneEntry, Value> {
  readonly #runners: BatchRunners<Entry, Value>
  readonly #limits: LaneLimits
  readonly #processed: Processed = { batches: 0, entries: 0 }
  readonly #trace: TraceBatch | undefined
  readonly #shards: Shards
  /** By shard. A shard that is split keeps its lanes, and the other part gets new ones. */
  readonly #lanes = new Map<number, ShardLanes<Entry, Value>>()

  constructor(runners: BatchRunners<Entry, Value>, { trace, ...limits }: LaneOptions = {}) {
    this.#runners = runners
    this.#limits = { ...default_limits, ...limits }
    this.#trace = trace
    this.#shards = runners.shards ?? new Shards()
  }

  submit(entry: Entry): Promise<Value> {
    return this.#lanesOf(entry.account_id).submit(entry)
  }

  /**
   * Whether a new request would be rejected, whichever its account. Checked before a request is
   * read or authenticated.
   */
  areFull(): boolean {
    if (this.#lanes.size < this.#shards.count) return false
    return this.#lanes.values().every((lanes) => lanes.areFull())
  }

  /** Whether a change to this account might be rejected, or wait for the account's lock. */
  mayBeLate(account_id: string): boolean {
    return this.#lanesOf(account_id).mayBeLate(account_id)
  }

  get processed(): Processed {
    return { ...this.#processed }
  }

  /** How many entries are queued. */
  get waiting(): number {
    return this.#lanes.values().reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** The weight of the entries in waiting lanes, including those in flight. */
  get in_waiting_lanes(): number {
    return this.#lanes.values().reduce((sum, lanes) => sum + lanes.in_waiting_lanes, 0)
  }

  #lanesOf(account_id: string): ShardLanes<Entry, Value> {
    const shard = this.#shards.shardOf(account_id)
    let lanes = this.#lanes.get(shard)
    if (lanes === undefined) {
      lanes = new ShardLanes(this.#runners, this.#limits, this.#processed, this.#trace)
      this.#lanes.set(shard, lanes)
    }
    return lanes
  }
}
