// The payment requests that bank entries may pay: those that an entry names by reference or id, and
// for the proposals those with a similar reference or the same amount.

import { correctionsOf } from '../bank/correct-reference.ts'
import {
  findCreditorReferences,
  findMistypedReferences,
  referenceOfPayment,
} from '../bank/creditor-reference.ts'
import type { MatchCandidate } from '../bank/match-transaction.ts'
import { findByReference, findPaymentsById, findRecentlyOpened } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/payment.ts'
import type { Queryable } from '../postgres/database.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import type { EntryRow } from './bank-entry.ts'

export type FindCandidates = (entry: EntryRow) => PaymentRow[]

/**
 * Reads the candidates of all entries at once. Each entry has its own, so that what it is shared a
 * round with does not change its proposals.
 */
export async function findCandidates(db: Queryable, entries: EntryRow[]): Promise<FindCandidates> {
  const named = new Map(entries.map((entry) => [entry.id, namesIn(entry)]))
  const names = [...named.values()]
  const references = [...new Set(names.flatMap((one) => one.references))]
  const ids = [...new Set(names.flatMap((one) => one.ids))]
  const by_reference = groupBy(await findByReference(db, references), ({ id }) =>
    referenceOfPayment(id),
  )
  const by_id = groupBy(await findPaymentsById(db, ids), ({ id }) => id)
  const by_amount = groupBy(await findRecentlyOpened(db, entries), amountKey)
  return (entry) => {
    const { references, ids } = named.get(entry.id)!
    const rows = [
      ...references.flatMap((reference) => by_reference.get(reference) ?? []),
      ...ids.flatMap((id) => by_id.get(id) ?? []),
      ...(by_amount.get(amountKey(entry)) ?? []),
    ]
    return [...new Map(rows.map((row) => [row.id, row])).values()]
  }
}

function groupBy(
  rows: PaymentRow[],
  keyOf: (row: PaymentRow) => string,
): Map<string, PaymentRow[]> {
  return Map.groupBy(rows, keyOf)
}

function amountKey({ amount, currency }: Pick<PaymentRow, 'amount' | 'currency'>): string {
  return `${amount} ${currency}`
}

// A text of two thousand characters can consist of mistyped references.
const mistyped_max = 5

/** What the texts of an entry may name, also with a typing error. */
function namesIn(entry: EntryRow): { references: string[]; ids: string[] } {
  const texts = [entry.creditor_reference, entry.end_to_end_id, entry.remittance].filter(
    (text) => text !== null,
  )
  const mistyped = texts.flatMap(findMistypedReferences).slice(0, mistyped_max)
  return {
    references: [...texts.flatMap(findCreditorReferences), ...mistyped.flatMap(correctionsOf)],
    ids: texts.flatMap(findPaymentIds),
  }
}

// Banks change case, add spaces, and replace the underscore.
const payment_id = /pay(?=([0-7][0-9a-hjkmnp-tv-z]{25}))/g

function findPaymentIds(text: string): string[] {
  const compact = text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  return [...compact.matchAll(payment_id)].flatMap(([, body]) => {
    const id = findUuid('payment', `pay_${body}`)
    return id === undefined ? [] : [id]
  })
}

const states = { pending: 'open', succeeded: 'paid', failed: 'ended', canceled: 'ended' } as const

/** A payment request, as the matching reads it. */
export function candidateOf(row: PaymentRow): MatchCandidate {
  return {
    id: row.id,
    direction: 'credit',
    amount: row.amount,
    currency: row.currency,
    references: [referenceOfPayment(row.id), toTypeId('payment', row.id)],
    state: states[row.status],
    counterparty_name: null,
  }
}
