// The words that the filters of the developers' pages offer.

import type { ListedWebhookDelivery, ListRequestLogsQuery } from '../../../../client/src/florin.ts'

export type DeliveryStatus = ListedWebhookDelivery['status']

export const delivery_statuses = [
  'pending',
  'succeeded',
  'failed',
  'canceled',
] as const satisfies DeliveryStatus[]

export const status_classes = ['2xx', '3xx', '4xx', '5xx'] as const satisfies NonNullable<
  ListRequestLogsQuery['status']
>[]

export const request_methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const satisfies NonNullable<
  ListRequestLogsQuery['method']
>[]
