import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getActingAccountId } from '../../identity/acting-account.ts'
import { changeAccount } from '../../identity/users/change-account.ts'
import type { Db } from '../../postgres/database.ts'
import { findUuid } from '../../primitives/ids.ts'
import {
  getDelivery,
  listDeliveries,
  readDeliveryFilters,
  readDeliveryId,
} from '../../webhooks/find-deliveries.ts'
import { retryDelivery } from '../../webhooks/resend.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { deliveryFilters } from '../schemas/list-filters.ts'
import { cursorList, cursorQuery, idOf, strictObject } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'
import { notPermitted } from './webhooks.ts'

const tags = ['Webhooks']
const params = Type.Object({ delivery_id: idOf('wd', 'The id of the delivery.') })
const access = { token: 'required', operation: 'manage_webhooks' } as const
const unknown = ['not_found', 'No webhook delivery with this id exists.'] as const

async function validatePathId(request: FastifyRequest): Promise<void> {
  readDeliveryId((request.params as { delivery_id: string }).delivery_id)
}

export function webhookDeliveryRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/webhook_deliveries',
      config: { access },
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List webhook deliveries',
        description: 'Returns the deliveries of the last 30 days, newest first.',
        querystring: Type.Object({
          ...cursorQuery,
          ...deliveryFilters,
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of deliveries.',
            schema: cursorList('ListedWebhookDelivery'),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            ...notPermitted,
            ['not_found', 'The account in Florin-Account does not exist.'],
          ],
        }),
      },
      handler: async (request) => {
        const { query } = request
        // A malformed filter is reported before an unknown account.
        readDeliveryFilters(query)
        const account_id = await getActingAccountId(db, callerOf(request))
        return listDeliveries(db, account_id, query)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/webhook_deliveries/:delivery_id',
      config: { access },
      schema: {
        tags,
        operationId: 'getWebhookDelivery',
        summary: 'Retrieve a webhook delivery',
        description: 'Returns the delivery with its request and the response to each attempt.',
        params,
        response: responseSchemas({
          success: {
            status: 200,
            description: 'The delivery.',
            schema: Type.Ref('WebhookDelivery'),
          },
          refusals: [...notPermitted, unknown],
        }),
      },
      handler: async (request) => {
        const account_id = await getActingAccountId(db, callerOf(request))
        return getDelivery(db, account_id, request.params.delivery_id)
      },
    })

    app.route({
      method: 'POST',
      url: '/v1/webhook_deliveries/:delivery_id/retry',
      config: { access },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'retryWebhookDelivery',
        summary: 'Resend a webhook delivery',
        description:
          'Sends the delivery again at once, whatever its status. The retry schedule restarts.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The delivery, queued to be sent.',
            schema: Type.Ref('WebhookDelivery'),
          },
          refusals: [
            ['invalid_request', 'The request body is not empty.'],
            ...notPermitted,
            unknown,
            ['conflict', 'The webhook endpoint is disabled or deleted.'],
          ],
        }),
      },
      handler: (request) => {
        const { delivery_id } = request.params
        const object_id = findUuid('webhook_delivery', delivery_id) ?? null
        const auditEntryFor = () => ({ action: 'webhook_delivery.retried' as const, object_id })
        return changeAccount(db, callerOf(request), auditEntryFor, (tx, lock) =>
          retryDelivery(tx, lock, delivery_id),
        )
      },
    })
  }
}
