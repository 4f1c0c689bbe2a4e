// The lanes of one noun and one shard: a shared lane for all accounts, and a waiting lane for each
// account that another transaction has locked for a while. One shared lane is faster than two on
// two cores: larger batches gain more than a second concurrent commit.
//
// A batch of the shared lane skips locked accounts, so one slow account never blocks the others.
// Skipped entries are retried with the next batches, because most locks last milliseconds. After
// `skip_max_ms` the account gets a waiting lane, which waits for the lock and exists until it is
// empty.

import type { QueuedEntry, QueueLimits } from './entry-queue.ts'
import { Lane, type Processed } from './lane.ts'
import type { BatchRunners, LaneEntry } from './lane-entry.ts'
import type { TraceBatch } from './trace-batch.ts'

export interface LaneLimits extends QueueLimits {
  /** How long an account may be skipped before it gets a waiting lane. */
  skip_max_ms: number
  /** Like age_max_ms, for waiting lanes. Higher, because their entries block no other account. */
  waiting_lane_age_max_ms: number
}

export class ShardLanes<Entry extends LaneEntry, Value> {
  readonly #runners: BatchRunners<Entry, Value>
  readonly #limits: LaneLimits
  readonly #processed: Processed
  readonly #trace: TraceBatch | undefined
  readonly #shared: Lane<Entry, Value>
  readonly #waiting = new Map<string, Lane<Entry, Value>>()
  /** Accounts that the last batch skipped, and since when they have been skipped. */
  #skipped_since = new Map<string, number>()

  /** `processed` is counted up. */
  constructor(
    runners: BatchRunners<Entry, Value>,
    limits: LaneLimits,
    processed: Processed,
    trace: TraceBatch | undefined,
  ) {
    this.#runners = runners
    this.#limits = limits
    this.#processed = processed
    this.#trace = trace
    this.#shared = new Lane({
      run: runners.skipping,
      limits: this.#limits,
      processed: this.#processed,
      onSkipped: (skipped) => this.#putBack(skipped),
      onFailure: () => this.#skipped_since.clear(),
      trace,
    })
  }

  submit(entry: Entry): Promise<Value> {
    // Entries of one account stay in order of arrival.
    return (this.#waiting.get(entry.account_id) ?? this.#shared).submit(entry)
  }

  /** Whether a new request would be rejected. */
  areFull(): boolean {
    return this.#shared.queue.isFull()
  }

  /** Whether a change to this account might be rejected, or wait for the account's lock. */
  mayBeLate(account_id: string): boolean {
    return this.areFull() || this.#waiting.has(account_id)
  }

  /** How many entries are queued. */
  get waiting(): number {
    return this.#waiting
      .values()
      .reduce((sum, { queue }) => sum + queue.length, this.#shared.queue.length)
  }

  /** The weight of the entries in waiting lanes, including those in flight. */
  get in_waiting_lanes(): number {
    return this.#waiting.values().reduce((sum, lane) => sum + lane.queue.weight + lane.in_flight, 0)
  }

  /** To the front of the queue, or to a waiting lane if the account has been skipped too long. */
  #putBack(skipped: QueuedEntry<Entry, Value>[]): void {
    if (skipped.length === 0 && this.#skipped_since.size === 0) return
    const now = performance.now()
    const before = this.#skipped_since
    const sinceOf = (account_id: string) => before.get(account_id) ?? now
    // The age restarts after an attempt, so that a brief stall of the machine causes no rejections.
    for (const item of skipped) item.since = now
    const retried = skipped.filter(
      ({ entry }) => now - sinceOf(entry.account_id) < this.#limits.skip_max_ms,
    )
    this.#skipped_since = new Map(
      retried.map(({ entry: { account_id } }) => [account_id, sinceOf(account_id)]),
    )
    this.#shared.queue.putFirst(retried)
    const late = skipped.filter(({ entry }) => !this.#skipped_since.has(entry.account_id))
    for (const [account_id, items] of Map.groupBy(late, ({ entry }) => entry.account_id)) {
      this.#openWaitingLane(account_id, items)
    }
  }

  #openWaitingLane(account_id: string, skipped: QueuedEntry<Entry, Value>[]): void {
    const lane = new Lane<Entry, Value>({
      run: this.#runners.waiting,
      limits: { ...this.#limits, age_max_ms: this.#limits.waiting_lane_age_max_ms },
      processed: this.#processed,
      // The lock timed out. Background entries would only wait as long again; jobs find them later.
      onFailure: (error) => lane.queue.rejectBackground(error),
      onIdle: () => this.#waiting.delete(account_id),
      trace: this.#trace,
    })
    lane.queue.putFirst([...skipped, ...this.#shared.queue.removeAccount(account_id)])
    this.#waiting.set(account_id, lane)
    lane.wake()
  }
}
