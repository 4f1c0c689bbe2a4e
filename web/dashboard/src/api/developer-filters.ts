// The words that the filters of the developers' pages offer.

import type { ListedWebhookDelivery, ListRequestLogsQuery } from '../../../../client/src/florin.ts'

export type DeliveryStatus = ListedWebhookDelivery['status']

/** "Failed" is what did not arrive: whether there are attempts left is said in each row. */
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
