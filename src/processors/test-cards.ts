// The published test cards: the only card numbers that the sandbox takes. They belong to nobody, so
// they may stand in a page, in a log and in a test; no other number may.

export type CardOutcome = 'paid' | 'declined' | 'insufficient_funds'

export interface TestCard {
  /** Digits alone. */
  number: string
  outcome: CardOutcome
}

/** In the order in which the payment page offers them. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'paid' },
  { number: '4000000000000002', outcome: 'declined' },
  { number: '4000000000009995', outcome: 'insufficient_funds' },
]

/** Undefined for every number that is not published: it is refused, and written down nowhere. */
export function findTestCard(number: string): TestCard | undefined {
  return testCards.find((card) => card.number === number)
}
