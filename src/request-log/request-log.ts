// Collects requests in memory, and redacts and inserts them in batches, so that logging does not
// delay responses. Entries are dropped and counted under too much load and during an outage of the
// database.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../postgres/database.ts'
import { sqlState } from '../postgres/failure.ts'
import { type Sweep, sweepAccounts } from '../postgres/sweep.ts'
import { findUuid, firstUuidAt, newRealTimeUuid } from '../primitives/ids.ts'
import type { EntryRow, LoggedRequest } from './entry.ts'
import { insertEntries, oldEntries } from './queries.ts'
import { redactBody, redactPath, redactResponse } from './redact.ts'

// Short enough for a user who watches the log, and only two small statements per second.
const write_every_ms = 500

// The burst is large enough that every request of a manual test or a test suite is logged.
// Sustained load is sampled: 20 per second for seven days is twelve million rows, about 3 GB in
// live mode; 5,000 per second would be 750 GB.
const burst_max = 500
const per_second = 20

// One busy account must not crowd out the others: when more than half of the burst is used, only
// accounts with few recent entries are logged.
const few = 5

// In real time. Long enough to debug last week's failure, and short enough not to accumulate
// personal data.
const retention_ms = 7 * 86_400_000

export const sweepRequestLog: Sweep = (db, signal) =>
  sweepAccounts(db, oldEntries(firstUuidAt(Date.now() - retention_ms)), signal)

export class RequestLog {
  readonly #db: Db
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #waiting: LoggedRequest[] = []
  /** The number of waiting entries per account. */
  #waiting_by_account = new Map<string, number>()
  #room = burst_max
  #writing: Promise<void> | undefined
  dropped = 0

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
    this.#timer = setInterval(() => this.#tick(), write_every_ms).unref()
  }

  /** The number of entries for the next insert. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether a request of this account would be logged now. Checked before capturing a response. */
  hasRoom(account_id: string): boolean {
    if (this.#room >= burst_max / 2) return true
    return this.#room >= 1 && this.#countWaiting(account_id) < few
  }

  note(entry: LoggedRequest): void {
    if (!this.hasRoom(entry.account_id)) {
      this.dropped += 1
      return
    }
    this.#room -= 1
    this.#waiting_by_account.set(entry.account_id, this.#countWaiting(entry.account_id) + 1)
    this.#waiting.push(entry)
  }

  #countWaiting(account_id: string): number {
    return this.#waiting_by_account.get(account_id) ?? 0
  }

  /** Writes all waiting entries. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
    this.#write()
    await this.#writing
  }

  #tick(): void {
    this.#room = Math.min(burst_max, this.#room + (per_second * write_every_ms) / 1_000)
    // One insert at a time. If the database is slow, entries wait, and their number is bounded by
    // #room.
    if (this.#writing === undefined) this.#write()
  }

  #write(): void {
    const requests = this.#waiting
    this.#waiting = []
    this.#waiting_by_account = new Map()
    if (requests.length === 0) return
    this.#writing = this.#insert(requests).finally(() => {
      this.#writing = undefined
    })
  }

  async #insert(requests: LoggedRequest[]): Promise<void> {
    try {
      const rows = await toRows(requests)
      for (const part of this.#db.shards.split(rows)) await insertEntries(this.#db, part)
    } catch (error) {
      this.dropped += isDataFault(error) ? await this.#insertEach(requests) : requests.length
      this.#onError(error)
    }
  }

  /** Isolates an entry that cannot be stored from those of other accounts. Returns the failures. */
  async #insertEach(requests: LoggedRequest[]): Promise<number> {
    let failed = 0
    for (const [at, request] of requests.entries()) {
      try {
        await insertEntries(this.#db, [toRow(request)])
      } catch (error) {
        // The database has become unavailable: the rest is dropped without further attempts.
        if (!isDataFault(error)) return failed + requests.length - at
        failed += 1
      }
    }
    return failed
  }
}

/** SQLSTATE class 22, data exception: the value is invalid, and the database works. */
function isDataFault(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') === true
}

// Redacting hundreds of bodies at once would block the event loop.
const rows_per_turn = 20

async function toRows(requests: LoggedRequest[]): Promise<EntryRow[]> {
  const rows: EntryRow[] = []
  for (const request of requests) {
    rows.push(toRow(request))
    if (rows.length % rows_per_turn === 0) await nextTurn()
  }
  return rows
}

function toRow(request: LoggedRequest): EntryRow {
  return {
    account_id: request.account_id,
    entry_id: newRealTimeUuid(Date.now()),
    id: findUuid('request', request.request_id)!,
    method: request.method,
    path: redactPath(request.url),
    status: request.status,
    duration_ms: request.duration_ms,
    caller_kind: request.caller_kind,
    caller_id: request.caller_id,
    has_idempotency_key: request.has_idempotency_key,
    error: request.error,
    request_body: redactBody(request.request_body),
    response_body: redactResponse(request.response_body),
  }
}
