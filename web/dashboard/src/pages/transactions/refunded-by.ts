/**
 * The id of the payment that a refund refers to. Checks the type, because the reference of a
 * payment is free text and may also look like "txn_7".
 */
export function refundedBy(one: { type: string; reference: string | null }): string | undefined {
  const { type, reference } = one
  return type === 'refund' && reference?.startsWith('txn_') ? reference : undefined
}
