// The words of the reconciliation pages.

import type { Reconciliation, Settlement } from '../../api/api-types.ts'

type Line = Reconciliation['lines'][number]['line']

export const line_names: Record<Line, string> = {
  charges: 'Charges',
  fees: 'Fees of charges',
  refunds: 'Refunds',
  disputes: 'Disputes',
  other: 'Other',
  settled: 'Settled to the bank',
  remainder: 'Remainder of settlements',
  balance: 'Left at the provider',
  payouts: 'Payouts and refunds',
  bank_fees: 'Fees of returns',
  open: 'Not matched',
}

export const kind_names: Record<Settlement['lines'][number]['kind'], string> = {
  charge: 'Charges',
  refund: 'Refunds',
  dispute: 'Disputes',
  other: 'Other',
  remainder: 'Remainder',
}

/** How the status of a settlement is shown. */
export const status_looks: Record<Settlement['status'], { of: string; label?: string }> = {
  pending: { of: 'pending' },
  in_transit: { of: 'pending', label: 'In transit' },
  paid: { of: 'succeeded', label: 'Paid' },
  failed: { of: 'failed' },
  canceled: { of: 'canceled' },
}

export function remainderOf({ lines }: Settlement): number {
  return lines.find(({ kind }) => kind === 'remainder')?.net ?? 0
}
