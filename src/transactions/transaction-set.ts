// The transactions of a batch, with the refund totals of payments.

import type { LockedAccounts } from '../lanes/locked-accounts.ts'
import { RowSet, rowKey } from '../lanes/row-set.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { QueueRefundEmails, RequestState } from './payment-requests.ts'
import { type TransactionRow, wholeJson } from './transaction.ts'

interface LoadedTransactions {
  rows?: TransactionRow[]
  refunded?: RefundTotal[]
  requests?: RequestState[]
  /** Given if the batch may settle refunds of payment requests. */
  queueRefundEmails?: QueueRefundEmails | undefined
}

export class TransactionSet extends RowSet<TransactionRow> {
  /** The refund totals of payments, by rowKey. */
  readonly refunded: Map<string, RefundTotal>
  /** Keys of the totals that have changed. */
  readonly refunds_touched = new Set<string>()
  /** The payment requests that refunds name by their id. */
  readonly requests: Map<string, RequestState>
  readonly queueRefundEmails: QueueRefundEmails | undefined

  constructor(locked: LockedAccounts, loaded: LoadedTransactions = {}) {
    super(locked, loaded.rows ?? [], { jsonOf: wholeJson, unknown: unknownTransaction })
    this.queueRefundEmails = loaded.queueRefundEmails
    this.refunded = new Map(
      loaded.refunded?.map((total) => [rowKey(total.account_id, total.payment_id), total]),
    )
    this.requests = new Map(
      loaded.requests?.map((request) => [rowKey(request.account_id, request.id), request]),
    )
  }

  findRequest(account_id: string, id: string): RequestState | undefined {
    return this.requests.get(rowKey(account_id, id))
  }

  /** A new refund adds its amount; a failed or canceled refund passes a negative amount. */
  addRefunded(account_id: string, payment_id: string, amount: number): void {
    const total = this.#refundTotal(account_id, payment_id)
    this.#changeRefunds({ ...total, amount: total.amount + amount })
  }

  settleRefund(account_id: string, payment_id: string, amount: number, at: Date): void {
    const total = this.#refundTotal(account_id, payment_id)
    const succeeded_amount = total.succeeded_amount + amount
    this.#changeRefunds({ ...total, succeeded_amount, last_succeeded_at: at })
  }

  /** The sum of pending and succeeded refunds, which counts against the payment's amount. */
  refundedOf(account_id: string, payment_id: string): number {
    return this.#refundTotal(account_id, payment_id).amount
  }

  #changeRefunds(total: RefundTotal): void {
    const key = rowKey(total.account_id, total.payment_id)
    this.refunded.set(key, total)
    this.refunds_touched.add(key)
  }

  #refundTotal(account_id: string, payment_id: string): RefundTotal {
    const known = this.refunded.get(rowKey(account_id, payment_id))
    const none = { amount: 0, succeeded_amount: 0, last_succeeded_at: null }
    return known ?? { account_id, payment_id, ...none }
  }
}

export interface RefundTotal {
  account_id: string
  payment_id: string
  /** Pending and succeeded refunds together. */
  amount: number
  succeeded_amount: number
  last_succeeded_at: Date | null
}

export function unknownTransaction(): Refusal {
  return new Refusal('not_found', 'No transaction with this id exists.')
}
