import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { readTypeFilter } from '../../events/event-types.ts'
import { countEvents } from '../../events/list-events.ts'
import { getActingAccountId } from '../../identity/acting-account.ts'
import type { Permission } from '../../identity/permissions.ts'
import { visibleEventTypes } from '../../identity/sessions/visible-events.ts'
import type { Db } from '../../postgres/database.ts'
import { countSubscriptions } from '../../subscriptions/find-subscription.ts'
import { countRequests } from '../../subscriptions/list-requests.ts'
import { countTransactions } from '../../transactions/list-transactions.ts'
import { countDeliveries, readDeliveryFilters } from '../../webhooks/find-deliveries.ts'
import { callerOf } from '../admission.ts'
import {
  deliveryFilters,
  eventFilters,
  paymentFilters,
  subscriptionFilters,
  transactionFilters,
} from '../schemas/list-filters.ts'
import { responseSchemas } from '../schemas/response.ts'

const description =
  'Returns the number of entries in the list of one account with these filters, up to 10,000. ' +
  'is_exact is false when there are more.'

const response = responseSchemas({
  success: { status: 200, description: 'The count.', schema: Type.Ref('ListCount') },
  refusals: [
    ['invalid_request', 'A parameter is malformed.'],
    ['unauthorized', 'The token is missing, invalid or lacks permission.'],
    ['forbidden', 'The caller has no account, or Florin-Account is missing.'],
    ['not_found', 'The account in Florin-Account does not exist or is not visible to you.'],
  ],
})

const accessTo = (operation: Permission) => ({ access: { token: 'required', operation } }) as const

export function listCountRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/list_counts/transactions',
      config: accessTo('count_transactions'),
      schema: {
        tags: ['Transactions'],
        operationId: 'countTransactions',
        summary: 'Count transactions',
        description,
        querystring: Type.Object(transactionFilters),
        response,
      },
      handler: (request) => countTransactions(db, callerOf(request), request.query),
    })

    app.route({
      method: 'GET',
      url: '/v1/list_counts/payments',
      config: accessTo('count_payments'),
      schema: {
        tags: ['Payments'],
        operationId: 'countPayments',
        summary: 'Count payment requests',
        description,
        querystring: Type.Object(paymentFilters),
        response,
      },
      handler: (request) => countRequests(db, callerOf(request), request.query),
    })

    app.route({
      method: 'GET',
      url: '/v1/list_counts/subscriptions',
      config: accessTo('list_subscriptions'),
      schema: {
        tags: ['Subscriptions'],
        operationId: 'countSubscriptions',
        summary: 'Count subscriptions',
        description,
        querystring: Type.Object(subscriptionFilters),
        response,
      },
      handler: (request) => countSubscriptions(db, callerOf(request), request.query),
    })

    app.route({
      method: 'GET',
      url: '/v1/list_counts/webhook_deliveries',
      config: accessTo('manage_webhooks'),
      schema: {
        tags: ['Webhooks'],
        operationId: 'countWebhookDeliveries',
        summary: 'Count webhook deliveries',
        description,
        querystring: Type.Object(deliveryFilters),
        response,
      },
      handler: async (request) => {
        // A malformed filter is reported before an unknown account.
        readDeliveryFilters(request.query)
        const account_id = await getActingAccountId(db, callerOf(request))
        return countDeliveries(db, account_id, request.query)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/list_counts/events',
      config: accessTo('read_events'),
      schema: {
        tags: ['Events'],
        operationId: 'countEvents',
        summary: 'Count events',
        description,
        querystring: Type.Object(eventFilters),
        response,
      },
      handler: async (request) => {
        readTypeFilter(request.query.type)
        const caller = callerOf(request)
        const account_id = await getActingAccountId(db, caller)
        return countEvents(db, account_id, request.query, visibleEventTypes(caller))
      },
    })
  }
}
