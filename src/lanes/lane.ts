// A lane turns concurrent entries into batches and runs them one after another. It starts at once
// when idle; entries that arrive while a batch is in flight form the next one. No timer adds
// latency.

import { isRetryable } from '../postgres/failure.ts'
import { EntryQueue, type QueuedEntry, type QueueLimits } from './entry-queue.ts'
import { type LaneEntry, locked_elsewhere, type Outcome, type RunBatch } from './lane-entry.ts'
import type { TraceBatch } from './trace-batch.ts'

/** Totals since the start, for metrics. */
export interface Processed {
  batches: number
  entries: number
}

interface LaneParts<Entry extends LaneEntry, Value> {
  run: RunBatch<Entry, Value>
  limits: QueueLimits
  processed: Processed
  /** After every batch, with its entries whose accounts are locked elsewhere. Queues them again. */
  onSkipped?(skipped: QueuedEntry<Entry, Value>[]): void
  /** After a batch that failed as a whole. */
  onFailure(error: unknown): void
  onIdle?(): void
  /** Absent unless traces are recorded. */
  trace?: TraceBatch | undefined
}

// Pause after a batch that found every account locked. A shorter one only loads the database.
const all_locked_pause_ms = 2
// Pause before a `must_run` entry is retried after a failure, unless another entry arrives.
const failure_pause_ms = 250

export class Lane<Entry extends LaneEntry, Value> {
  readonly queue: EntryQueue<Entry, Value>
  readonly #parts: LaneParts<Entry, Value>
  #is_running = false
  #in_flight = 0
  /** How long to pause after the last batch; 0 if it made progress. */
  #pause_ms = 0
  /** Ends the current pause. */
  #resume: (() => void) | undefined

  constructor(parts: LaneParts<Entry, Value>) {
    this.#parts = parts
    this.queue = new EntryQueue(parts.limits)
  }

  /** The weight of the batch that is running. */
  get in_flight(): number {
    return this.#in_flight
  }

  submit(entry: Entry): Promise<Value> {
    const result = this.queue.add(entry)
    this.wake()
    return result
  }

  /** To be called after entries have been put into the queue. */
  wake(): void {
    if (this.#is_running) {
      this.#resume?.()
      return
    }
    this.#is_running = true
    // Requests that arrived in the same socket read form one batch.
    setImmediate(() => this.#drain())
  }

  async #drain(): Promise<void> {
    let settlePrevious = () => {}
    while (this.queue.length > 0) {
      const batch = this.queue.take()
      if (batch.length === 0) continue
      const running = this.#run(batch)
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
    this.#is_running = false
    this.#parts.onIdle?.()
  }

  /** Runs a batch. Returns a function that settles its promises. */
  async #run(batch: QueuedEntry<Entry, Value>[]): Promise<() => void> {
    const { run, processed, onSkipped, onFailure } = this.#parts
    processed.batches += 1
    processed.entries += batch.length
    this.#in_flight = batch.reduce((sum, { entry }) => sum + (entry.weight ?? 1), 0)
    this.#pause_ms = 0
    const endTrace = this.#parts.trace?.(batch)
    let outcomes: Outcome<Value>[]
    try {
      outcomes = await run(batch.map(({ entry }) => entry))
      const skipped = batch.filter((_, at) => outcomes[at] === locked_elsewhere)
      if (skipped.length === batch.length) this.#pause_ms = all_locked_pause_ms
      processed.entries -= skipped.length
      onSkipped?.(skipped)
    } catch (error) {
      outcomes = batch.map(() => ({ error }))
      onFailure(error)
    }
    this.#in_flight = 0
    endTrace?.(outcomes)
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
    for (const item of failed) item.since = performance.now()
    // Other entries are not delayed by the pause: they run, or fail, at once.
    if (!this.queue.has_requests) this.#pause_ms = failure_pause_ms
    this.queue.putFirst(failed)
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
}

function settle<Value>(item: QueuedEntry<unknown, Value>, outcome: Outcome<Value>): void {
  if ('value' in outcome) item.resolve(outcome.value)
  else if ('error' in outcome) item.reject(outcome.error)
}
