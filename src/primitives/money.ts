// Money is an integer number of minor units, in JavaScript as in JSON. Doubles are exact up to
// 2^53 − 1, so within both limits no sum is rounded.

// 9,999,999,999.99 in a currency with two minor digits: more than a card charge or bank transfer
// moves, and nine thousand of them fit into a balance.
export const amount_max = 999_999_999_999

export const balance_max = Number.MAX_SAFE_INTEGER

/** Whether a JSON number is a valid amount. 0 and -0 are not. */
export function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= amount_max
}
