// The transactions of a batch, with the refund totals of payments, the charges that paid them, and
// the refunds that providers pay out.

import type { LockedAccounts } from '../lanes/locked-accounts.ts'
import { RowSet, rowKey } from '../lanes/row-set.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { ChargeRow, ProviderRefundRow } from './charge.ts'
import type { QueueRefundEmails, RequestState } from './payment-requests.ts'
import { type TransactionRow, wholeJson } from './transaction.ts'

/** What `loadCharges` reads about charges. */
export interface LoadedCharges {
  /** The payments and their refunds at the provider. */
  rows: TransactionRow[]
  refunded: RefundTotal[]
  charges: ChargeRow[]
  provider_refunds: ProviderRefundRow[]
}

export interface LoadedTransactions extends Partial<LoadedCharges> {
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
  /** By rowKey of the payment. */
  readonly charges: Map<string, ChargeRow>
  /** New and changed charges. */
  readonly charges_touched = new Set<ChargeRow>()
  /** By rowKey of the refund. */
  readonly provider_refunds: Map<string, ProviderRefundRow>
  /** New and changed refunds. */
  readonly provider_refunds_touched = new Set<ProviderRefundRow>()

  constructor(locked: LockedAccounts, loaded: LoadedTransactions = {}) {
    super(locked, loaded.rows ?? [], { jsonOf: wholeJson, unknown: unknownTransaction })
    this.queueRefundEmails = loaded.queueRefundEmails
    this.refunded = new Map(
      loaded.refunded?.map((total) => [rowKey(total.account_id, total.payment_id), total]),
    )
    this.requests = new Map(
      loaded.requests?.map((request) => [rowKey(request.account_id, request.id), request]),
    )
    this.charges = new Map(
      loaded.charges?.map((charge) => [rowKey(charge.account_id, charge.transaction_id), charge]),
    )
    this.provider_refunds = new Map(
      loaded.provider_refunds?.map((refund) => [rowKey(refund.account_id, refund.id), refund]),
    )
  }

  findRequest(account_id: string, id: string): RequestState | undefined {
    return this.requests.get(rowKey(account_id, id))
  }

  /** The charge that paid this transaction. */
  findCharge(account_id: string, transaction_id: string): ChargeRow | undefined {
    return this.charges.get(rowKey(account_id, transaction_id))
  }

  insertCharge(charge: ChargeRow): void {
    this.charges.set(rowKey(charge.account_id, charge.transaction_id), charge)
    this.charges_touched.add(charge)
  }

  changeCharge(charge: ChargeRow, changes: Partial<Pick<ChargeRow, 'fee' | 'is_disputed'>>): void {
    this.charges_touched.add(Object.assign(charge, changes))
  }

  findProviderRefund(account_id: string, id: string): ProviderRefundRow | undefined {
    return this.provider_refunds.get(rowKey(account_id, id))
  }

  insertProviderRefund(refund: ProviderRefundRow): void {
    this.provider_refunds.set(rowKey(refund.account_id, refund.id), refund)
    this.provider_refunds_touched.add(refund)
  }

  changeProviderRefund(refund: ProviderRefundRow, changes: Partial<ProviderRefundRow>): void {
    this.provider_refunds_touched.add(Object.assign(refund, changes))
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

  /** A succeeded refund failed at the provider: its amount can be refunded again. */
  revertRefund(account_id: string, payment_id: string, amount: number): void {
    const total = this.#refundTotal(account_id, payment_id)
    const succeeded_amount = total.succeeded_amount - amount
    const last_succeeded_at = succeeded_amount === 0 ? null : total.last_succeeded_at
    const left = { amount: total.amount - amount, succeeded_amount, last_succeeded_at }
    this.#changeRefunds({ ...total, ...left })
  }

  override savepoint(account_id: string): () => void {
    const undo = super.savepoint(account_id)
    const restores = [
      copyOf(this.refunded, ([key, total]) => this.refunded.set(key, total)),
      copyOf(this.refunds_touched, (key) => this.refunds_touched.add(key)),
      copyOf(this.provider_refunds, ([key, refund]) => this.provider_refunds.set(key, refund)),
      copyOf(this.provider_refunds_touched, (refund) => this.provider_refunds_touched.add(refund)),
    ]
    return () => {
      undo()
      for (const restore of restores) restore()
    }
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

/** Copies a map or set. Returns a function that restores it. */
function copyOf<Item>(
  collection: Iterable<Item> & { clear(): void },
  put: (item: Item) => unknown,
): () => void {
  const items = [...collection]
  return () => {
    collection.clear()
    for (const item of items) put(item)
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
