// Collects what a reader finds in one statement, and returns its parts in order.

import { invalid, missing } from './bank-file-error.ts'
import {
  type BankBalance,
  type BankEntry,
  type BankTransaction,
  type Direction,
  type StatementEnd,
  type StatementFormat,
  type StatementPart,
  type StatementStart,
  signedAmount,
} from './statement.ts'

/** An entry before it is identified. */
export type DraftEntry = Omit<BankEntry, 'fingerprint' | 'occurrence'>

export type DraftPart = Exclude<StatementPart, { kind: 'entry' }> | ({ kind: 'entry' } & DraftEntry)

export class StatementBuilder {
  /** Complete it before the first entry. */
  readonly start: StatementStart
  readonly #line: number
  #opening: BankBalance | null = null
  #closing: BankBalance | null = null
  #has_started = false
  #entry_count = 0
  // Amounts of hostile files can add up to more than a number holds.
  #booked_sum = 0n
  readonly #currencies = new Set<string>()

  constructor(format: StatementFormat, line: number) {
    this.#line = line
    const account = { iban: null, number: null }
    this.start = { format, id: null, sequence: null, account, currency: null }
  }

  setBalances(opening: BankBalance | null, closing: BankBalance | null): void {
    this.#opening = opening
    this.#closing = closing
    this.start.currency ??= opening?.currency ?? closing?.currency ?? null
  }

  *add(entry: DraftEntry): Generator<DraftPart> {
    this.start.currency ??= entry.currency
    yield* this.#begin()
    this.#entry_count += 1
    if (entry.is_booked) {
      this.#booked_sum += BigInt(signedAmount(entry))
      this.#currencies.add(entry.currency)
    }
    yield { kind: 'entry', ...entry }
  }

  *end(): Generator<DraftPart> {
    yield* this.#begin()
    yield { kind: 'end', ...this.#summary() }
  }

  *#begin(): Generator<DraftPart> {
    if (this.#has_started) return
    this.#has_started = true
    const { iban, number } = this.start.account
    if (iban === null && number === null) {
      throw missing({ line: this.#line }, 'the account of the statement')
    }
    yield { kind: 'start', ...this.start }
  }

  #summary(): StatementEnd {
    const booked_sum = Number(this.#booked_sum)
    if (!Number.isSafeInteger(booked_sum)) {
      const rule = 'the sum of all entries must have at most 15 digits'
      throw invalid({ line: this.#line }, rule, String(this.#booked_sum))
    }
    return {
      currency: this.start.currency,
      opening: this.#opening,
      closing: this.#closing,
      entry_count: this.#entry_count,
      booked_sum,
      difference: this.#difference(),
    }
  }

  #difference(): number | null {
    const [opening, closing] = [this.#opening, this.#closing]
    if (opening === null || closing === null) return null
    const currencies = new Set([...this.#currencies, opening.currency, closing.currency])
    if (currencies.size > 1) return null
    return Number(BigInt(closing.amount) - BigInt(opening.amount) - this.#booked_sum)
  }
}

/** Whether all transactions of an entry are known, and their sum is the amount of the entry. */
export function addsUp(
  entry: Pick<BankEntry, 'amount' | 'direction'>,
  transactions: readonly BankTransaction[],
  transaction_count: number,
): boolean {
  if (transactions.length !== Math.max(transaction_count, 1)) return false
  const sum = transactions.reduce((total, one) => total + BigInt(signedAmount(one)), 0n)
  return sum === BigInt(signedAmount(entry))
}

/** A direction and an amount from a signed amount. */
export function splitSign(signed: number): { amount: number; direction: Direction } {
  return { amount: Math.abs(signed), direction: signed < 0 ? 'debit' : 'credit' }
}
