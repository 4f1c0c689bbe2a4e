import type { Subscription } from '../../api/api-types.ts'

type Every = Pick<Subscription, 'interval' | 'interval_count'>

/** "every month", "every 3 months" */
export function intervalText({ interval, interval_count }: Every): string {
  return interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`
}
