import type { Subscription } from '../../api/api-types.ts'

type Period = Pick<Subscription, 'interval' | 'interval_count'>

/** "every month", "every 3 months" */
export function intervalText({ interval, interval_count }: Period): string {
  return interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`
}
