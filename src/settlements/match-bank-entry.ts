// Decides which settlement of a provider an entry of a bank statement shows. A pure function: the
// same entry and candidates give the same result.

import { findCreditorReferences, uuidDigitsOf } from '../bank/creditor-reference.ts'
import { idPrefixes } from '../primitives/ids.ts'
import type { ProviderName } from '../processors/provider.ts'

/** The part of an entry on a bank statement that the matching reads. */
export interface BankMovement {
  amount: number
  currency: string
  direction: 'credit' | 'debit'
  is_reversal: boolean
  return_reason: string | null
  /** YYYY-MM-DD. */
  booked_on: string | null
  bank_reference: string | null
  end_to_end_id: string | null
  creditor_reference: string | null
  counterparty_name: string | null
  description: string | null
  remittance: string | null
}

/** A settlement that no entry shows yet. */
export interface SettlementCandidate {
  id: string
  provider: ProviderName
  /** Negative if the provider debits the bank account. */
  amount: number
  currency: string
  arrives_at: Date
  reference_lines: string
}

/** What a settlement has that this entry shows: a debit is negative. */
export function settledAmount({ amount, direction }: BankMovement): number {
  return direction === 'credit' ? amount : 0 - amount
}

/**
 * An entry names a settlement by its reference. Banks often cut references, so a settlement is also
 * found by the name of its provider, the amount and the day. What a payer writes is not this name,
 * and an entry that names a payment request is its money. Undefined if several are possible: a
 * wrong match would hide a missing transfer.
 */
export function matchBankEntry(
  entry: BankMovement,
  candidates: readonly SettlementCandidate[],
): SettlementCandidate | undefined {
  if (entry.is_reversal || entry.return_reason !== null) return undefined
  const amount = settledAmount(entry)
  const possible = candidates.filter(
    (one) => one.amount === amount && one.currency === entry.currency && isInTime(one, entry),
  )
  const texts = compactAll([entry.bank_reference, ...payerTexts(entry), ...namesIn(entry)])
  const named = possible.filter(({ reference_lines }) =>
    reference_lines.split('\n').some((line) => includesText(texts, line)),
  )
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  if (namesRequest(entry)) return undefined
  const names = compactAll(namesIn(entry))
  return closest(
    possible.filter(({ provider }) => includesText(names, provider)),
    entry,
  )
}

// Provider and bank count days in their time zones, weekends delay a transfer, and some arrive
// before the day that was announced.
const days_max = 7

function isInTime(candidate: SettlementCandidate, entry: BankMovement): boolean {
  return Math.abs(daysBetween(candidate, entry) ?? 0) <= days_max
}

/** Null if the entry has no date. */
function daysBetween({ arrives_at }: SettlementCandidate, entry: BankMovement): number | null {
  if (entry.booked_on === null) return null
  return Math.round((Date.parse(entry.booked_on) - arrives_at.getTime()) / 86_400_000)
}

function payerTexts({ end_to_end_id, creditor_reference, remittance }: BankMovement) {
  return [end_to_end_id, creditor_reference, remittance]
}

function namesIn({ counterparty_name, description }: BankMovement) {
  return [counterparty_name, description]
}

const payment_id = new RegExp(`${idPrefixes.payment}[0-7][0-9a-hjkmnp-tv-z]{25}`, 'i')

function namesRequest(entry: BankMovement): boolean {
  const texts = payerTexts(entry).filter((text) => text !== null)
  return (
    texts.flatMap(findCreditorReferences).some((one) => uuidDigitsOf(one) !== undefined) ||
    compactAll(texts).some((text) => payment_id.test(text))
  )
}

function compactAll(texts: (string | null)[]): string[] {
  return texts.flatMap((text) => (text === null ? [] : compact(text)))
}

// A shorter reference occurs by chance.
const reference_min = 6

function includesText(texts: string[], text: string): boolean {
  const wanted = compact(text)
  return wanted.length >= reference_min && texts.some((one) => one.includes(wanted))
}

/** Banks change case, and add spaces and signs. */
function compact(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
}

/** Undefined if two are equally close. */
function closest(
  candidates: SettlementCandidate[],
  entry: BankMovement,
): SettlementCandidate | undefined {
  const days = (one: SettlementCandidate) => Math.abs(daysBetween(one, entry) ?? 0)
  const [first, second] = candidates.toSorted((one, other) => days(one) - days(other))
  if (first === undefined || second === undefined) return first
  return days(first) < days(second) ? first : undefined
}
