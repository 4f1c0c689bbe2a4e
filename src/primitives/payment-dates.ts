// When a payment request expires and when its reminder is due. The dashboard and the worker share
// these numbers.

const day_ms = 86_400_000

export const expires_after_ms = 30 * day_ms

// A weekend and a day: enough to see the reminder and pay.
const remind_before_ms = 3 * day_ms

/** When the customer gets a reminder of a request that expires at this time. */
export function reminderTime(expires_at: Date): Date {
  return new Date(expires_at.getTime() - remind_before_ms)
}
