// The payment processor interface: when and how new transactions settle, and the outcome of a card
// charge. Processors are stateless.

import { type CardOutcome, findTestCard } from './test-cards.ts'

export interface Card {
  /** Digits only. Never stored, logged or included in a message. */
  number: string
}

/** `refused`: the processor cannot charge this card. It does not count as a declined attempt. */
export type CardResult = CardOutcome | 'refused'

/** Why a card was declined. The sandbox uses the first two. */
export type DeclineCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'

/** The card details that may be stored and shown. */
export interface CardSummary {
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown'
  last4: string
}

/** A payment attempt that the processor decided. A non-null code means it was declined. */
export interface CardAttempt {
  card: CardSummary
  decline_code: DeclineCode | null
}

export interface Processor {
  name: 'sandbox' | 'manual'
  /** Delay before a new transaction settles. Undefined if only an operator settles. */
  settle_after_ms: number | undefined
  /** The outcome of a transaction that is due. */
  outcomeOf(transaction: { metadata: string | null }): 'succeeded' | 'failed'
  /** Undefined if the processor does not accept cards. */
  chargeCard: ((card: Card) => Promise<CardResult>) | undefined
}

export function chooseProcessor(config: {
  processor: Processor['name']
  settle_after_s: number
}): Processor {
  return config.processor === 'manual' ? manualProcessor : sandboxProcessor(config.settle_after_s)
}

/** If false, payments arrive by transfer, and pages and emails use the `by_transfer` texts. */
export function takesCards({ chargeCard }: Processor): boolean {
  return chargeCard !== undefined
}

export function summarizeCard({ number }: Card): CardSummary {
  const brand = brands.find(([pattern]) => pattern.test(number))?.[1] ?? 'unknown'
  return { brand, last4: number.slice(-4) }
}

// By the leading digits (IIN ranges) that the card networks publish.
const brands: readonly [RegExp, CardSummary['brand']][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|65|64[4-9])/, 'discover'],
]

/** Settles everything after a delay, and fails transactions whose metadata requests it. */
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

/** An admin or a platform key settles each transaction once the money has moved. */
const manualProcessor: Processor = {
  name: 'manual',
  settle_after_ms: undefined,
  outcomeOf: () => 'succeeded',
  chargeCard: undefined,
}
