// What bank statements show that has no line in the report: money that left the bank for a payout
// without settling it, and statements that are missing.

import { listGaps, listOpenEntries, type OpenEntry } from '../bank-statements/reconcile-entries.ts'
import { describeNamed, type NamedId, namesIn } from '../payouts/settle-outgoing.ts'
import type { Queryable } from '../postgres/database.ts'
import type { Difference } from '../postgres/difference.ts'
import { nil_uuid, toTypeId } from '../primitives/ids.ts'

export async function checkStatements(db: Queryable): Promise<Difference[]> {
  return [...(await checkOpenDebits(db)), ...(await checkGaps(db))]
}

interface OpenSum {
  named: NamedId[]
  currency: string
  signed: number
  /** The newest. */
  entry_id: string
}

const entries_max = 1_000

/**
 * A payout that failed here may be executed nevertheless, and a bank may execute one twice. An open
 * return makes up for an open debit. An ignored entry was decided by a person, with a note in the
 * audit log, and is left out: otherwise a difference that was resolved elsewhere would remain.
 */
async function checkOpenDebits(db: Queryable): Promise<Difference[]> {
  const sums = new Map<string, OpenSum>()
  for (let after_id: string | undefined = nil_uuid; after_id !== undefined; ) {
    const query: { after_id: string; limit: number } = { after_id, limit: entries_max }
    const page = await listOpenEntries(db, query)
    for (const entry of page) addOpen(sums, entry)
    after_id = page.length < entries_max ? undefined : page.at(-1)!.id
  }
  const differences: Difference[] = []
  for (const sum of sums.values()) {
    const difference = sum.signed < 0 ? await unsettled(db, sum) : undefined
    if (difference !== undefined) differences.push(difference)
  }
  return differences
}

function addOpen(sums: Map<string, OpenSum>, entry: OpenEntry): void {
  const named = namesIn(entry)
  if (named.length === 0) return
  const { id: entry_id, currency, signed } = entry
  const key = [currency, ...named.map(({ text }) => text)].join(' ')
  const before = sums.get(key)?.signed ?? 0
  sums.set(key, { named, currency, signed: before + signed, entry_id })
}

async function unsettled(
  db: Queryable,
  { named, currency, signed, entry_id }: OpenSum,
): Promise<Difference | undefined> {
  for (const one of named) {
    const found = await describeNamed(db, one)
    if (found === undefined) continue
    const { account_id, state } = found
    return {
      rule: 'debits_settle_their_payout',
      account_id: account_id && toTypeId('account', account_id),
      object: toTypeId('bank_entry', entry_id),
      found: `${signed} ${currency} that is not matched, and names ${one.text}, ${state}`,
      expected: 'a debit that settles it',
    }
  }
  return undefined
}

async function checkGaps(db: Queryable): Promise<Difference[]> {
  return (await listGaps(db)).map((row) => ({
    rule: 'statements_are_continuous',
    account_id: null,
    object: toTypeId('bank_statement', row.id),
    found: `an opening balance of ${row.opening_amount} ${row.currency}`,
    expected: `${row.previous_amount}, the closing balance of the statement before it`,
  }))
}
