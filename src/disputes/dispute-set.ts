// The disputes of a batch, on top of its transactions: a dispute moves the money of a payment.

import type { AccountRow } from '../accounts/account.ts'
import type { Notice } from '../email/email.ts'
import { queueNotices } from '../email/notices.ts'
import { RowSet } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import type { TransactionSet } from '../transactions/transaction-set.ts'
import { type DisputeRow, presentDispute, unknownDispute } from './dispute.ts'
import {
  type PaymentKey,
  selectDisputesOf,
  sendDisputeChanges,
  sendNewDisputes,
} from './queries.ts'

export class DisputeSet extends RowSet<DisputeRow> {
  readonly transactions: TransactionSet
  /** For the emails to the owner: its address, name, language and time zone. */
  readonly accounts: ReadonlyMap<string, AccountRow>
  readonly emails: Notice[] = []

  constructor(
    transactions: TransactionSet,
    accounts: ReadonlyMap<string, AccountRow>,
    rows: DisputeRow[] = [],
  ) {
    super(transactions.locked, rows, { jsonOf, unknown: unknownDispute })
    this.transactions = transactions
    this.accounts = accounts
  }

  /** The disputes of a charge. All of them are loaded, or none exists. */
  of({ account_id, transaction_id }: ChargeRow): DisputeRow[] {
    const rows = [...this.rows.values()]
    return rows.filter(
      (row) => row.account_id === account_id && row.transaction_id === transaction_id,
    )
  }
}

const jsonOf = (row: DisputeRow) => JSON.stringify(presentDispute(row))

/** Reads all disputes of these payments, under the account locks. */
export async function loadDisputes(tx: Queryable, payments: PaymentKey[]): Promise<DisputeRow[]> {
  return payments.length === 0 ? [] : selectDisputesOf(tx, payments)
}

/** Sends the disputes of a set and their emails, but not its transactions and charges. */
export function writeDisputes(tx: Tx, set: DisputeSet): void {
  if (set.inserted.length > 0) sendNewDisputes(tx, set.inserted)
  if (set.changed.size > 0) sendDisputeChanges(tx, [...set.changed.keys()])
  queueNotices(tx, set.emails)
}
