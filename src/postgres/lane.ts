// A lane turns concurrent changes into batches, and each batch into one database transaction. It
// sends at once when idle; what comes while a batch is in flight waits and becomes the next one.
// There is no timer, and no added wait. The queue is bounded in length and in age, so that under
// too much load some are refused at once and the rest are served in time.
//
// Work of our own waits in a queue of its own: however much of it there is, it neither makes the
// lane look full nor uses up an account's share, and a batch holds a quarter of it at the most.
//
// A batch passes by accounts that somebody else has locked, so that nobody waits for another's
// account. What was skipped is tried again with the next batches, because most locks last only
// milliseconds; after a while the account has a lane of its own, which waits for the lock, until
// nothing of it is left there.

import { Refusal } from '../primitives/refusal.ts'
import { isRetryable } from './failure.ts'

export interface LaneLimits {
  batch_max: number
  queue_max: number
  /** Whoever has waited this long has given up or soon will: the answer would come too late. */
  age_max_ms: number
  /** For how long an account may be skipped before it is waited for aside. */
  skip_max_ms: number
  /** As age_max_ms, for those behind whoever waits for an account: they are in nobody's way. */
  waiting_lane_age_max_ms: number
}

export interface LaneEntry {
  account_id: string
  /** Work of our own, which may never crowd requests out: a quarter of a batch at most. */
  background: boolean
  /** False once the client has gone: nobody would read the answer. */
  isWanted(): boolean
  /** For what happened elsewhere already, such as a charged card: not refused, but tried again. */
  must_run?: true
}

/**
 * A value, the refusal of one entry among others that went through, or that somebody else has its
 * account: then nothing was decided.
 */
export type Outcome<Value> = { value: Value } | { error: unknown } | typeof locked_elsewhere

export const locked_elsewhere = { locked_elsewhere: true } as const

/** `waits` for the accounts of its entries, or else passes by those that others have. */
export type RunBatch<Entry, Value> = (entries: Entry[], waits: boolean) => Promise<Outcome<Value>[]>

interface QueuedEntry<Entry, Value> {
  entry: Entry
  since: number
  resolve(value: Value): void
  reject(error: unknown): void
}

// Between two batches that found every account taken: less would only keep the database busy.
const pause_ms = 2
// Before what must run is tried again after trouble, unless something else comes.
const failure_pause_ms = 250

export class Lane<Entry extends LaneEntry, Value> {
  readonly #run: RunBatch<Entry, Value>
  readonly #limits: LaneLimits
  readonly #by_account = new Map<string, number>()
  /** Lanes of accounts that somebody else has. */
  readonly #waiting_lanes = new Map<string, Lane<Entry, Value>>()
  #processed = { batches: 0, entries: 0 }
  #queue: QueuedEntry<Entry, Value>[] = []
  #background: QueuedEntry<Entry, Value>[] = []
  #busy = false
  #under_way = 0
  /** How long to rest after the last batch, which could do nothing. */
  #rest_ms = 0
  /** Ends the pause that the lane is in. */
  #goOn: (() => void) | undefined
  /** For the lane of one account: what to do when nothing of it is left. */
  #end: (() => unknown) | undefined
  /** Accounts that the last batch skipped, and since when they have been. */
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

  /** How many wait for accounts that somebody else has, those under way there among them. */
  get in_waiting_lanes(): number {
    let aside = 0
    for (const lane of this.#waiting_lanes.values()) aside += lane.length + lane.#under_way
    return aside
  }

  /** Whether this account is waited for: then it may be long until something of it is done. */
  hasWaitingLane(account_id: string): boolean {
    return this.#waiting_lanes.has(account_id)
  }

  /** What has gone through since the start, for those who watch. */
  get processed(): { batches: number; entries: number } {
    return { ...this.#processed }
  }

  /** Asked before a request is read: whether it would be refused anyway. */
  isFull(): boolean {
    const oldest = this.#queue[0]
    if (this.#queue.length >= this.#limits.queue_max) return true
    return oldest !== undefined && performance.now() - oldest.since > this.#limits.age_max_ms
  }

  submit(entry: Entry): Promise<Value> {
    // Behind those of its account that came before it.
    const aside = this.#waiting_lanes.get(entry.account_id)
    if (aside !== undefined) return aside.submit(entry)
    if (entry.background) return this.#submitBackground(entry)
    const of_account = this.#by_account.get(entry.account_id) ?? 0
    // One account under siege leaves half of the queue to all others.
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
      this.#goOn?.()
      return
    }
    this.#busy = true
    // The requests that arrived in the same read of the sockets go together.
    setImmediate(() => this.#drain())
  }

  async #drain(): Promise<void> {
    let response = () => {}
    while (this.#queue.length + this.#background.length > 0) {
      const batch = this.#take()
      if (batch.length === 0) continue
      const running = this.#start(batch)
      // Not before this batch has left: the database works on it while the last one is answered.
      setImmediate(response)
      response = await running
      if (this.#rest_ms > 0) {
        response()
        response = () => {}
        await this.#pause()
      }
    }
    response()
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
    // Behind the requests: who cancels in the very moment of settling is the faster one.
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

  /** Runs them, and gives what is left to do then: to tell each how it went. */
  async #start(batch: QueuedEntry<Entry, Value>[]): Promise<() => void> {
    const waits = this.#end !== undefined
    const entries = batch.map((item) => item.entry)
    this.#processed.batches += 1
    this.#processed.entries += batch.length
    this.#under_way = batch.length
    let outcomes: Outcome<Value>[]
    try {
      outcomes = await this.#run(entries, waits)
      const skipped = batch.filter((_, at) => outcomes[at] === locked_elsewhere)
      this.#putBack(skipped)
      this.#rest_ms = skipped.length === batch.length ? pause_ms : 0
    } catch (error) {
      outcomes = batch.map(() => ({ error }))
      this.#skipped_since.clear()
      this.#rest_ms = 0
      // It was not had in time. Work of our own is found again later, and would wait as long again.
      if (waits) for (const item of this.#background.splice(0)) item.reject(error)
    }
    this.#under_way = 0
    this.#tryAgain(batch, outcomes)
    return () => {
      batch.forEach((item, at) => {
        tell(item, outcomes[at]!)
      })
    }
  }

  /** What must run goes back in front, and is told nothing yet. */
  #tryAgain(batch: QueuedEntry<Entry, Value>[], outcomes: Outcome<Value>[]): void {
    const again = batch.filter(({ entry }, at) => {
      const outcome = outcomes[at]!
      const may = entry.must_run && 'error' in outcome && isRetryable(outcome.error)
      if (may) outcomes[at] = locked_elsewhere
      return may
    })
    if (again.length === 0) return
    for (const item of again) {
      this.#remember(item)
      item.since = performance.now()
    }
    // Others who wait are not kept waiting for it: they are told of the trouble, or served.
    if (this.#queue.length === 0) this.#rest_ms = failure_pause_ms
    this.#queue.unshift(...again)
  }

  /** Until something else comes, or a moment has gone by. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#goOn?.(), this.#rest_ms)
      this.#goOn = () => {
        clearTimeout(timer)
        this.#goOn = undefined
        resolve()
      }
    })
  }

  /** In front of all others, or aside when their account has been skipped for too long. */
  #putBack(skipped: QueuedEntry<Entry, Value>[]): void {
    if (skipped.length === 0 && this.#skipped_since.size === 0) return
    const now = performance.now()
    const before = this.#skipped_since
    this.#skipped_since = new Map()
    const again: QueuedEntry<Entry, Value>[] = []
    const aside = new Map<string, QueuedEntry<Entry, Value>[]>()
    for (const item of skipped) {
      const { account_id } = item.entry
      const since = before.get(account_id) ?? now
      if (now - since < this.#limits.skip_max_ms) {
        this.#skipped_since.set(account_id, since)
        again.push(item)
      } else aside.set(account_id, [...(aside.get(account_id) ?? []), item])
    }
    for (const item of again) this.#remember(item)
    // It has been tried: waiting begins anew, or a slow moment of the machine would refuse it.
    for (const item of skipped) item.since = now
    this.#processed.entries -= skipped.length
    this.#queue.unshift(...again.filter(({ entry }) => !entry.background))
    this.#background.unshift(...again.filter(({ entry }) => entry.background))
    for (const [account_id, items] of aside) this.#openWaitingLane(account_id, items)
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

function tell<Value>(item: QueuedEntry<unknown, Value>, outcome: Outcome<Value>): void {
  if ('value' in outcome) item.resolve(outcome.value)
  else if ('error' in outcome) item.reject(outcome.error)
}

function unwanted(): Refusal {
  return new Refusal('unavailable', 'client gone')
}

// Made once: under too much load every microsecond that a refusal takes is taken from those that
// are served, and the way it came by says nothing.
const too_busy = new Refusal('unavailable', 'Florin is too busy right now. Try again shortly.', {
  retry_after_s: 1,
})

export function tooBusy(): Refusal {
  return too_busy
}
