// Runs a batch of payment request commands in one database transaction, with the building blocks of
// transactions/run-batch.ts.

import { findAccounts } from '../accounts/find-accounts.ts'
import { recordAuditEntries } from '../audit/record-audit-entry.ts'
import { queueEmails } from '../email/outbox.ts'
import { recordEvents } from '../events/record-event.ts'
import { storeResponses } from '../idempotency/stored-responses.ts'
import type { Outcome } from '../lanes/lane.ts'
import { closedAtOf } from '../ledger/closings.ts'
import { writeLedger } from '../ledger/write-ledger.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { applyClosings } from '../transactions/apply-closings.ts'
import {
  type BatchEntry,
  type BatchRecords,
  type CommandResult,
  decideEntry,
  laneDb,
  lockAndLoadContext,
  runWithBisection,
  writeTransactions,
} from '../transactions/run-batch.ts'
import { WorkingSet } from '../transactions/working-set.ts'
import type { PaymentCommand } from './commands.ts'
import { decidePayment } from './decide.ts'
import type { PaymentRow } from './payment.ts'
import { PaymentSet } from './payment-set.ts'
import {
  type PaymentKey,
  selectPayments,
  sendAttempts,
  sendChanges,
  sendInserts,
  sendLinks,
} from './queries.ts'

export interface PaymentEntry extends BatchEntry<PaymentRow> {
  command: PaymentCommand
}

export function runBatch(
  db: Db,
  public_url: string,
  entries: PaymentEntry[],
  waits: boolean,
): Promise<Outcome<CommandResult>[]> {
  const decideAll = (tx: Tx, some: PaymentEntry[]) => decideBatch(tx, public_url, some, waits)
  return runWithBisection(laneDb(db, waits), entries, decideAll)
}

async function decideBatch(
  tx: Tx,
  public_url: string,
  entries: PaymentEntry[],
  waits: boolean,
): Promise<Outcome<CommandResult>[]> {
  const account_ids = [...new Set(entries.map(({ account_id }) => account_id))]
  const names = entries.flatMap(({ command }) => rowNamedBy(command))
  const [{ locks, ...context }, stored, accounts] = await Promise.all([
    lockAndLoadContext(tx, entries, waits),
    names.length === 0 ? [] : selectPayments(tx, names),
    findAccounts(tx, account_ids),
  ])
  const rows = applyClosings(stored, closedAtOf(locks))
  const money = new WorkingSet(tx.now, { locks, rows: [], refunded: [] })
  const set = new PaymentSet(money, public_url, { rows, accounts })
  const records: BatchRecords = { responses: [], audit_entries: [] }
  const outcomes = entries.map((entry) =>
    decideEntry(entry, context, records, {
      decide: () => decidePayment(set, entry.command),
      changes: () => set.changes,
    }),
  )
  writeLedger(tx, [...money.touched], money.postings)
  writeTransactions(tx, money)
  writePayments(tx, set)
  recordEvents(tx, money.events)
  storeResponses(tx, records.responses)
  recordAuditEntries(tx, records.audit_entries)
  return outcomes
}

function rowNamedBy(command: PaymentCommand): PaymentKey[] {
  return command.kind === 'create' ? [] : [{ account_id: command.account_id, id: command.id }]
}

/** Writes the payment requests of a working set; also used outside the lanes. */
export function writePayments(tx: Tx, set: PaymentSet): void {
  if (set.inserted.length > 0) {
    sendInserts(tx, set.inserted)
    sendLinks(tx, set.inserted)
  }
  if (set.changed.size > 0) {
    sendChanges(
      tx,
      [...set.changed].map(([row, stored_status]) => ({ ...row, stored_status })),
    )
  }
  if (set.attempts.length > 0) sendAttempts(tx, set.attempts)
  if (set.emails.length > 0) queueEmails(tx, set.emails)
}
