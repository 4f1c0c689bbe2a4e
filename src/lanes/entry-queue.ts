// The entries that wait for the next batch of a lane. The queue is bounded in length and in age
// (backpressure): under overload some requests are rejected at once and the rest are served in
// time.
//
// Background entries have a separate queue. They never make the lane look full and do not count
// toward an account's share, and they take at most a quarter of a batch.
//
// Limits count weights: a bulk entry weighs as much as its items. It is never split, so a batch may
// be heavier than its limit, but then it has no other requests.

import { Refusal, tooBusy } from '../primitives/refusal.ts'
import type { LaneEntry } from './lane-entry.ts'

export interface QueueLimits {
  batch_max: number
  queue_max: number
  /** An entry that has waited longer is rejected: its client has timed out or soon will. */
  age_max_ms: number
}

export interface QueuedEntry<Entry, Value> {
  entry: Entry
  since: number
  resolve(value: Value): void
  reject(error: unknown): void
}

export class EntryQueue<Entry extends LaneEntry, Value> {
  readonly #limits: QueueLimits
  /** The weight of each account's requests. */
  readonly #by_account = new Map<string, number>()
  #requests_weight = 0
  #requests: QueuedEntry<Entry, Value>[] = []
  #background: QueuedEntry<Entry, Value>[] = []

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get length(): number {
    return this.#requests.length + this.#background.length
  }

  get weight(): number {
    return this.#requests_weight + this.#background.length
  }

  get has_requests(): boolean {
    return this.#requests.length > 0
  }

  isFull(): boolean {
    const oldest = this.#requests[0]
    if (this.#requests_weight >= this.#limits.queue_max) return true
    return oldest !== undefined && performance.now() - oldest.since > this.#limits.age_max_ms
  }

  /** Throws if there is no room. The promise is settled with the outcome of the entry. */
  add(entry: Entry): Promise<Value> {
    if (!this.#hasRoom(entry) && !entry.must_run) throw tooBusy()
    return new Promise((resolve, reject) => {
      const item = { entry, since: performance.now(), resolve, reject }
      this.#count(item)
      if (entry.background) this.#background.push(item)
      else this.#requests.push(item)
    })
  }

  #hasRoom({ account_id, background, weight = 1 }: Entry): boolean {
    const { queue_max } = this.#limits
    if (background) return this.#background.length < queue_max
    // One account may fill at most half of the queue, or have one entry that is heavier.
    const queued = this.#by_account.get(account_id) ?? 0
    return !this.isFull() && (queued === 0 || queued + weight <= queue_max / 2)
  }

  /** The next batch. Rejects entries that are too old or whose client has disconnected. */
  take(): QueuedEntry<Entry, Value>[] {
    const { batch_max, age_max_ms } = this.#limits
    const oldest_allowed = performance.now() - age_max_ms
    const background = this.#takeBackground()
    const room = Math.max(1, batch_max - background.length)
    const taken: QueuedEntry<Entry, Value>[] = []
    let weight = 0
    let seen = 0
    for (const item of this.#requests) {
      const of_item = item.entry.weight ?? 1
      if (taken.length > 0 && weight + of_item > room) break
      seen += 1
      this.#uncount(item)
      if (!item.entry.isWanted()) item.reject(unwanted())
      else if (item.since < oldest_allowed && !item.entry.must_run) item.reject(tooBusy())
      else {
        taken.push(item)
        weight += of_item
      }
    }
    this.#requests = this.#requests.slice(seen)
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

  /** Puts entries to the front, in this order, with their promises still pending. */
  putFirst(items: QueuedEntry<Entry, Value>[]): void {
    for (const item of items) this.#count(item)
    this.#requests.unshift(...items.filter(({ entry }) => !entry.background))
    this.#background.unshift(...items.filter(({ entry }) => entry.background))
  }

  /** Removes and returns the entries of one account. */
  removeAccount(account_id: string): QueuedEntry<Entry, Value>[] {
    const isOf = ({ entry }: QueuedEntry<Entry, Value>) => entry.account_id === account_id
    const removed = [...this.#requests.filter(isOf), ...this.#background.filter(isOf)]
    this.#requests = this.#requests.filter((item) => !isOf(item))
    this.#background = this.#background.filter((item) => !isOf(item))
    this.#requests_weight -= this.#by_account.get(account_id) ?? 0
    this.#by_account.delete(account_id)
    return removed
  }

  rejectBackground(error: unknown): void {
    for (const item of this.#background.splice(0)) item.reject(error)
  }

  #count({ entry: { account_id, background, weight = 1 } }: QueuedEntry<Entry, Value>): void {
    if (background) return
    this.#requests_weight += weight
    this.#by_account.set(account_id, (this.#by_account.get(account_id) ?? 0) + weight)
  }

  #uncount({ entry: { account_id, weight = 1 } }: QueuedEntry<Entry, Value>): void {
    this.#requests_weight -= weight
    const left = (this.#by_account.get(account_id) ?? weight) - weight
    if (left === 0) this.#by_account.delete(account_id)
    else this.#by_account.set(account_id, left)
  }
}

function unwanted(): Refusal {
  return new Refusal('unavailable', 'The client has disconnected.')
}
