// Every change to a transaction goes through a lane.

import { AccountLanes, type LaneOptions } from '../lanes/account-lanes.ts'
import { defineLane, writeChanges } from '../lanes/define-lane.ts'
import type { BulkEntry, CommandEntry, CommandResult } from '../lanes/lane-entry.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { closedAtOf } from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { applyClosings } from './apply-closings.ts'
import {
  selectCharges,
  selectProviderRefunds,
  sendCharges,
  sendProviderRefunds,
} from './charge-queries.ts'
import { loadCharges } from './charges.ts'
import { cancelCommand } from './commands.ts'
import { decide } from './decide.ts'
import { noPaymentRequests, type PaymentRequests, type RequestState } from './payment-requests.ts'
import { decideInLane, type LaneCommand } from './provider-refunds.ts'
import {
  selectPendingOf,
  selectRefundTotals,
  selectTransactions,
  sendNewTransactions,
  sendRefundTotals,
  sendTransactionChanges,
} from './queries.ts'
import type { TransactionRow } from './transaction.ts'
import { TransactionSet } from './transaction-set.ts'

export type TransactionEntry = CommandEntry<LaneCommand, TransactionRow>
type AnyEntry = TransactionEntry | BulkEntry<LaneCommand, TransactionRow>

export class TransactionLanes extends AccountLanes<AnyEntry, CommandResult> {
  /** Without `payment_requests`, a payment request id in a refund's reference is plain text. */
  constructor(db: Db, options: LaneOptions = {}, payment_requests = noPaymentRequests) {
    super(transactionLane(payment_requests)(db), options)
  }
}

export const transactionLane = (payment_requests: PaymentRequests) =>
  defineLane<LaneCommand, TransactionRow, TransactionSet>({
    async read(tx, commands, locking) {
      const names = commands.flatMap(rowKeysOf)
      const request_names = commands.flatMap(requestKeysOf)
      const results = commands.filter((command) => command.kind === 'result')
      const [locked, stored, requests, loaded] = await Promise.all([
        locking,
        names.length === 0 ? [] : selectTransactions(tx, names),
        request_names.length === 0 ? [] : payment_requests.find(tx, request_names),
        loadCharges(tx, results),
      ])
      const closed = closedAtOf(locked.locks.values())
      const named = applyClosings([...stored, ...loaded.rows], closed)
      const paid = requests.flatMap(paidBy)
      // Only batches with linked refunds need more reads, all in one flush.
      const linked = [...linkedPayments(commands), ...paid]
      const payments = [...linked, ...refundedPayments(named)]
      const settled = paymentsOfSettledRefunds(commands, named)
      const manual = stored.filter(mayBeAtProvider)
      const [refunded, charges, refunds, paid_rows, queueRefundEmails] = await Promise.all([
        payments.length === 0 ? [] : selectRefundTotals(tx, payments),
        linked.length === 0 ? [] : selectCharges(tx, linked),
        manual.length === 0 ? [] : selectProviderRefunds(tx, manual),
        paid.length === 0 ? [] : selectTransactions(tx, paid),
        settled.length === 0 ? undefined : payment_requests.prepareRefundEmails(tx, settled),
      ])
      return new TransactionSet(locked, {
        rows: [...named, ...paid_rows],
        refunded: [...refunded, ...loaded.refunded],
        charges: [...charges, ...loaded.charges],
        provider_refunds: [...refunds, ...loaded.provider_refunds],
        requests,
        queueRefundEmails,
      })
    },
    decide: decideInLane,
    write: writeTransactions,
  })

function rowKeysOf(command: LaneCommand): RowKey[] {
  if (command.kind === 'result') return []
  const id = command.kind === 'create' ? command.linked_id : command.id
  return id === undefined ? [] : [{ account_id: command.account_id, id }]
}

function requestKeysOf(command: LaneCommand): RowKey[] {
  if (command.kind !== 'create' || command.linked_request_id === undefined) return []
  return [{ account_id: command.account_id, id: command.linked_request_id }]
}

function paidBy({ account_id, transaction_id: id }: RequestState): RowKey[] {
  return id === null ? [] : [{ account_id, id }]
}

/** The payments that new refunds link to by their id. */
function linkedPayments(commands: LaneCommand[]): RowKey[] {
  return commands.flatMap((command) => (command.kind === 'create' ? rowKeysOf(command) : []))
}

/** The sandbox ends all other linked refunds after a delay. */
function mayBeAtProvider({ refund_of, due_at }: TransactionRow): boolean {
  return refund_of !== null && due_at === null
}

function refundedPayments(rows: TransactionRow[]): RowKey[] {
  return rows.flatMap(({ account_id, refund_of: id }) => (id === null ? [] : [{ account_id, id }]))
}

/** The payments whose refunds this batch may settle. */
function paymentsOfSettledRefunds(commands: LaneCommand[], rows: TransactionRow[]): RowKey[] {
  const succeeding = new Set(commands.flatMap(idsThatMaySucceed))
  return refundedPayments(rows.filter(({ id }) => succeeding.has(id)))
}

function idsThatMaySucceed(command: LaneCommand): string[] {
  if (command.kind === 'end' && command.to === 'succeeded') return [command.id]
  if (command.kind !== 'result' || command.refund === 'rejected') return []
  return command.refund.state === 'succeeded' ? [command.id] : []
}

function refundsThatSucceeded(set: TransactionSet): TransactionRow[] {
  const ended = [...set.changed].flatMap(([row, stored_status]) =>
    stored_status === 'pending' ? [row] : [],
  )
  return [...set.inserted, ...ended].filter(
    ({ status, refund_of }) => status === 'succeeded' && refund_of !== null,
  )
}

/** Sends the transactions of a set, and emails about refunds; also used outside the lanes. */
export function writeTransactions(tx: Tx, set: TransactionSet): void {
  if (set.inserted.length > 0) sendNewTransactions(tx, set.inserted)
  if (set.changed.size > 0) sendTransactionChanges(tx, [...set.changed])
  if (set.refunds_touched.size > 0) {
    const totals = [...set.refunds_touched].map((key) => set.refunded.get(key)!)
    sendRefundTotals(tx, totals)
  }
  if (set.charges_touched.size > 0) sendCharges(tx, [...set.charges_touched])
  if (set.provider_refunds_touched.size > 0) {
    sendProviderRefunds(tx, [...set.provider_refunds_touched])
  }
  set.queueRefundEmails?.(tx, refundsThatSucceeded(set))
}

// Cancels the pending transactions of a closed account, one page at a time. Callers hold the
// account's lock.
/** Returns the ids of the canceled transactions. */
export async function cancelPending(tx: Tx, lock: AccountLock, page: IdPage): Promise<string[]> {
  const rows = await selectPendingOf(tx, lock.account_id, page)
  const payments = refundedPayments(rows)
  const manual = rows.filter(mayBeAtProvider)
  const [refunded, provider_refunds] = await Promise.all([
    payments.length === 0 ? [] : selectRefundTotals(tx, payments),
    manual.length === 0 ? [] : selectProviderRefunds(tx, manual),
  ])
  const locked = new LockedAccounts(tx.now, [lock])
  const set = new TransactionSet(locked, { rows, refunded, provider_refunds })
  for (const row of rows) decide(set, { ...cancelCommand(row), by: 'closing' })
  writeChanges(tx, set, writeTransactions)
  return rows.map(({ id }) => id)
}
