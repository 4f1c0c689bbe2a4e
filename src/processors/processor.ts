// A processor is a small port: it says when a new transaction settles by itself, and how, and what
// comes of a customer's card. It talks, and does not remember.

import { type CardOutcome, findTestCard } from './test-cards.ts'

export interface Card {
  /** Digits alone. Kept nowhere, and part of no message. */
  number: string
}

/** Refused: not a card that can be asked. Nothing was tried, so nothing is counted. */
export type CardResult = CardOutcome | 'refused'

/** Why a card was declined. The sandbox uses the first two. */
export type DeclineCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'

/** What may be stored and shown of a card. */
export interface CardSummary {
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown'
  last4: string
}

/** An attempt to pay that the processor judged. A code means that it was declined. */
export interface CardAttempt {
  card: CardSummary
  decline_code: DeclineCode | null
}

export interface Processor {
  name: 'sandbox' | 'manual'
  /** After how long a new transaction is due; undefined when only an operator settles. */
  settle_after_ms: number | undefined
  /** How a transaction that is due ends. */
  outcomeOf(transaction: { metadata: string | null }): 'succeeded' | 'failed'
  /** Undefined when no cards are taken. */
  chargeCard: ((card: Card) => Promise<CardResult>) | undefined
}

export function chooseProcessor(config: {
  processor: Processor['name']
  settle_after_s: number
}): Processor {
  return config.processor === 'manual' ? manualProcessor : sandboxProcessor(config.settle_after_s)
}

/** Where it does not, money comes by transfer: pages and emails say other things then. */
export function takesCards({ chargeCard }: Processor): boolean {
  return chargeCard !== undefined
}

export function summarizeCard({ number }: Card): CardSummary {
  const brand = brands.find(([pattern]) => pattern.test(number))?.[1] ?? 'unknown'
  return { brand, last4: number.slice(-4) }
}

// By the first digits, as the networks publish them.
const brands: readonly [RegExp, CardSummary['brand']][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|65|64[4-9])/, 'discover'],
]

/** Plays: settles everything after a while, and fails what asks for it. */
export function sandboxProcessor(settle_after_s: number): Processor {
  return {
    name: 'sandbox',
    settle_after_ms: settle_after_s * 1_000,
    outcomeOf({ metadata }) {
      if (metadata === null) return 'succeeded'
      return JSON.parse(metadata).sandbox_outcome === 'failed' ? 'failed' : 'succeeded'
    },
    chargeCard: async ({ number }) => findTestCard(number)?.outcome ?? 'refused',
  }
}

/** Leaves it to people: an admin or a platform says when money has moved. */
export const manualProcessor: Processor = {
  name: 'manual',
  settle_after_ms: undefined,
  outcomeOf: () => 'succeeded',
  chargeCard: undefined,
}
