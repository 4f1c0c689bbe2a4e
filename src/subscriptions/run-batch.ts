// Runs a batch of subscription commands in one database transaction, with the building blocks of
// transactions/run-batch.ts.

import { findAccounts } from '../accounts/find-accounts.ts'
import { recordAuditEntries } from '../audit/record-audit-entry.ts'
import { recordEvents } from '../events/record-event.ts'
import { storeResponses } from '../idempotency/stored-responses.ts'
import type { Outcome } from '../lanes/lane.ts'
import { writeLedger } from '../ledger/write-ledger.ts'
import { PaymentSet } from '../payments/payment-set.ts'
import { writePayments } from '../payments/run-batch.ts'
import type { Db, Tx } from '../postgres/database.ts'
import {
  type BatchEntry,
  type BatchRecords,
  type CommandResult,
  decideEntry,
  laneDb,
  lockAndLoadContext,
  runWithBisection,
} from '../transactions/run-batch.ts'
import { WorkingSet } from '../transactions/working-set.ts'
import type { SubscriptionCommand } from './commands.ts'
import { decideSubscription } from './decide.ts'
import {
  type SubscriptionKey,
  selectSubscriptions,
  sendChanges,
  sendInserts,
  sendPeriods,
} from './queries.ts'
import type { SubscriptionRow } from './subscription.ts'
import { SubscriptionSet } from './subscription-set.ts'

export interface SubscriptionEntry extends BatchEntry<SubscriptionRow> {
  command: SubscriptionCommand
}

export function runBatch(
  db: Db,
  public_url: string,
  entries: SubscriptionEntry[],
  waits: boolean,
): Promise<Outcome<CommandResult>[]> {
  const decideAll = (tx: Tx, some: SubscriptionEntry[]) => decideBatch(tx, public_url, some, waits)
  return runWithBisection(laneDb(db, waits), entries, decideAll)
}

async function decideBatch(
  tx: Tx,
  public_url: string,
  entries: SubscriptionEntry[],
  waits: boolean,
): Promise<Outcome<CommandResult>[]> {
  const account_ids = [...new Set(entries.map(({ account_id }) => account_id))]
  const names = entries.flatMap(({ command }) => rowNamedBy(command))
  const [{ locks, ...context }, rows, accounts] = await Promise.all([
    lockAndLoadContext(tx, entries, waits),
    names.length === 0 ? [] : selectSubscriptions(tx, names),
    findAccounts(tx, account_ids),
  ])
  const money = new WorkingSet(tx.now, { locks, rows: [], refunded: [] })
  const payments = new PaymentSet(money, public_url, { rows: [], accounts })
  const set = new SubscriptionSet(payments, rows)
  const records: BatchRecords = { responses: [], audit_entries: [] }
  const outcomes = entries.map((entry) =>
    decideEntry(entry, context, records, {
      decide: () => decideSubscription(set, entry.command),
      changes: () => set.changes,
    }),
  )
  writeSubscriptions(tx, set)
  storeResponses(tx, records.responses)
  recordAuditEntries(tx, records.audit_entries)
  return outcomes
}

function rowNamedBy(command: SubscriptionCommand): SubscriptionKey[] {
  return command.kind === 'create' ? [] : [{ account_id: command.account_id, id: command.id }]
}

/** Writes a working set; also used outside the lanes. */
export function writeSubscriptions(tx: Tx, set: SubscriptionSet): void {
  const { payments, inserted, changed, periods } = set
  const { money } = payments
  writeLedger(tx, [...money.touched], money.postings)
  if (inserted.size > 0) sendInserts(tx, [...inserted])
  if (changed.size > 0) sendChanges(tx, [...changed])
  writePayments(tx, payments)
  if (periods.length > 0) sendPeriods(tx, periods)
  recordEvents(tx, money.events)
}
