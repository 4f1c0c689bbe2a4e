// The published test cards: the only card numbers that the sandbox accepts. They are not real, so
// pages, logs and tests may contain them. No other card number may appear there.

export type CardOutcome = 'paid' | 'declined' | 'insufficient_funds'

interface TestCard {
  /** Digits only. */
  number: string
  outcome: CardOutcome
}

/** In the display order of the payment page. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'paid' },
  { number: '4000000000000002', outcome: 'declined' },
  { number: '4000000000009995', outcome: 'insufficient_funds' },
]

/** Undefined for every other number: it is rejected and never stored. */
export function findTestCard(number: string): TestCard | undefined {
  return testCards.find((card) => card.number === number)
}
