// Collects what was asked, without a write for each request: noted in memory, redacted and written
// together a moment later, off every request's way. It may lose entries and never an answer: what
// is too much is dropped and counted, and so is what a database that is away does not take.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../postgres/database.ts'
import { sqlState } from '../postgres/failure.ts'
import { findUuid, newRealTimeUuid } from '../primitives/ids.ts'
import type { EntryRow, LoggedRequest } from './entry.ts'
import { insertEntries } from './queries.ts'
import { redactBody, redactPath, redactResponse } from './redact.ts'

// Half a second is at once for somebody who watches, and one small statement each.
const write_every_ms = 500

// Whoever tries things out sees every request: nobody sends 500 at once by hand, and a test suite
// hardly. What goes on and on is sampled: 20 a second for seven days are twelve million rows, some
// 3 GB in live mode, which a disc bears; all of 5 000 a second would be 750 GB.
const burst_max = 500
const a_second = 20

// One account that sends without end must not crowd out the others: below half of what is left
// only those are noted who had few entries lately.
const few = 5

export class RequestLog {
  readonly #db: Db
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #waiting: LoggedRequest[] = []
  /** How many entries each account has among those that wait. */
  #taken = new Map<string, number>()
  #room = burst_max
  #writing: Promise<void> | undefined
  dropped = 0

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
    this.#timer = setInterval(() => this.#tick(), write_every_ms).unref()
  }

  /** Entries that will be written at the next look. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether a request of this account would be noted now; asked before its answer is held. */
  hasRoom(account_id: string): boolean {
    if (this.#room >= burst_max / 2) return true
    return this.#room >= 1 && (this.#taken.get(account_id) ?? 0) < few
  }

  note(entry: LoggedRequest): void {
    if (!this.hasRoom(entry.account_id)) {
      this.dropped += 1
      return
    }
    this.#room -= 1
    this.#taken.set(entry.account_id, (this.#taken.get(entry.account_id) ?? 0) + 1)
    this.#waiting.push(entry)
  }

  /** Writes what has not been written yet. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
    this.#write()
    await this.#writing
  }

  #tick(): void {
    this.#room = Math.min(burst_max, this.#room + (a_second * write_every_ms) / 1_000)
    // Behind a slow database the next ones wait, and what waits has used up its room.
    if (this.#writing === undefined) this.#write()
  }

  #write(): void {
    const noted = this.#waiting
    this.#waiting = []
    this.#taken = new Map()
    if (noted.length === 0) return
    this.#writing = this.#insert(noted).finally(() => {
      this.#writing = undefined
    })
  }

  async #insert(noted: LoggedRequest[]): Promise<void> {
    try {
      await insertEntries(this.#db, await toRows(noted))
    } catch (error) {
      this.dropped += isDataFault(error) ? await this.#insertEach(noted) : noted.length
      this.#onError(error)
    }
  }

  /** One entry that cannot be stored must not take those of all accounts with it. */
  async #insertEach(noted: LoggedRequest[]): Promise<number> {
    let lost = 0
    for (const [at, entry] of noted.entries()) {
      try {
        await insertEntries(this.#db, [toRow(entry)])
      } catch (error) {
        // A database that has gone away meanwhile is not asked for each of the rest.
        if (!isDataFault(error)) return lost + noted.length - at
        lost += 1
      }
    }
    return lost
  }
}

/** Class 22: a value that its column does not take, and nothing wrong with the database. */
function isDataFault(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') === true
}

// To look for secrets in hundreds of bodies takes a while, in which others want to be answered.
const rows_in_one_go = 20

async function toRows(noted: LoggedRequest[]): Promise<EntryRow[]> {
  const rows: EntryRow[] = []
  for (const entry of noted) {
    rows.push(toRow(entry))
    if (rows.length % rows_in_one_go === 0) await nextTurn()
  }
  return rows
}

function toRow(noted: LoggedRequest): EntryRow {
  return {
    account_id: noted.account_id,
    entry_id: newRealTimeUuid(Date.now()),
    id: findUuid('request', noted.request_id)!,
    method: noted.method,
    path: redactPath(noted.url),
    status: noted.status,
    duration_ms: noted.duration_ms,
    caller_kind: noted.caller_kind,
    caller_id: noted.caller_id,
    has_idempotency_key: noted.has_idempotency_key,
    error: noted.error,
    request_body: redactBody(noted.request_body),
    response_body: redactResponse(noted.response_body),
  }
}
