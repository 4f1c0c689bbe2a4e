import { Type } from 'typebox'
import { getActingAccountId } from '../../identity/acting-account.ts'
import { changeAccount } from '../../identity/users/change-account.ts'
import { findUuid } from '../../primitives/ids.ts'
import {
  getDelivery,
  listDeliveries,
  readDeliveryFilters,
  readDeliveryId,
} from '../../webhooks/find-deliveries.ts'
import { retryDelivery } from '../../webhooks/resend.ts'
import { route } from '../route.ts'
import { deliveryFilters } from '../schemas/list-filters.ts'
import { cursorList, cursorQuery, idOf, withoutBody } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { notPermitted } from './webhooks.ts'

const tags = ['Webhooks']
const params = Type.Object({ delivery_id: idOf('wd', 'The id of the delivery.') })
const access = { token: 'required', operation: 'manage_webhooks' } as const
const unknown = ['not_found', 'No webhook delivery with this id exists.'] as const

export const listWebhookDeliveriesRoute = route({
  method: 'GET',
  url: '/v1/webhook_deliveries',
  access,
  schema: {
    tags,
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    description: 'Returns the deliveries of the last 30 days, newest first.',
    querystring: Type.Object({
      ...cursorQuery,
      ...deliveryFilters,
    }),
  },
  success: [200, 'A page of deliveries.', cursorList('ListedWebhookDelivery')],
  refusals: [refused.badCursor, ...notPermitted, refused.unknownAccount],
  handler: async ({ caller, query }, { db }) => {
    // A malformed filter is reported before an unknown account.
    readDeliveryFilters(query)
    const account_id = await getActingAccountId(db, caller)
    return listDeliveries(db, account_id, query)
  },
})

export const getWebhookDeliveryRoute = route({
  method: 'GET',
  url: '/v1/webhook_deliveries/:delivery_id',
  access,
  schema: {
    tags,
    operationId: 'getWebhookDelivery',
    summary: 'Retrieve a webhook delivery',
    description: 'Returns the delivery with its request and the response to each attempt.',
    params,
  },
  success: [200, 'The delivery.', Type.Ref('WebhookDelivery')],
  refusals: [...notPermitted, unknown],
  handler: async ({ caller, params }, { db }) => {
    const account_id = await getActingAccountId(db, caller)
    return getDelivery(db, account_id, params.delivery_id)
  },
})

export const retryWebhookDeliveryRoute = route({
  method: 'POST',
  url: '/v1/webhook_deliveries/:delivery_id/retry',
  access,
  schema: {
    tags,
    operationId: 'retryWebhookDelivery',
    summary: 'Resend a webhook delivery',
    description:
      'Sends the delivery again at once, whatever its status. The retry schedule restarts.',
    params,
    body: withoutBody,
  },
  success: [200, 'The delivery, queued to be sent.', Type.Ref('WebhookDelivery')],
  refusals: [
    refused.bodyNotEmpty,
    ...notPermitted,
    unknown,
    ['conflict', 'The webhook endpoint is disabled or deleted.'],
  ],
  beforeBody: ({ params }) => readDeliveryId(params.delivery_id),
  handler: ({ caller, params }, { db }) => {
    const { delivery_id } = params
    const object_id = findUuid('webhook_delivery', delivery_id) ?? null
    const auditEntryFor = () => ({ action: 'webhook_delivery.retried' as const, object_id })
    return changeAccount(db, caller, auditEntryFor, (tx, lock) =>
      retryDelivery(tx, lock, delivery_id),
    )
  },
})

export const webhookDeliveryRoutes = [
  listWebhookDeliveriesRoute,
  getWebhookDeliveryRoute,
  retryWebhookDeliveryRoute,
]
