// A lane turns concurrent changes into batches, and each batch into one database transaction. It
// sends at once when idle; what comes while a batch is in flight waits and becomes the next one.
// There is no timer, and no added wait. The queue is bounded in length and in age, so that under
// too much load some are refused at once and the rest are served in time.
//
// Work of our own waits in a queue of its own: however much of it there is, it neither makes the
// lane look full nor uses up an account's share, and a batch holds a quarter of it at the most.

import { Refusal } from '../primitives/refusal.ts'

export interface LaneLimits {
  batch_max: number
  queue_max: number
  /** Whoever has waited this long has given up or soon will: the answer would come too late. */
  age_max_ms: number
}

export interface LaneEntry {
  account_id: string
  /** Work of our own, which may never crowd requests out: a quarter of a batch at most. */
  background: boolean
  /** False once the client has gone: nobody would read the answer. */
  isWanted(): boolean
  /** For what happened elsewhere already, such as a charged card: never refused for load. */
  must_run?: true
}

/** A value, or the refusal of one entry among others that went through. */
export type Outcome<Value> = { value: Value } | { error: unknown }

interface Waiting<Entry, Value> {
  entry: Entry
  since: number
  resolve(value: Value): void
  reject(error: unknown): void
}

export class Lane<Entry extends LaneEntry, Value> {
  readonly #run: (entries: Entry[]) => Promise<Outcome<Value>[]>
  readonly #limits: LaneLimits
  readonly #by_account = new Map<string, number>()
  #queue: Waiting<Entry, Value>[] = []
  #background: Waiting<Entry, Value>[] = []
  #busy = false
  #batches = 0
  #entries = 0

  constructor(run: (entries: Entry[]) => Promise<Outcome<Value>[]>, limits: LaneLimits) {
    this.#run = run
    this.#limits = limits
  }

  get length(): number {
    return this.#queue.length + this.#background.length
  }

  /** What has gone through since the start, for those who watch. */
  get passed(): { batches: number; entries: number } {
    return { batches: this.#batches, entries: this.#entries }
  }

  /** Asked before a request is read: whether it would be refused anyway. */
  isFull(): boolean {
    const oldest = this.#queue[0]
    if (this.#queue.length >= this.#limits.queue_max) return true
    return oldest !== undefined && performance.now() - oldest.since > this.#limits.age_max_ms
  }

  submit(entry: Entry): Promise<Value> {
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
    if (this.#busy) return
    this.#busy = true
    // The requests that arrived in the same read of the sockets go together.
    setImmediate(() => this.#drain())
  }

  async #drain(): Promise<void> {
    let answer = () => {}
    while (this.length > 0) {
      const batch = this.#take()
      if (batch.length === 0) continue
      const running = this.#start(batch)
      // Not before this batch has left: the database works on it while the last one is answered.
      setImmediate(answer)
      answer = await running
    }
    answer()
    this.#busy = false
  }

  #take(): Waiting<Entry, Value>[] {
    const { batch_max, age_max_ms } = this.#limits
    const oldest_allowed = performance.now() - age_max_ms
    const background = this.#takeBackground()
    const room = Math.max(1, batch_max - background.length)
    const taken: Waiting<Entry, Value>[] = []
    const left: Waiting<Entry, Value>[] = []
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

  #takeBackground(): Waiting<Entry, Value>[] {
    if (this.#background.length === 0) return []
    const taken: Waiting<Entry, Value>[] = []
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

  #forget({ entry }: Waiting<Entry, Value>): void {
    const left = (this.#by_account.get(entry.account_id) ?? 1) - 1
    if (left === 0) this.#by_account.delete(entry.account_id)
    else this.#by_account.set(entry.account_id, left)
  }

  /** Runs them, and gives what is left to do then: to tell each how it went. */
  async #start(batch: Waiting<Entry, Value>[]): Promise<() => void> {
    this.#batches += 1
    this.#entries += batch.length
    try {
      const outcomes = await this.#run(batch.map((item) => item.entry))
      return () => {
        batch.forEach((item, at) => {
          const outcome = outcomes[at]!
          if ('error' in outcome) item.reject(outcome.error)
          else item.resolve(outcome.value)
        })
      }
    } catch (error) {
      return () => {
        for (const item of batch) item.reject(error)
      }
    }
  }
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
