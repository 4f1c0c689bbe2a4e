// Every change to a transaction goes through a lane.

import { AccountLanes, type LaneOptions } from '../lanes/account-lanes.ts'
import { defineLane, writeChanges } from '../lanes/define-lane.ts'
import type { CommandEntry, CommandResult } from '../lanes/lane-entry.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { closedAtOf } from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { applyClosings } from './apply-closings.ts'
import { cancelCommand } from './commands.ts'
import { type Command, decide } from './decide.ts'
import { noPaymentRequests, type PaymentRequests, type RequestState } from './payment-requests.ts'
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

export type TransactionEntry = CommandEntry<Command, TransactionRow>

export class TransactionLanes extends AccountLanes<TransactionEntry, CommandResult> {
  /** Without `payment_requests`, a payment request id in a refund's reference is plain text. */
  constructor(db: Db, options: LaneOptions = {}, payment_requests = noPaymentRequests) {
    super(transactionLane(payment_requests)(db), options)
  }
}

export const transactionLane = (payment_requests: PaymentRequests) =>
  defineLane<Command, TransactionRow, TransactionSet>({
    async read(tx, commands, locking) {
      const names = commands.flatMap(rowKeysOf)
      const request_names = commands.flatMap(requestKeysOf)
      const [locked, stored, requests] = await Promise.all([
        locking,
        names.length === 0 ? [] : selectTransactions(tx, names),
        request_names.length === 0 ? [] : payment_requests.find(tx, request_names),
      ])
      const named = applyClosings(stored, closedAtOf(locked.locks.values()))
      const paid = requests.flatMap(paidBy)
      // Only batches with linked refunds need more reads, all in one flush.
      const payments = [...paymentsIn(commands, named), ...paid]
      const settled = paymentsOfSettledRefunds(commands, named)
      const [refunded, paid_rows, queueRefundEmails] = await Promise.all([
        payments.length === 0 ? [] : selectRefundTotals(tx, payments),
        paid.length === 0 ? [] : selectTransactions(tx, paid),
        settled.length === 0 ? undefined : payment_requests.prepareRefundEmails(tx, settled),
      ])
      const rows = [...named, ...paid_rows]
      return new TransactionSet(locked, { rows, refunded, requests, queueRefundEmails })
    },
    decide,
    write(tx, set) {
      writeTransactions(tx, set)
      set.queueRefundEmails?.(tx, refundsThatSucceeded(set))
    },
  })

function rowKeysOf(command: Command): RowKey[] {
  const id = command.kind === 'create' ? command.linked_id : command.id
  return id === undefined ? [] : [{ account_id: command.account_id, id }]
}

function requestKeysOf(command: Command): RowKey[] {
  if (command.kind !== 'create' || command.linked_request_id === undefined) return []
  return [{ account_id: command.account_id, id: command.linked_request_id }]
}

function paidBy({ account_id, transaction_id: id }: RequestState): RowKey[] {
  return id === null ? [] : [{ account_id, id }]
}

/** The payments that new refunds link to, and those of the refunds in `rows`. */
function paymentsIn(commands: Command[], rows: TransactionRow[]): RowKey[] {
  const linked = commands.flatMap((command) =>
    command.kind === 'create' ? rowKeysOf(command) : [],
  )
  return [...linked, ...refundedPayments(rows)]
}

function refundedPayments(rows: TransactionRow[]): RowKey[] {
  return rows.flatMap(({ account_id, refund_of: id }) => (id === null ? [] : [{ account_id, id }]))
}

/** The payments whose refunds this batch may settle. */
function paymentsOfSettledRefunds(commands: Command[], rows: TransactionRow[]): RowKey[] {
  const succeeding = new Set(
    commands.flatMap((command) =>
      command.kind === 'end' && command.to === 'succeeded' ? [command.id] : [],
    ),
  )
  return refundedPayments(rows.filter(({ id }) => succeeding.has(id)))
}

function refundsThatSucceeded(set: TransactionSet): TransactionRow[] {
  return [...set.changed].flatMap(([row, stored_status]) => {
    const succeeded = row.status === 'succeeded' && stored_status === 'pending'
    return succeeded && row.refund_of !== null ? [row] : []
  })
}

/** Sends the transactions of a set; also used outside the lanes. */
export function writeTransactions(tx: Tx, set: TransactionSet): void {
  if (set.inserted.length > 0) sendNewTransactions(tx, set.inserted)
  if (set.changed.size > 0) sendTransactionChanges(tx, [...set.changed])
  if (set.refunds_touched.size > 0) {
    const totals = [...set.refunds_touched].map((key) => set.refunded.get(key)!)
    sendRefundTotals(tx, totals)
  }
}

// Cancels the pending transactions of a closed account, one page at a time. Callers hold the
// account's lock.
/** Returns the ids of the canceled transactions. */
export async function cancelPending(tx: Tx, lock: AccountLock, page: IdPage): Promise<string[]> {
  const rows = await selectPendingOf(tx, lock.account_id, page)
  const payments = refundedPayments(rows)
  const refunded = payments.length === 0 ? [] : await selectRefundTotals(tx, payments)
  const set = new TransactionSet(new LockedAccounts(tx.now, [lock]), { rows, refunded })
  for (const row of rows) decide(set, cancelCommand(row))
  writeChanges(tx, set, writeTransactions)
  return rows.map(({ id }) => id)
}
