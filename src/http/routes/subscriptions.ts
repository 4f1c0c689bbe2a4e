import { Type } from 'typebox'
import { account_limit_text } from '../../email/recipient-limits.ts'
import { interval_count_max } from '../../primitives/period.ts'
import {
  cancelCommand,
  createCommand,
  patchCommand,
  readSubscriptionId,
} from '../../subscriptions/commands.ts'
import { getSubscription, listSubscriptions } from '../../subscriptions/find-subscription.ts'
import { subscriptionJson } from '../../subscriptions/subscription.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import { subscriptionFilters } from '../schemas/list-filters.ts'
import {
  cursorList,
  cursorQuery,
  fields,
  idOf,
  nullable,
  oneOf,
  strictObject,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendJson, sendList, sendText } from '../send-text.ts'

const tags = ['Subscriptions']
const params = Type.Object({ subscription_id: idOf('sub', 'The id of the subscription.') })

const unknown = ['not_found', 'The account has no subscription with this id.'] as const

const subscription = (description: string) => [200, description, Type.Ref('Subscription')] as const

const reference = nullable({
  format: 'line',
  maxLength: 255,
  description: 'Your reference, shown to the customer on every payment request.',
  examples: ['Plan B'],
})

const createBody = strictObject({
  customer_email: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'The email address of the customer. The links are sent here.',
    examples: ['customer@example.com'],
  }),
  amount: fields.amount,
  currency: fields.currency,
  interval: oneOf(['day', 'week', 'month', 'year'], {
    description: 'The unit of the billing period, in the time zone of the account.',
    examples: ['month'],
  }),
  // Optional with a default, so that the OpenAPI document lists it as optional.
  interval_count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: interval_count_max.day,
      default: 1,
      description: 'The number of units in a billing period. A period is at most three years.',
      examples: [1],
    }),
  ),
  reference: Type.Optional(reference),
  metadata: Type.Optional(fields.metadata),
})

const patchBody = strictObject(
  {
    status: Type.Optional(
      oneOf(['active', 'paused'], {
        description: 'A paused subscription creates no payment requests until it is active again.',
      }),
    ),
    reference: Type.Optional(reference),
    metadata: Type.Optional(fields.metadata),
  },
  { examples: [{ status: 'paused' }] },
)

export const createSubscriptionRoute = route({
  method: 'POST',
  url: '/v1/subscriptions',
  bodyLimit: body_max_bytes.metadata,
  access: { token: 'required', operation: 'create_subscription', lane: 'subscriptions' },
  schema: {
    tags,
    operationId: 'createSubscription',
    summary: 'Create a subscription',
    description:
      'Requests a payment from a customer in each billing period. A period starts with one ' +
      'payment request that has the subscription in its metadata. The first period starts ' +
      `at once. ${account_limit_text}`,
    body: createBody,
  },
  success: [
    201,
    'The active subscription. Its first payment request has been created.',
    Type.Ref('Subscription'),
  ],
  refusals: [refused.wrongCurrency, refused.noToken, refused.noAccount, refused.closedAccount],
  handler: async (request, { submitSubscription }, reply) => {
    const command = createCommand(request.caller, request.body)
    return sendText(reply, await submitSubscription(request, command, 201, subscriptionJson))
  },
})

export const listSubscriptionsRoute = route({
  method: 'GET',
  url: '/v1/subscriptions',
  access: { token: 'required', operation: 'list_subscriptions' },
  schema: {
    tags,
    operationId: 'listSubscriptions',
    summary: 'List subscriptions',
    description: 'Returns the subscriptions of the account, newest first.',
    querystring: Type.Object({
      ...cursorQuery,
      ...subscriptionFilters,
    }),
  },
  success: [200, 'A page of subscriptions.', cursorList('Subscription')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: async ({ caller, query }, { db }, reply) =>
    sendList(reply, await listSubscriptions(db, caller, query), subscriptionJson),
})

export const getSubscriptionRoute = route({
  method: 'GET',
  url: '/v1/subscriptions/:subscription_id',
  access: { token: 'required', operation: 'retrieve_subscription' },
  schema: {
    tags,
    operationId: 'getSubscription',
    summary: 'Retrieve a subscription',
    description: 'Returns a subscription of the account.',
    params,
  },
  success: subscription('The subscription.'),
  refusals: [refused.noToken, refused.noAccount, unknown],
  handler: async ({ caller, params }, { db }, reply) => {
    const row = await getSubscription(db, caller, params.subscription_id)
    return sendJson(reply, subscriptionJson(row))
  },
})

export const updateSubscriptionRoute = route({
  method: 'PATCH',
  url: '/v1/subscriptions/:subscription_id',
  bodyLimit: body_max_bytes.metadata,
  access: { token: 'required', operation: 'update_subscription', lane: 'subscriptions' },
  schema: {
    tags,
    operationId: 'updateSubscription',
    summary: 'Update a subscription',
    description:
      'Pauses or resumes a subscription, or changes its reference and metadata. Resuming ' +
      'continues with the next period; periods that passed in the meantime are skipped. ' +
      'Metadata keys are merged, and a key set to null is removed. metadata: null clears ' +
      'everything.',
    params,
    body: patchBody,
  },
  success: subscription('The subscription.'),
  refusals: [
    refused.badFields,
    refused.noToken,
    refused.noAccount,
    unknown,
    ['conflict', 'The subscription has been canceled.'],
  ],
  beforeBody: ({ params }) => readSubscriptionId(params.subscription_id),
  handler: async (request, { submitSubscription }, reply) => {
    const { subscription_id } = request.params
    const command = patchCommand(request.caller, subscription_id, request.body)
    return sendText(reply, await submitSubscription(request, command, 200, subscriptionJson))
  },
})

export const cancelSubscriptionRoute = route({
  method: 'DELETE',
  url: '/v1/subscriptions/:subscription_id',
  access: { token: 'required', operation: 'cancel_subscription', lane: 'subscriptions' },
  schema: {
    tags,
    operationId: 'cancelSubscription',
    summary: 'Cancel a subscription',
    description:
      'Cancels the subscription immediately and permanently. Its existing payment requests ' +
      'stay open: cancel those that should not be paid.',
    params,
    body: withoutBody,
  },
  success: subscription('The canceled subscription.'),
  refusals: [
    refused.badFields,
    refused.noToken,
    refused.noAccount,
    unknown,
    ['not_cancellable', 'The subscription is already canceled.'],
  ],
  beforeBody: ({ params }) => readSubscriptionId(params.subscription_id),
  handler: async (request, { submitSubscription }, reply) => {
    const command = cancelCommand(request.caller, request.params.subscription_id)
    return sendText(reply, await submitSubscription(request, command, 200, subscriptionJson))
  },
})

export const subscriptionRoutes = [
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  updateSubscriptionRoute,
  cancelSubscriptionRoute,
]
