/**
 * The payment that a refund names. Only a refund is of another transaction: whoever numbers orders
 * as txn_7 has payments with such a reference, and these are of nothing.
 */
export function refundedBy(one: { type: string; reference: string | null }): string | undefined {
  const { type, reference } = one
  return type === 'refund' && reference?.startsWith('txn_') ? reference : undefined
}
