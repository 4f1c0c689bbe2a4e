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
  'bank_fees',
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

/** Lines are added as they are read, so that the report needs no memory for each row. */
export class LineSums {
  readonly #sums = new Map<string, ReconciledLine>()

  add(one: ReconciledLine): void {
    const key = `${one.provider} ${one.currency} ${one.line}`
    const sum = this.#sums.get(key)
    if (sum === undefined) return void this.#sums.set(key, { ...one })
    sum.ledger = plus(sum.ledger, one.ledger)
    sum.at_provider = plus(sum.at_provider, one.at_provider)
    sum.at_bank = plus(sum.at_bank, one.at_bank)
    sum.in_progress += one.in_progress
    sum.difference += one.difference
  }

  addAll(lines: Iterable<ReconciledLine>): void {
    for (const line of lines) this.add(line)
  }

  /** One line of each kind, provider and currency. A side that no part has stays null. */
  list(): ReconciledLine[] {
    return inReportOrder([...this.#sums.values()])
  }
}

function plus(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : one + other
}

function inReportOrder(lines: ReconciledLine[]): ReconciledLine[] {
  const keyOf = ({ provider, currency, line }: ReconciledLine) =>
    `${provider} ${currency} ${reconciledLines.indexOf(line)}`
  return lines.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

type BankSides = Pick<ReconciledLine, 'ledger' | 'at_bank'> & { in_progress?: number }

/** A line without a provider. */
export function bankLine(
  line: ReconciledLine['line'],
  currency: string,
  { ledger, at_bank, in_progress = 0 }: BankSides,
): ReconciledLine {
  const difference = ledger === null || at_bank === null ? 0 : ledger - at_bank - in_progress
  const of = { provider: 'bank_transfer' as const, currency, line, at_provider: null }
  return { ...of, ledger, at_bank, in_progress, difference }
}
