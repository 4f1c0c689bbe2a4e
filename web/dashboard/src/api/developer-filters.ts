// Filter values of the developer pages.

import type { ListedWebhookDelivery, ListRequestLogsQuery } from '../../../../client/src/florin.ts'

export type DeliveryStatus = ListedWebhookDelivery['status']

/** The "failed" filter also includes deliveries that are still being retried. */
export const delivery_statuses = [
  'delivered',
  'failed',
  'retrying',
  'pending',
  'canceled',
] as const satisfies DeliveryStatus[]

export function statusQuery(status: DeliveryStatus | undefined): string | undefined {
  return status === 'failed' ? 'failed,retrying' : status
}

export const status_classes = ['2xx', '3xx', '4xx', '5xx'] as const satisfies NonNullable<
  ListRequestLogsQuery['status']
>[]

export const request_methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const satisfies NonNullable<
  ListRequestLogsQuery['method']
>[]
