// The published test cards: the only card numbers that the sandbox accepts. They are not real, so
// pages, logs and tests may contain them. No other card number may appear there.

/** `disputed` is paid as well: the payer disputes the charge afterwards. */
export type CardOutcome =
  | 'paid'
  | 'disputed'
  | 'declined'
  | 'insufficient_funds'
  | 'processing_error'
  | 'authentication_failed'

/** `needs_confirmation`: the bank asks the payer first, as 3-D Secure does. */
type TestCardOutcome = Exclude<CardOutcome, 'authentication_failed'> | 'needs_confirmation'

interface TestCard {
  /** Digits only. */
  number: string
  outcome: TestCardOutcome
}

/** In the display order of the payment page. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'paid' },
  { number: '4000002760003184', outcome: 'needs_confirmation' },
  { number: '4000000000000259', outcome: 'disputed' },
  { number: '4000000000000002', outcome: 'declined' },
  { number: '4000000000009995', outcome: 'insufficient_funds' },
  { number: '4000000000000119', outcome: 'processing_error' },
]

/** The decision of the payer when the bank asks. */
export type Confirmation = 'confirmed' | 'rejected'

/** `refused` for every other number: it is rejected and never stored. */
export function chargeTestCard(
  number: string,
  confirmation: Confirmation | undefined,
): TestCardOutcome | CardOutcome | 'refused' {
  const outcome = testCards.find((card) => card.number === number)?.outcome ?? 'refused'
  if (outcome !== 'needs_confirmation' || confirmation === undefined) return outcome
  return confirmation === 'confirmed' ? 'paid' : 'authentication_failed'
}
