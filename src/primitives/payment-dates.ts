// The dates in the life of a payment request, counted from its beginning and from its end. They
// stand here so that a page can tell what will come by the same numbers as the worker that does it.

const day_ms = 86_400_000

/** SPEC.md §7. */
export const expires_after_ms = 30 * day_ms

// Three days are a weekend and a day: enough to see the reminder and act on it.
const remind_before_ms = 3 * day_ms

/** When the customer is reminded of a request that ends then. */
export function reminderTime(expires_at: Date): Date {
  return new Date(expires_at.getTime() - remind_before_ms)
}
