// The access to payment requests that transactions need. This folder must not import payments/,
// which imports it, so these functions are passed in where the lanes are created.
// A refund cannot rely on `metadata.payment_request`, because the account can change metadata.

import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { TransactionRow } from './transaction.ts'

/** The part of a payment request that refunds need. */
export interface RequestState extends RowKey {
  status: TransactionRow['status']
  /** Set once it is paid. */
  transaction_id: string | null
}

export interface PaymentRequests {
  /** The requests with these ids. Runs under the account locks, so the result cannot change. */
  find(tx: Queryable, names: RowKey[]): Promise<RequestState[]>
  /** Reads the data for emails about refunds of these payments. */
  prepareRefundEmails(tx: Queryable, payments: RowKey[]): Promise<QueueRefundEmails>
}

/** Queues an email for each refund of a payment request; other refunds have no known customer. */
export type QueueRefundEmails = (tx: Tx, refunds: TransactionRow[]) => void

export const noPaymentRequests: PaymentRequests = {
  find: async () => [],
  prepareRefundEmails: async () => () => {},
}
