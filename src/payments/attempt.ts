// A customer's attempt to pay a request by card, as a row and as JSON.

import { toIso } from '../primitives/time.ts'
import type { CardSummary, DeclineCode } from '../processors/processor.ts'

export interface AttemptRow {
  account_id: string
  payment_id: string
  /** Numbered from one within the request. */
  number: number
  created_at: Date
  outcome: 'succeeded' | 'declined'
  decline_code: DeclineCode | null
  card_brand: CardSummary['brand']
  card_last4: string
}

export interface Attempt {
  number: number
  created_at: string
  outcome: AttemptRow['outcome']
  decline_code: DeclineCode | null
  card: CardSummary
}

export function presentAttempt(row: AttemptRow): Attempt {
  return {
    number: row.number,
    created_at: toIso(row.created_at),
    outcome: row.outcome,
    decline_code: row.decline_code,
    card: { brand: row.card_brand, last4: row.card_last4 },
  }
}
