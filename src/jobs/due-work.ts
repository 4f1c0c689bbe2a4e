// Work that falls due: rows whose time has come, each acted on once. Who reads which slot is
// decided by leases, and only saves work: acting is safe however many try, because a row says under
// its account's lock whether it is still to be done. This file knows no kinds of work; a noun
// brings how its rows are found and what is done to one.

import { readTime } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { JobContext, JobResult } from './timer.ts'

/** Sixteen, by the last digit of the account's id, which is random. */
export const slot_count = 16
const all_slots = Array.from({ length: slot_count }, (_, slot) => slot)

export interface DueSearch {
  by: Date
  slots: number[]
  /** Rows of one slot at the most: a slot with a long backlog takes no turn from the others. */
  limit: number
  /** Ids that failed lately and are left out for a while. */
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
  /** Throws AlreadyHandled when somebody else was faster. */
  act(row: Row, moment: DueContext): Promise<void>
}

/** How a worker learns that somebody else was faster: not a fault, nothing to tell. */
export class AlreadyHandled extends Error {
  override name = 'AlreadyHandled'
}

/** The worker's rounds. What fails is told by `report`, once a round, and tried again later. */
export function dueJob<Row extends DueRowKey>(
  db: Db,
  work: DueWork<Row>,
  report: (error: unknown, failed: number) => void,
): (turn: JobContext) => Promise<JobResult> {
  const excluded_ids = new ExcludedRows()
  return async ({ slots, signal }) => {
    const by = await readTime(db)
    const round = await doSome(work, { by, slots, excluded_ids, signal })
    if (round.errors.length > 0) report(round.errors[0], round.errors.length)
    // Without any success to go on at once would only be to fail at once.
    return { done: round.done, more: round.is_more && round.done > 0 }
  }
}

/** All that is due by then, at once and whoever holds the leases. */
export async function runAllDue<Row extends DueRowKey>(
  work: DueWork<Row>,
  by: Date,
  within_ms: number,
): Promise<void> {
  const until_ms = performance.now() + within_ms
  for (;;) {
    const errors = await doPages(work, by, until_ms)
    const fault = errors.find((error) => !isUnavailable(error))
    if (fault !== undefined) throw fault
    if (errors.length === 0) return
    // A lock not had in time, most likely: tried again while there is time to wait for it.
    if (performance.now() + lock_wait_ms > until_ms) throw outOfTime(errors[0])
  }
}

// As long as a session waits for a lock: see postgres/database.ts.
const lock_wait_ms = 3_000

async function doPages<Row extends DueRowKey>(
  work: DueWork<Row>,
  by: Date,
  until_ms: number,
): Promise<unknown[]> {
  const excluded_ids = new ExcludedRows()
  const failed: unknown[] = []
  for (;;) {
    const { found, errors } = await doSome(work, { by, slots: all_slots, excluded_ids })
    failed.push(...errors)
    if (found === 0 || failed.length >= excluded_rows_max) return failed
    if (performance.now() > until_ms) throw outOfTime()
  }
}

// A round is at most four batches' worth of requests, or sixteen of background work: long enough to
// use full batches, short enough that a stopping worker is done in less than a second.
const round_max = 1_024

interface Part extends DueContext {
  slots: number[]
  excluded_ids: ExcludedRows
}

interface Outcome {
  found: number
  done: number
  errors: unknown[]
  /** Whether a slot may have more than it was asked for. */
  is_more: boolean
}

async function doSome<Row extends DueRowKey>(work: DueWork<Row>, part: Part): Promise<Outcome> {
  const { by, slots, excluded_ids } = part
  const limit = Math.ceil(round_max / slots.length)
  const rows = await work.find({ by, slots, limit, excluded_ids: excluded_ids.ids() })
  const errors: unknown[] = []
  let done = 0
  await Promise.all(
    rows.map(async (row) => {
      try {
        await work.act(row, part)
        done += 1
      } catch (error) {
        if (error instanceof AlreadyHandled || part.signal?.aborted) return
        excluded_ids.put(row.id, error)
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

// A row of damaged books fails each time: a minute is often enough to try it, and to tell. One
// whose account somebody holds comes back after a random time, so that not all do at once.
const fault_exclusion_ms = 60_000
const unavailable_exclusion_ms = { least: 1_000, more: 9_000 }

// Their ids travel with each read. Beyond that many something larger is wrong.
const excluded_rows_max = 1_000

/** What failed and is left out for a while, so that it does not stand in the way of the rest. */
class ExcludedRows {
  readonly #until_ms = new Map<string, number>()

  put(id: string, error: unknown): void {
    if (this.#until_ms.size >= excluded_rows_max) return
    const { least, more } = unavailable_exclusion_ms
    const for_ms = isUnavailable(error) ? least + Math.random() * more : fault_exclusion_ms
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
    'The clock was advanced, but not all that became due could be done in time. The worker ' +
      'goes on with it; look again shortly.',
    { retry_after_s: 5, ...(cause !== undefined && { cause }) },
  )
}
