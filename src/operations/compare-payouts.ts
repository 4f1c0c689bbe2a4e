// Compares payouts and refunds by transfer that the ledger has paid with the bank entries that show
// them. Each row is added once and forgotten: only a sum per entry is kept.

import type { SettledEntry, StatementCoverage } from '../bank-statements/reconcile-entries.ts'
import { return_fee_max } from '../payouts/settle-outgoing.ts'
import type { Difference } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import type { BankComparison, PaidOut } from './reconcile-bank.ts'
import { bankLine, LineSums } from './reconciled-line.ts'

export class PayoutComparison {
  readonly #days_of: ReadonlyMap<string, StatementCoverage>
  readonly #offset_ms: number
  readonly #sums = new LineSums()
  readonly #differences: Difference[] = []
  /** What the ledger has for each entry, and in how many rows: it can show a whole file. */
  readonly #named = new Map<string, { amount: number; rows: number }>()

  /** `offset_ms`: by which business time is ahead of real time, which banks use. */
  constructor(coverage: readonly StatementCoverage[], offset_ms: number) {
    this.#days_of = new Map(coverage.map((days) => [days.currency, days]))
    this.#offset_ms = offset_ms
  }

  addPayouts(payouts: readonly PaidOut[]): void {
    for (const row of payouts) {
      const may_follow = this.#mayFollow(row)
      for (const { entry_id, amount } of movesOf(row)) {
        const in_progress = entry_id === null && may_follow ? amount : 0
        this.#sums.add(
          bankLine('payouts', row.currency, { ledger: amount, at_bank: 0, in_progress }),
        )
        if (entry_id !== null) this.#name(entry_id, amount)
        else if (!may_follow) this.#differences.push(notShown(row, amount))
      }
    }
  }

  /** After all payouts, which are recorded before their entry has settled. */
  addEntries(entries: readonly SettledEntry[]): void {
    for (const { id, settles, amount, currency, is_recent } of entries) {
      const { amount: ledger, rows } = this.#named.get(id) ?? nothing_named
      this.#named.delete(id)
      if (settles === null) {
        // Some of its payouts are recorded, and others follow.
        if (ledger !== 0) this.#add(currency, 0, ledger)
        continue
      }
      const missing = ledger - amount
      if (amount > 0 && rows === 1 && missing > 0 && missing <= return_fee_max) {
        // Only a person accepts a return with less. The operator has paid the rest.
        this.#add(currency, ledger, 0)
        const fee = { ledger: null, at_bank: 0 - missing }
        this.#sums.add(bankLine('bank_fees', currency, fee))
        continue
      }
      // What it settles may have been read before.
      this.#add(currency, amount, is_recent ? ledger - amount : 0)
      if (!is_recent && amount !== ledger) this.#differences.push(notPaid(id, amount - ledger))
    }
  }

  end(): BankComparison {
    const differences = [...this.#differences]
    for (const [id, { amount }] of this.#named) {
      if (amount !== 0) differences.push(notPaid(id, 0 - amount))
    }
    return { lines: this.#sums.list(), differences }
  }

  #add(currency: string, at_bank: number, in_progress: number): void {
    this.#sums.add(bankLine('payouts', currency, { ledger: 0, at_bank, in_progress }))
  }

  #name(entry_id: string, amount: number): void {
    const before = this.#named.get(entry_id) ?? nothing_named
    this.#named.set(entry_id, { amount: before.amount + amount, rows: before.rows + 1 })
  }

  /** Whether a statement that is not imported yet may show it. */
  #mayFollow({ currency, updated_at }: PaidOut): boolean {
    const days = this.#days_of.get(currency)
    if (days === undefined) return true
    const at_ms = updated_at.getTime() - this.#offset_ms
    // Also those from before the first statement.
    if (at_ms - transfer_ms < Date.parse(days.from_day)) return true
    return at_ms + transfer_ms > Date.parse(days.until_day)
  }
}

// Weekends and holidays.
const transfer_ms = 5 * 86_400_000

const nothing_named = { amount: 0, rows: 0 }

function movesOf(row: PaidOut): { entry_id: string | null; amount: number }[] {
  const paid = { entry_id: row.paid_entry_id, amount: 0 - row.amount }
  const returned = { entry_id: row.returned_entry_id, amount: row.amount }
  return row.status === 'returned' ? [paid, returned] : [paid]
}

function notShown({ account_id, id, kind, currency }: PaidOut, amount: number): Difference {
  return {
    rule: 'payout_is_at_the_bank',
    account_id: toTypeId('account', account_id),
    object: toTypeId(kind, id),
    found: 'nothing at the bank',
    expected: `${amount} ${currency}, as in the ledger`,
  }
}

function notPaid(entry_id: string, amount: number): Difference {
  return {
    rule: 'payout_is_at_the_bank',
    account_id: null,
    object: toTypeId('bank_entry', entry_id),
    found: `${amount} more at the bank than its payouts`,
    expected: 'the sum of its payouts',
  }
}
