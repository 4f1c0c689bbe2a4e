import { Type } from 'typebox'
import { readTypeFilter } from '../../events/event-types.ts'
import { countEvents } from '../../events/list-events.ts'
import { getActingAccountId } from '../../identity/acting-account.ts'
import { visibleEventTypes } from '../../identity/sessions/visible-events.ts'
import { countSubscriptions } from '../../subscriptions/find-subscription.ts'
import { countRequests } from '../../subscriptions/list-requests.ts'
import { countTransactions } from '../../transactions/list-transactions.ts'
import { countDeliveries, readDeliveryFilters } from '../../webhooks/find-deliveries.ts'
import { route } from '../route.ts'
import {
  deliveryFilters,
  eventFilters,
  paymentFilters,
  subscriptionFilters,
  transactionFilters,
} from '../schemas/list-filters.ts'
import { refused } from '../schemas/response.ts'

const description =
  'Returns the number of entries in the list of one account with these filters, up to 10,000. ' +
  'is_exact is false when there are more.'

const success = [200, 'The count.', Type.Ref('ListCount')] as const
const refusals = [
  refused.badParameter,
  refused.notPermitted,
  refused.noAccount,
  refused.hiddenAccount,
]

export const countTransactionsRoute = route({
  method: 'GET',
  url: '/v1/list_counts/transactions',
  access: { token: 'required', operation: 'count_transactions' },
  schema: {
    tags: ['Transactions'],
    operationId: 'countTransactions',
    summary: 'Count transactions',
    description,
    querystring: Type.Object(transactionFilters),
  },
  success,
  refusals,
  handler: ({ caller, query }, { db }) => countTransactions(db, caller, query),
})

export const countPaymentsRoute = route({
  method: 'GET',
  url: '/v1/list_counts/payments',
  access: { token: 'required', operation: 'count_payments' },
  schema: {
    tags: ['Payments'],
    operationId: 'countPayments',
    summary: 'Count payment requests',
    description,
    querystring: Type.Object(paymentFilters),
  },
  success,
  refusals,
  handler: ({ caller, query }, { db }) => countRequests(db, caller, query),
})

export const countSubscriptionsRoute = route({
  method: 'GET',
  url: '/v1/list_counts/subscriptions',
  access: { token: 'required', operation: 'list_subscriptions' },
  schema: {
    tags: ['Subscriptions'],
    operationId: 'countSubscriptions',
    summary: 'Count subscriptions',
    description,
    querystring: Type.Object(subscriptionFilters),
  },
  success,
  refusals,
  handler: ({ caller, query }, { db }) => countSubscriptions(db, caller, query),
})

export const countWebhookDeliveriesRoute = route({
  method: 'GET',
  url: '/v1/list_counts/webhook_deliveries',
  access: { token: 'required', operation: 'manage_webhooks' },
  schema: {
    tags: ['Webhooks'],
    operationId: 'countWebhookDeliveries',
    summary: 'Count webhook deliveries',
    description,
    querystring: Type.Object(deliveryFilters),
  },
  success,
  refusals,
  handler: async ({ caller, query }, { db }) => {
    // A malformed filter is reported before an unknown account.
    readDeliveryFilters(query)
    const account_id = await getActingAccountId(db, caller)
    return countDeliveries(db, account_id, query)
  },
})

export const countEventsRoute = route({
  method: 'GET',
  url: '/v1/list_counts/events',
  access: { token: 'required', operation: 'read_events' },
  schema: {
    tags: ['Events'],
    operationId: 'countEvents',
    summary: 'Count events',
    description,
    querystring: Type.Object(eventFilters),
  },
  success,
  refusals,
  handler: async ({ caller, query }, { db }) => {
    readTypeFilter(query.type)
    const account_id = await getActingAccountId(db, caller)
    return countEvents(db, account_id, query, visibleEventTypes(caller))
  },
})

export const listCountRoutes = [
  countTransactionsRoute,
  countPaymentsRoute,
  countSubscriptionsRoute,
  countWebhookDeliveriesRoute,
  countEventsRoute,
]
