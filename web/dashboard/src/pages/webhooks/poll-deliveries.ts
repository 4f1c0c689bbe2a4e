import type { ListedWebhookDelivery } from '../../api/api-types.ts'
import { useInterval } from '../../parts/use-interval.ts'

// Deliveries with an attempt in progress or due soon are polled faster. During an attempt,
// next_attempt_at is the lease expiry, about a minute ahead.
const soon_ms = 180_000
const soon_interval_ms = 2_000
const interval_ms = 20_000

/** Polls while any of the deliveries has attempts left. */
export function usePollDeliveries(
  deliveries: ListedWebhookDelivery[],
  refetch: () => unknown,
): void {
  const pending = deliveries.filter(({ status }) => status === 'pending' || status === 'retrying')
  const soon = pending.some(({ next_attempt_at: at }) => at === null || isSoon(at))
  useInterval(refetch, soon ? soon_interval_ms : interval_ms, pending.length > 0)
}

function isSoon(at: string): boolean {
  return Date.parse(at) < Date.now() + soon_ms
}
