// Metrics of the worker and of the work that waits for it. They come from the database, so all
// servers report the same values. A scrape never waits for the database: it gets the values that
// the previous scrape requested, and none during an outage.

import { Gauge, type Registry } from '@prometheus-io/client'
import { findJobs } from '../jobs/find-jobs.ts'
import { findBacklog } from '../operations/reports/backlog.ts'
import { type Db, withTimeout } from '../postgres/database.ts'

interface Work {
  running: boolean
  due: Record<string, number>
  closings_stalled: number
  read_at_ms: number
}

// Several programs may scrape, and each read is about ten small statements.
const default_read_every_ms = 5_000
const read_ms_max = 2_000
// Two missed scrapes of Prometheus, whose default interval is one minute.
const valid_ms = 150_000

class WorkReader {
  readonly #db: Db
  readonly #read_every_ms: number
  #last: Work | undefined
  #reading: Promise<void> | undefined

  constructor(db: Db, read_every_ms: number) {
    this.#db = db
    this.#read_every_ms = read_every_ms
  }

  /** The last values, unless they are too old. Requests new ones. */
  get last(): Work | undefined {
    const age_ms = performance.now() - (this.#last?.read_at_ms ?? Number.NEGATIVE_INFINITY)
    if (age_ms >= this.#read_every_ms) this.#reading ??= this.#read()
    return age_ms < valid_ms ? this.#last : undefined
  }

  async #read(): Promise<void> {
    try {
      this.#last = await withTimeout(this.#db, read_ms_max, '', async (tx) => {
        const { running } = await findJobs(tx)
        const backlog = await findBacklog(tx)
        const due = {
          transactions: backlog.transactions_due,
          payments: backlog.payments_due,
          subscriptions: backlog.subscriptions_due,
          emails: backlog.emails.due,
          webhooks: backlog.webhooks.due,
          provider_events: backlog.provider_events.due,
        }
        const { stalled: closings_stalled } = backlog.closings
        return { running, due, closings_stalled, read_at_ms: performance.now() }
      })
    } catch {
      // The database is down or busy. Requests report that.
    } finally {
      this.#reading = undefined
    }
  }
}

export function measureWork(
  registry: Registry,
  db: Db,
  read_every_ms = default_read_every_ms,
): void {
  const reader = new WorkReader(db, read_every_ms)
  const registers = [registry]
  new Gauge({
    name: 'florin_worker_running',
    help: 'Whether any worker is running: 1 or 0.',
    registers,
    collect() {
      setIfKnown(this, reader.last && Number(reader.last.running))
    },
  })
  new Gauge({
    name: 'florin_closings_stalled',
    help: 'Account closings without progress for ten minutes.',
    registers,
    collect() {
      setIfKnown(this, reader.last?.closings_stalled)
    },
  })
  new Gauge({
    name: 'florin_work_due',
    help: 'Work that is due and waits for a worker, counted up to a limit.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      for (const [kind, count] of Object.entries(reader.last?.due ?? {})) this.set({ kind }, count)
    },
  })
}

/** An old value would hide an outage. */
function setIfKnown(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove()
  else gauge.set(value)
}
