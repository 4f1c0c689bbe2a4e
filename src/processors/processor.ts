// A processor is a small port: it says when a new transaction settles by itself, and how, and what
// comes of a customer's card. It talks, and does not remember.

import { type CardOutcome, findTestCard } from './test-cards.ts'

export interface Card {
  /** Digits alone. Kept nowhere, and part of no message. */
  number: string
}

/** Refused: not a card that can be asked. Nothing was tried, so nothing is counted. */
export type CardAnswer = CardOutcome | 'refused'

export interface Processor {
  name: 'sandbox' | 'manual'
  /** After how long a new transaction is due; undefined when only an operator settles. */
  settle_after_ms: number | undefined
  /** How a transaction that is due ends. */
  outcomeOf(transaction: { metadata: string | null }): 'succeeded' | 'failed'
  /** Undefined when no cards are taken. */
  chargeCard: ((card: Card) => Promise<CardAnswer>) | undefined
}

export function chooseProcessor(config: {
  processor: Processor['name']
  settle_after_s: number
}): Processor {
  return config.processor === 'manual' ? manualProcessor : sandboxProcessor(config.settle_after_s)
}

/** Where it does not, money comes by transfer: pages and letters say other things then. */
export function takesCards({ chargeCard }: Processor): boolean {
  return chargeCard !== undefined
}

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
