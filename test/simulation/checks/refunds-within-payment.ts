// Refunds of a payment, pending and succeeded together, never exceed its amount at any point of the
// replayed postings. The provider decides about refunds of its charges, and its dashboard does not
// know which refunds Florin is about to send, so these are compared with the provider instead.

import type { History } from '../history.ts'
import { inOrder } from './postings-replayed.ts'

export function refundsWithinPayment({ final }: History): string[] {
  const rows = new Map(final.transactions.map((row) => [row.id, row]))
  const refunded = new Map<string, number>()
  const found = new Set<string>()
  const charged = new Set(final.recorded.charges.map((charge) => charge.transaction))
  for (const { transaction, movement, amount } of inOrder(final.postings)) {
    const refund = rows.get(transaction)
    if (refund?.refund_of == null) continue
    const payment = rows.get(refund.refund_of)
    const change = movement === 'hold' ? amount : movement === 'release' ? -amount : 0
    const sum = (refunded.get(refund.refund_of) ?? 0) + change
    refunded.set(refund.refund_of, sum)
    if (payment === undefined || payment.type !== 'payment' || payment.status !== 'succeeded') {
      found.add(`${refund.id} refunds ${refund.refund_of}, which is not a succeeded payment`)
    } else if (sum > payment.amount && !charged.has(payment.id)) {
      found.add(`${payment.id} of ${payment.amount} had ${sum} refunded`)
    }
  }
  return [...found]
}
