// A lane turns concurrent changes into batches, and each batch into one database transaction. It
// sends at once when idle; entries that arrive while a batch is in flight form the next one. No
// timer adds latency. The queue is bounded in length and in age (backpressure): under overload some
// requests are rejected at once and the rest are served in time.
//
// Background entries have a separate queue. They never make the lane look full and do not count
// toward an account's share, and they take at most a quarter of a batch.
//
// A batch skips accounts that another transaction has locked, so one slow account never blocks the
// others. Skipped entries are retried with the next batches, because most locks last milliseconds.
// After `skip_max_ms` the account gets a waiting lane, which waits for the lock and exists until it
// is empty.

import { isRetryable } from '../postgres/failure.ts'
import { Refusal, tooBusy } from '../primitives/refusal.ts'

export interface LaneLimits {
  batch_max: number
  queue_max: number
  /** An entry that has waited longer is rejected: its client has timed out or soon will. */
  age_max_ms: number
  /** How long an account may be skipped before it gets a waiting lane. */
  skip_max_ms: number
  /** Like age_max_ms, for waiting lanes. Higher, because their entries block no other account. */
  waiting_lane_age_max_ms: number
}

export interface LaneEntry {
  account_id: string
  /** Background work, which must not crowd out requests: at most a quarter of a batch. */
  background: boolean
  /** False once the client has disconnected. */
  isWanted(): boolean
  /** For effects that already happened elsewhere, such as a card charge: retried, not rejected. */
  must_run?: true
}

/**
 * A value, the error of one entry, or `locked_elsewhere` if another transaction has the account
 * lock and nothing was decided.
 */
export type Outcome<Value> = { value: Value } | { error: unknown } | typeof locked_elsewhere

export const locked_elsewhere = { locked_elsewhere: true } as const

/** If `waits`, waits for account locks; otherwise skips accounts that are locked elsewhere. */
export type RunBatch<Entry, Value> = (entries: Entry[], waits: boolean) => Promise<Outcome<Value>[]>

interface QueuedEntry<Entry, Value> {
  entry: Entry
  since: number
  resolve(value: Value): void
  reject(error: unknown): void
}

// Pause after a batch that found every account locked. A shorter one only loads the database.
const pause_ms = 2
// Pause before a `must_run` entry is retried after a failure, unless another entry arrives.
const failure_pause_ms = 250

export class Lane<Entry extends LaneEntry, Value> {
  readonly #run: RunBatch<Entry, Value>
  readonly #limits: LaneLimits
  readonly #by_account = new Map<string, number>()
  /** Lanes of accounts that are locked elsewhere. */
  readonly #waiting_lanes = new Map<string, Lane<Entry, Value>>()
  #processed = { batches: 0, entries: 0 }
  #queue: QueuedEntry<Entry, Value>[] = []
  #background: QueuedEntry<Entry, Value>[] = []
  #busy = false
  #in_flight = 0
  /** How long to pause after the last batch; 0 if it made progress. */
  #pause_ms = 0
  /** Ends the current pause. */
  #resume: (() => void) | undefined
  /** In a waiting lane: called when it is empty. */
  #end: (() => unknown) | undefined
  /** Accounts that the last batch skipped, and since when they have been skipped. */
  #skipped_since = new Map<string, number>()

  constructor(run: RunBatch<Entry, Value>, limits: LaneLimits) {
    this.#run = run
    this.#limits = limits
  }

  get length(): number {
    let length = this.#queue.length + this.#background.length
    for (const lane of this.#waiting_lanes.values()) length += lane.length
    return length
  }

  /** How many entries are in waiting lanes, including those in flight. */
  get in_waiting_lanes(): number {
    let count = 0
    for (const lane of this.#waiting_lanes.values()) count += lane.length + lane.#in_flight
    return count
  }

  /** Whether changes to this account wait for its lock and may take a long time. */
  hasWaitingLane(account_id: string): boolean {
    return this.#waiting_lanes.has(account_id)
  }

  /** Totals since the start, for metrics. */
  get processed(): { batches: number; entries: number } {
    return { ...this.#processed }
  }

  /** Checked before a request is read: whether it would be rejected anyway. */
  isFull(): boolean {
    const oldest = this.#queue[0]
    if (this.#queue.length >= this.#limits.queue_max) return true
    return oldest !== undefined && performance.now() - oldest.since > this.#limits.age_max_ms
  }

  submit(entry: Entry): Promise<Value> {
    // Entries of one account stay in order of arrival.
    const waiting_lane = this.#waiting_lanes.get(entry.account_id)
    if (waiting_lane !== undefined) return waiting_lane.submit(entry)
    if (entry.background) return this.#submitBackground(entry)
    const of_account = this.#by_account.get(entry.account_id) ?? 0
    // One account may fill at most half of the queue.
    const has_room = !this.isFull() && of_account < this.#limits.queue_max / 2
    if (!has_room && !entry.must_run) throw tooBusy()
    return new Promise((resolve, reject) => {
      this.#by_account.set(entry.account_id, of_account + 1)
      this.#queue.push({ entry, since: performance.now(), resolve, reject })
      this.#wake()
    })
  }

  #submitBackground(entry: Entry): Promise<Value> {
    if (this.#background.length >= this.#limits.queue_max) throw tooBusy()
    return new Promise((resolve, reject) => {
      this.#background.push({ entry, since: performance.now(), resolve, reject })
      this.#wake()
    })
  }

  #wake(): void {
    if (this.#busy) {
      this.#resume?.()
      return
    }
    this.#busy = true
    // Requests that arrived in the same socket read form one batch.
    setImmediate(() => this.#drain())
  }

  async #drain(): Promise<void> {
    let settlePrevious = () => {}
    while (this.#queue.length + this.#background.length > 0) {
      const batch = this.#take()
      if (batch.length === 0) continue
      const running = this.#start(batch)
      // After this batch has been sent: the database works on it while the previous batch settles.
      setImmediate(settlePrevious)
      settlePrevious = await running
      if (this.#pause_ms > 0) {
        settlePrevious()
        settlePrevious = () => {}
        await this.#pause()
      }
    }
    settlePrevious()
    this.#busy = false
    this.#end?.()
  }

  #take(): QueuedEntry<Entry, Value>[] {
    const { batch_max, age_max_ms } = this.#limits
    const oldest_allowed = performance.now() - age_max_ms
    const background = this.#takeBackground()
    const room = Math.max(1, batch_max - background.length)
    const taken: QueuedEntry<Entry, Value>[] = []
    const left: QueuedEntry<Entry, Value>[] = []
    for (const item of this.#queue) {
      if (taken.length >= room) {
        left.push(item)
        continue
      }
      this.#forget(item)
      if (!item.entry.isWanted()) item.reject(unwanted())
      else if (item.since < oldest_allowed && !item.entry.must_run) item.reject(tooBusy())
      else taken.push(item)
    }
    this.#queue = left
    // After the requests: a cancellation wins over a settlement in the same batch.
    taken.push(...background)
    return taken
  }

  #takeBackground(): QueuedEntry<Entry, Value>[] {
    if (this.#background.length === 0) return []
    const taken: QueuedEntry<Entry, Value>[] = []
    const quarter = Math.max(1, Math.floor(this.#limits.batch_max / 4))
    let seen = 0
    for (const item of this.#background) {
      if (taken.length >= quarter) break
      seen += 1
      if (item.entry.isWanted()) taken.push(item)
      else item.reject(unwanted())
    }
    this.#background = this.#background.slice(seen)
    return taken
  }

  #remember({ entry: { account_id, background } }: QueuedEntry<Entry, Value>): void {
    if (background) return
    this.#by_account.set(account_id, (this.#by_account.get(account_id) ?? 0) + 1)
  }

  #forget({ entry }: QueuedEntry<Entry, Value>): void {
    const left = (this.#by_account.get(entry.account_id) ?? 1) - 1
    if (left === 0) this.#by_account.delete(entry.account_id)
    else this.#by_account.set(entry.account_id, left)
  }

  /** Runs a batch. Returns a function that settles its promises. */
  async #start(batch: QueuedEntry<Entry, Value>[]): Promise<() => void> {
    const waits = this.#end !== undefined
    const entries = batch.map((item) => item.entry)
    this.#processed.batches += 1
    this.#processed.entries += batch.length
    this.#in_flight = batch.length
    let outcomes: Outcome<Value>[]
    try {
      outcomes = await this.#run(entries, waits)
      const skipped = batch.filter((_, at) => outcomes[at] === locked_elsewhere)
      this.#putBack(skipped)
      this.#pause_ms = skipped.length === batch.length ? pause_ms : 0
    } catch (error) {
      outcomes = batch.map(() => ({ error }))
      this.#skipped_since.clear()
      this.#pause_ms = 0
      // The lock timed out. Background entries would only wait as long again; jobs find them later.
      if (waits) for (const item of this.#background.splice(0)) item.reject(error)
    }
    this.#in_flight = 0
    this.#requeueFailed(batch, outcomes)
    return () => {
      batch.forEach((item, at) => {
        settle(item, outcomes[at]!)
      })
    }
  }

  /** Puts failed `must_run` entries back to the front, with their promises still pending. */
  #requeueFailed(batch: QueuedEntry<Entry, Value>[], outcomes: Outcome<Value>[]): void {
    const failed = batch.filter(({ entry }, at) => {
      const outcome = outcomes[at]!
      const retries = entry.must_run && 'error' in outcome && isRetryable(outcome.error)
      if (retries) outcomes[at] = locked_elsewhere
      return retries
    })
    if (failed.length === 0) return
    for (const item of failed) {
      this.#remember(item)
      item.since = performance.now()
    }
    // Other entries are not delayed by the pause: they run, or fail, at once.
    if (this.#queue.length === 0) this.#pause_ms = failure_pause_ms
    this.#queue.unshift(...failed)
  }

  /** Waits until another entry arrives, at most `#pause_ms`. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#resume?.(), this.#pause_ms)
      this.#resume = () => {
        clearTimeout(timer)
        this.#resume = undefined
        resolve()
      }
    })
  }

  /** To the front of the queue, or to a waiting lane if the account has been skipped too long. */
  #putBack(skipped: QueuedEntry<Entry, Value>[]): void {
    if (skipped.length === 0 && this.#skipped_since.size === 0) return
    const now = performance.now()
    const before = this.#skipped_since
    this.#skipped_since = new Map()
    const retried: QueuedEntry<Entry, Value>[] = []
    const to_waiting_lanes = new Map<string, QueuedEntry<Entry, Value>[]>()
    for (const item of skipped) {
      const { account_id } = item.entry
      const since = before.get(account_id) ?? now
      if (now - since < this.#limits.skip_max_ms) {
        this.#skipped_since.set(account_id, since)
        retried.push(item)
      } else {
        to_waiting_lanes.set(account_id, [...(to_waiting_lanes.get(account_id) ?? []), item])
      }
    }
    for (const item of retried) this.#remember(item)
    // The age restarts after an attempt, so that a brief stall of the machine causes no rejections.
    for (const item of skipped) item.since = now
    this.#processed.entries -= skipped.length
    this.#queue.unshift(...retried.filter(({ entry }) => !entry.background))
    this.#background.unshift(...retried.filter(({ entry }) => entry.background))
    for (const [account_id, items] of to_waiting_lanes) this.#openWaitingLane(account_id, items)
  }

  #openWaitingLane(account_id: string, first: QueuedEntry<Entry, Value>[]): void {
    const isOf = ({ entry }: QueuedEntry<Entry, Value>) => entry.account_id === account_id
    const all = [...first, ...this.#queue.filter(isOf), ...this.#background.filter(isOf)]
    this.#queue = this.#queue.filter((item) => !isOf(item))
    this.#background = this.#background.filter((item) => !isOf(item))
    this.#by_account.delete(account_id)
    const lane = new Lane(this.#run, {
      ...this.#limits,
      age_max_ms: this.#limits.waiting_lane_age_max_ms,
    })
    lane.#processed = this.#processed
    lane.#end = () => this.#waiting_lanes.delete(account_id)
    for (const item of all) lane.#remember(item)
    lane.#queue = all.filter(({ entry }) => !entry.background)
    lane.#background = all.filter(({ entry }) => entry.background)
    this.#waiting_lanes.set(account_id, lane)
    lane.#wake()
  }
}

function settle<Value>(item: QueuedEntry<unknown, Value>, outcome: Outcome<Value>): void {
  if ('value' in outcome) item.resolve(outcome.value)
  else if ('error' in outcome) item.reject(outcome.error)
}

function unwanted(): Refusal {
  return new Refusal('unavailable', 'The client has disconnected.')
}
