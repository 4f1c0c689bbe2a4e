// Due work: rows whose time has come, each processed once. Leases assign slots to workers, but only
// to avoid duplicate effort: concurrent processing is safe, because the state of a row is checked
// under its account lock. This file is independent of the kind of work; each noun defines how its
// rows are found and processed.

import { readTime } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { JobContext, JobResult } from './timer.ts'

/** By the last hex digit of the account id, which is random. */
export const slot_count = 16
const all_slots = Array.from({ length: slot_count }, (_, slot) => slot)

export interface DueSearch {
  by: Date
  slots: number[]
  /** Maximum rows per slot, so that a slot with a long backlog does not starve the others. */
  limit: number
  /** Rows that failed recently and are skipped for a while. */
  excluded_ids: string[]
}

/** Excludes accounts that are being closed: their due rows count as canceled. */
export interface OpenDueSearch extends DueSearch {
  except_account_ids: string[]
}

export interface DueRowKey {
  account_id: string
  id: string
}

export interface DueContext {
  by: Date
  signal?: AbortSignal
}

export interface DueWork<Row extends DueRowKey> {
  find(search: DueSearch): Promise<Row[]>
  /** Throws AlreadyHandled if another process was faster. */
  act(row: Row, context: DueContext): Promise<void>
}

/** Another process has already processed the row. Not an error, and not logged. */
export class AlreadyHandled extends Error {
  override name = 'AlreadyHandled'
}

/** One round of a worker. Failures are passed to `report` once per round, and retried later. */
export function dueJob<Row extends DueRowKey>(
  db: Db,
  work: DueWork<Row>,
  report: (error: unknown, failed: number) => void,
): (context: JobContext) => Promise<JobResult> {
  const excluded_ids = new ExcludedRows()
  return async ({ slots, signal }) => {
    const by = await readTime(db)
    const round = await runRound(work, { by, slots, excluded_ids, signal })
    if (round.errors.length > 0) report(round.errors[0], round.errors.length)
    // If every row failed, the next round waits: an immediate one would fail again.
    return { done: round.done, more: round.is_more && round.done > 0 }
  }
}

/** Processes everything that is due by a time, regardless of leases. */
export async function runAllDue<Row extends DueRowKey>(
  work: DueWork<Row>,
  by: Date,
  within_ms: number,
): Promise<void> {
  const until_ms = performance.now() + within_ms
  for (;;) {
    const errors = await runRounds(work, by, until_ms)
    const fault = errors.find((error) => !isUnavailable(error))
    if (fault !== undefined) throw fault
    if (errors.length === 0) return
    // Most likely a lock timeout: retried while there is time to wait for the lock.
    if (performance.now() + lock_wait_ms > until_ms) throw outOfTime(errors[0])
  }
}

// The lock_timeout of a session: see postgres/pool.ts.
const lock_wait_ms = 3_000

async function runRounds<Row extends DueRowKey>(
  work: DueWork<Row>,
  by: Date,
  until_ms: number,
): Promise<unknown[]> {
  const excluded_ids = new ExcludedRows()
  const failed: unknown[] = []
  for (;;) {
    const { found, errors } = await runRound(work, { by, slots: all_slots, excluded_ids })
    failed.push(...errors)
    if (found === 0 || failed.length >= excluded_rows_max) return failed
    if (performance.now() > until_ms) throw outOfTime()
  }
}

// Large enough for 16 full batches of background work, and small enough that a stopping worker ends
// within a second.
const round_max = 1_024

interface RoundContext extends DueContext {
  slots: number[]
  excluded_ids: ExcludedRows
}

interface RoundResult {
  found: number
  done: number
  errors: unknown[]
  /** Whether a slot may have more rows than the limit. */
  is_more: boolean
}

async function runRound<Row extends DueRowKey>(
  work: DueWork<Row>,
  context: RoundContext,
): Promise<RoundResult> {
  const { by, slots, excluded_ids } = context
  const limit = Math.ceil(round_max / slots.length)
  const rows = await work.find({ by, slots, limit, excluded_ids: excluded_ids.ids() })
  const errors: unknown[] = []
  let done = 0
  await Promise.all(
    rows.map(async (row) => {
      try {
        await work.act(row, context)
        done += 1
      } catch (error) {
        if (error instanceof AlreadyHandled || context.signal?.aborted) return
        excluded_ids.add(row.id, error)
        errors.push(error)
      }
    }),
  )
  return { found: rows.length, done, errors, is_more: isAnyFull(rows, limit) }
}

function isAnyFull(rows: DueRowKey[], limit: number): boolean {
  if (rows.length < limit) return false
  const counts = new Map<string, number>()
  for (const { account_id } of rows) {
    const slot = account_id.slice(-1)
    counts.set(slot, (counts.get(slot) ?? 0) + 1)
  }
  return [...counts.values()].some((count) => count >= limit)
}

// A row with inconsistent data fails every time: one attempt and one log entry per minute are
// enough. A row whose account is locked returns after a random delay, so not all retry at once.
const fault_exclusion_ms = 60_000
const unavailable_exclusion_ms = { min: 1_000, jitter: 9_000 }

// The ids are sent with each query. With more failures than this, the problem is not a single row.
const excluded_rows_max = 1_000

/** Rows that failed, skipped for a while so that they do not block the others. */
class ExcludedRows {
  readonly #until_ms = new Map<string, number>()

  add(id: string, error: unknown): void {
    if (this.#until_ms.size >= excluded_rows_max) return
    const { min, jitter } = unavailable_exclusion_ms
    const for_ms = isUnavailable(error) ? min + Math.random() * jitter : fault_exclusion_ms
    this.#until_ms.set(id, performance.now() + for_ms)
  }

  ids(): string[] {
    const now = performance.now()
    for (const [id, until_ms] of this.#until_ms) if (until_ms < now) this.#until_ms.delete(id)
    return [...this.#until_ms.keys()]
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'unavailable'
}

function outOfTime(cause?: unknown): Refusal {
  return new Refusal(
    'unavailable',
    'The clock was advanced, but not everything that became due was processed in time. The ' +
      'worker continues in the background. Check again shortly.',
    { retry_after_s: 5, ...(cause !== undefined && { cause }) },
  )
}
