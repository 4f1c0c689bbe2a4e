// Money is a whole number of minor units, in a JavaScript number as in JSON. Doubles are exact up
// to 2^53 − 1, so as long as both limits hold no sum is ever rounded.

// 9 999 999 999.99 in a currency with two minor digits: more than a card or a bank moves at once,
// and nine thousand of them fit into a balance.
export const amount_max = 999_999_999_999

export const balance_max = Number.MAX_SAFE_INTEGER

/** A JSON number that is an amount. -0 is refused with 0: neither is money. */
export function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= amount_max
}
