// What transactions need to know about payment requests. payments/ stands above this folder and
// alone reads its tables, so these functions are passed in where the lanes are created. A refund
// cannot rely on `metadata.payment_request` instead, because the account can change metadata.

import type { Queryable, Tx } from '../postgres/database.ts'
import type { TransactionRow } from './transaction.ts'

type RowKey = Pick<TransactionRow, 'account_id' | 'id'>

/** A payment request as a refund sees it. */
export interface RequestState extends RowKey {
  status: TransactionRow['status']
  /** Set once it is paid. */
  transaction_id: string | null
}

export interface PaymentRequests {
  /** The requests with these ids. Runs after the account locks, so paid or not is final. */
  find(tx: Queryable, names: RowKey[]): Promise<RequestState[]>
  /** Reads what the emails about refunds of these payments need. */
  prepareRefundEmails(tx: Queryable, payments: RowKey[]): Promise<QueueRefundEmails>
}

/** Queues an email for each refund of a payment request; other refunds have no known customer. */
export type QueueRefundEmails = (tx: Tx, refunds: TransactionRow[]) => void

export const noPaymentRequests: PaymentRequests = {
  find: async () => [],
  prepareRefundEmails: async () => () => {},
}
