import type { ListedWebhookDelivery } from '../../api/api-types.ts'
import { useInterval } from '../../parts/use-interval.ts'

// A try takes a moment, and somebody may wait for it. While one is under way, the delivery says
// when it would be tried again if the sender died: in a minute, not in hours.
const soon_ms = 180_000
const soon_pace_ms = 2_000
const pace_ms = 20_000

/** Asks again while some of these have attempts left: nobody should have to press anything. */
export function usePollDeliveries(
  deliveries: ListedWebhookDelivery[],
  refetch: () => unknown,
): void {
  const pending = deliveries.filter(({ status }) => status === 'pending' || status === 'retrying')
  const soon = pending.some(({ next_attempt_at: at }) => at === null || isSoon(at))
  useInterval(refetch, soon ? soon_pace_ms : pace_ms, pending.length > 0)
}

function isSoon(at: string): boolean {
  return Date.parse(at) < Date.now() + soon_ms
}
