// Copies the operator's balance at a provider: its entries, and the settlements that pay them out.
// Importing again changes nothing, so an import that was interrupted is repeated.

import type { Db } from '../postgres/database.ts'
import { findUuid, newRealTimeUuid } from '../primitives/ids.ts'
import {
  type BalanceEntry,
  type BalancePage,
  type Provider,
  type ProviderBalance,
  type ProviderName,
  type ProviderSettlement,
  settledOnly,
} from '../processors/provider.ts'
import {
  attributeEntries,
  insertEntries,
  type ListedSettlement,
  recordEntriesOf,
  recordImport,
  selectImportedUntil,
  selectOldestOpen,
  selectSettledUntil,
  selectWithoutEntries,
  upsertSettlements,
} from './queries.ts'
import type { BalanceEntryRow } from './settlement.ts'

// The clock of the provider may differ, and an entry may be listed a little later than it happened.
const overlap_ms = 3_600_000
// A settlement that was paid can still fail: banks return transfers for some days.
const settlements_change_ms = 35 * 86_400_000

/** Returns the number of rows that are new or changed. Providers without a balance have none. */
export async function importBalance(
  db: Db,
  { name, balance }: Provider,
  signal?: AbortSignal,
): Promise<number> {
  if (balance === undefined) return 0
  const started_at = new Date()
  const until = await selectImportedUntil(db, name)
  const since = new Date(until === undefined ? 0 : until.getTime() - overlap_ms)
  const entries = pages((cursor) => balance.listEntries({ since }, cursor), signal)
  let changed = 0
  for await (const page of entries) changed += await storeEntries(db, name, page, null)
  changed += await importSettlements(db, name, balance, started_at, signal)
  await attributeEntries(db, name)
  if (signal?.aborted) return changed
  const complete_until = settledOnly.has(name) ? await selectSettledUntil(db, name) : started_at
  if (complete_until !== null) await recordImport(db, name, complete_until)
  return changed
}

async function importSettlements(
  db: Db,
  name: ProviderName,
  balance: ProviderBalance,
  started_at: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  const has_imported = (await selectImportedUntil(db, name)) !== undefined
  const recent_ms = has_imported ? started_at.getTime() - settlements_change_ms : 0
  const oldest_open = await selectOldestOpen(db, name)
  const since = new Date(Math.min(recent_ms, oldest_open?.getTime() ?? recent_ms))
  const settlements = pages((cursor) => balance.listSettlements({ since }, cursor), signal)
  let changed = 0
  for await (const page of settlements) {
    const rows = inOrder(page.map((settlement) => settlementRow(name, settlement)))
    if (rows.length > 0) changed += await upsertSettlements(db, rows)
  }
  for (const { provider_id, grouping } of await selectWithoutEntries(db, name)) {
    changed += await importEntriesOf(db, name, balance, provider_id, signal)
    if (signal?.aborted) break
    if (grouping === 'complete') await recordEntriesOf(db, name, provider_id)
  }
  return changed
}

async function importEntriesOf(
  db: Db,
  name: ProviderName,
  balance: ProviderBalance,
  settlement_id: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  let changed = 0
  const entries = pages((cursor) => balance.listEntries({ settlement_id }, cursor), signal)
  for await (const page of entries) changed += await storeEntries(db, name, page, settlement_id)
  return changed
}

async function* pages<Row>(
  fetch: (cursor: string | undefined) => Promise<BalancePage<Row>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row[]> {
  let cursor: string | undefined
  do {
    const { rows, next } = await fetch(cursor)
    yield rows
    cursor = next
  } while (cursor !== undefined && !signal?.aborted)
}

function storeEntries(
  db: Db,
  provider: ProviderName,
  entries: BalanceEntry[],
  settlement_id: string | null,
): Promise<number> {
  const rows = entries.map((entry) => entryRow(provider, entry, settlement_id))
  return rows.length === 0 ? Promise.resolve(0) : insertEntries(db, inOrder(rows))
}

/** In one order, so that two imports do not wait for each other. */
function inOrder<Row extends { provider_id: string }>(rows: Row[]): Row[] {
  return rows.toSorted((one, other) => (one.provider_id < other.provider_id ? -1 : 1))
}

function entryRow(
  provider: ProviderName,
  { id: provider_id, charged, account_id, ...entry }: BalanceEntry,
  settlement_id: string | null,
): BalanceEntryRow {
  return {
    ...entry,
    id: newId(entry.at),
    provider,
    provider_id,
    account_id: findUuid('account', account_id ?? '') ?? null,
    charged_amount: charged.amount,
    charged_fee: charged.fee,
    charged_currency: charged.currency,
    settlement_id,
  }
}

function settlementRow(
  provider: ProviderName,
  { id: provider_id, references, ...settlement }: ProviderSettlement,
): ListedSettlement {
  const id = newId(settlement.created_at)
  return { id, provider, provider_id, ...settlement, reference_lines: references.join('\n') }
}

/** In the order of the provider. Its clock may be ahead, and ids of the future are not created. */
function newId(at: Date): string {
  return newRealTimeUuid(Math.min(at.getTime(), Date.now()))
}
