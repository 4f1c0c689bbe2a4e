// A batch fails or succeeds as a whole. If PostgreSQL rejects a row, the batch is bisected until
// the offending entry is alone.

import { isStoredResponseConflict } from '../idempotency/stored-responses.ts'
import { isRetryable, OutcomeUnknown, sqlState } from '../postgres/failure.ts'
import { locked_elsewhere, type Outcome, type RunBatch } from './lane-entry.ts'

interface AccountEntry {
  account_id: string
}

/** `run` runs entries in one database transaction. */
export async function runWithBisection<Entry extends AccountEntry, Value>(
  entries: Entry[],
  run: RunBatch<Entry, Value>,
  attempts_left = 3,
): Promise<Outcome<Value>[]> {
  try {
    return await run(entries)
  } catch (error) {
    if (attempts_left > 0 && isStoredResponseConflict(error)) {
      return runWithBisection(entries, run, attempts_left - 1)
    }
    // Only data errors (SQLSTATE 22, 23) can be caused by one entry.
    if (!/^2[23]/.test(sqlState(error) ?? '')) throw error
    if (entries.length === 1) return [{ error }]
    const half = Math.ceil(entries.length / 2)
    const first = await runWithBisection(entries.slice(0, half), run)
    return [...first, ...(await runRest(entries, first, run))]
  }
}

/**
 * Runs the second half. Entries of an account that the first half skipped are skipped too, to keep
 * their order. An outage fails only the entries it affects: the first half is already committed.
 */
async function runRest<Entry extends AccountEntry, Value>(
  entries: Entry[],
  first: Outcome<Value>[],
  run: RunBatch<Entry, Value>,
): Promise<Outcome<Value>[]> {
  const rest = entries.slice(first.length)
  const outage = first.find(isOutage)
  if (outage !== undefined) return rest.map(() => outage)
  const skipped = entries.filter((_, at) => first[at] === locked_elsewhere)
  const accounts = new Set(skipped.map(({ account_id }) => account_id))
  const free = rest.filter(({ account_id }) => !accounts.has(account_id))
  const running = free.length === 0 ? Promise.resolve([]) : runWithBisection(free, run)
  const outcomes = await running.catch((error) => free.map((): Outcome<Value> => ({ error })))
  return rest.map(({ account_id }) =>
    accounts.has(account_id) ? locked_elsewhere : outcomes.shift()!,
  )
}

function isOutage(outcome: Outcome<unknown>): boolean {
  if (!('error' in outcome)) return false
  return outcome.error instanceof OutcomeUnknown || isRetryable(outcome.error)
}
