// A line of the reconciliation report: the ledger, a provider and the bank side by side.

import type { ProviderName } from '../processors/provider.ts'

/** In the order of the report. */
export const reconciledLines = [
  'charges',
  'fees',
  'refunds',
  'disputes',
  'other',
  'settled',
  'remainder',
  'balance',
  'payouts',
  'open',
] as const

export interface ReconciledLine {
  /** `bank_transfer`: what payers transfer to the operator's bank account, and payouts from it. */
  provider: ProviderName | 'bank_transfer'
  currency: string
  line: (typeof reconciledLines)[number]
  /** Null if the line does not exist on this side. */
  ledger: number | null
  at_provider: number | null
  at_bank: number | null
  in_progress: number
  difference: number
}

/** One line of each kind, provider and currency. A side that no part has stays null. */
export function mergeLines(lines: ReconciledLine[]): ReconciledLine[] {
  const merged = new Map<string, ReconciledLine>()
  const plus = (one: number | null, other: number | null) =>
    one === null || other === null ? (one ?? other) : one + other
  for (const one of lines) {
    const key = `${one.provider} ${one.currency} ${one.line}`
    const sum = merged.get(key)
    merged.set(
      key,
      sum === undefined
        ? one
        : {
            ...sum,
            ledger: plus(sum.ledger, one.ledger),
            at_provider: plus(sum.at_provider, one.at_provider),
            at_bank: plus(sum.at_bank, one.at_bank),
            in_progress: sum.in_progress + one.in_progress,
            difference: sum.difference + one.difference,
          },
    )
  }
  return inReportOrder([...merged.values()])
}

function inReportOrder(lines: ReconciledLine[]): ReconciledLine[] {
  const keyOf = ({ provider, currency, line }: ReconciledLine) =>
    `${provider} ${currency} ${reconciledLines.indexOf(line)}`
  return lines.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}
