import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { account_limit_text } from '../../email/recipient-limits.ts'
import type { Db } from '../../postgres/database.ts'
import { interval_count_max } from '../../primitives/period.ts'
import {
  auditEntryFor,
  cancelCommand,
  createCommand,
  patchCommand,
  readSubscriptionId,
  type SubscriptionCommand,
} from '../../subscriptions/commands.ts'
import { getSubscription, listSubscriptions } from '../../subscriptions/find-subscription.ts'
import type { SubscriptionLanes } from '../../subscriptions/lanes.ts'
import { subscriptionJson } from '../../subscriptions/subscription.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { body_max_bytes } from '../json-body.ts'
import { subscriptionFilters } from '../schemas/list-filters.ts'
import { cursorQuery, fields, idOf, nullable, oneOf, strictObject } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'
import { sendText } from '../send-text.ts'
import { commandSubmitter } from '../submit-command.ts'

const tags = ['Subscriptions']
const params = Type.Object({ subscription_id: idOf('sub', 'The id of the subscription.') })

const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const noToken = ['unauthorized', 'The token is missing or invalid.'] as const
const noAccount = ['forbidden', 'The caller has no account, or Florin-Account is missing.'] as const
const unknown = ['not_found', 'The account has no subscription with this id.'] as const

const subscription = (description: string) =>
  ({ status: 200, description, schema: Type.Ref('Subscription') }) as const

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

// The path is checked before the body: a malformed id is 404 before the body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  readSubscriptionId((request.params as { subscription_id: string }).subscription_id)
}

export interface SubscriptionRouteParts {
  db: Db
  subscription_lanes: SubscriptionLanes
}

export function subscriptionRoutes(parts: SubscriptionRouteParts): FastifyPluginAsyncTypebox {
  const { db, subscription_lanes } = parts
  const submitTo = commandSubmitter(subscription_lanes, auditEntryFor)
  const submit = (request: FastifyRequest, command: SubscriptionCommand) =>
    submitTo(request, command, command.kind === 'create' ? 201 : 200, subscriptionJson)

  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/subscriptions',
      bodyLimit: body_max_bytes.metadata,
      config: {
        access: { token: 'required', operation: 'create_subscription', lane: 'subscriptions' },
      },
      schema: {
        tags,
        operationId: 'createSubscription',
        summary: 'Create a subscription',
        description:
          'Requests a payment from a customer in each billing period. A period starts with one ' +
          'payment request that has the subscription in its metadata. The first period starts ' +
          `at once. ${account_limit_text}`,
        body: createBody,
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The active subscription. Its first payment request has been created.',
            schema: Type.Ref('Subscription'),
          },
          refusals: [
            [
              'invalid_request',
              'A field is malformed, or the currency is not the currency of the account.',
            ],
            noToken,
            noAccount,
            ['not_found', 'The account in Florin-Account does not exist or is closed.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const command = createCommand(callerOf(request), request.body)
        return sendText(reply, await submit(request, command))
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/subscriptions',
      config: { access: { token: 'required', operation: 'list_subscriptions' } },
      schema: {
        tags,
        operationId: 'listSubscriptions',
        summary: 'List subscriptions',
        description: 'Returns the subscriptions of the account, newest first.',
        querystring: Type.Object({
          ...cursorQuery,
          ...subscriptionFilters,
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of subscriptions.',
            schema: Type.Object({
              object: Type.Literal('list'),
              data: Type.Array(Type.Ref('Subscription')),
              has_more: Type.Boolean({
                description: 'Whether there are more entries in this direction.',
                examples: [false],
              }),
            }),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noToken,
            noAccount,
            ['not_found', 'The account in Florin-Account does not exist or is not visible to you.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const page = await listSubscriptions(db, callerOf(request), request.query)
        const data = page.data.map(subscriptionJson).join(',')
        const body = `{"object":"list","data":[${data}],"has_more":${page.has_more}}`
        return sendText(reply, { status: 200, body, replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/subscriptions/:subscription_id',
      config: { access: { token: 'required', operation: 'retrieve_subscription' } },
      schema: {
        tags,
        operationId: 'getSubscription',
        summary: 'Retrieve a subscription',
        description: 'Returns a subscription of the account.',
        params,
        response: responseSchemas({
          success: subscription('The subscription.'),
          refusals: [noToken, noAccount, unknown],
        }),
      },
      handler: async (request, reply) => {
        const row = await getSubscription(db, callerOf(request), request.params.subscription_id)
        return sendText(reply, { status: 200, body: subscriptionJson(row), replayed: false })
      },
    })

    app.route({
      method: 'PATCH',
      url: '/v1/subscriptions/:subscription_id',
      bodyLimit: body_max_bytes.metadata,
      config: {
        access: { token: 'required', operation: 'update_subscription', lane: 'subscriptions' },
      },
      onRequest: validatePathId,
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
        response: responseSchemas({
          body: true,
          success: subscription('The subscription.'),
          refusals: [
            badFields,
            noToken,
            noAccount,
            unknown,
            ['conflict', 'The subscription has been canceled.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const { subscription_id } = request.params
        const command = patchCommand(callerOf(request), subscription_id, request.body)
        return sendText(reply, await submit(request, command))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/v1/subscriptions/:subscription_id',
      config: {
        access: { token: 'required', operation: 'cancel_subscription', lane: 'subscriptions' },
      },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'cancelSubscription',
        summary: 'Cancel a subscription',
        description:
          'Cancels the subscription immediately and permanently. Its existing payment requests ' +
          'stay open: cancel those that should not be paid.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: subscription('The canceled subscription.'),
          refusals: [
            badFields,
            noToken,
            noAccount,
            unknown,
            ['not_cancellable', 'The subscription is already canceled.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const command = cancelCommand(callerOf(request), request.params.subscription_id)
        return sendText(reply, await submit(request, command))
      },
    })
  }
}
