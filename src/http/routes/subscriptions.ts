import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { account_limit_text } from '../../email/recipient-limits.ts'
import type { Db } from '../../postgres/database.ts'
import { interval_count_max } from '../../primitives/period.ts'
import { auditEntryFor } from '../../subscriptions/audit-entry-for.ts'
import {
  cancelCommand,
  createCommand,
  patchCommand,
  readSubscriptionId,
  type SubscriptionCommand,
} from '../../subscriptions/commands.ts'
import { getSubscription, listSubscriptions } from '../../subscriptions/find-subscription.ts'
import type { SubscriptionLanes } from '../../subscriptions/lanes.ts'
import { subscriptionJson } from '../../subscriptions/subscription.ts'
import type { CommandResult } from '../../transactions/run-batch.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { InFlight, idempotencyKeyFor } from '../idempotency.ts'
import { body_max_bytes } from '../json-body.ts'
import { subscriptionFilters } from '../list-filters.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorQuery, fields, idOf, nullable, oneOf, strictObject } from '../schemas.ts'
import { sendText } from '../send-text.ts'
import { Type } from '../type.ts'

const tags = ['Subscriptions']
const params = Type.Object({ subscription_id: idOf('sub', 'The id of the subscription.') })

const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const noToken = ['unauthorized', 'The token is missing or not valid.'] as const
const noAccount = ['forbidden', 'The token has no account, or Florin-Account is missing.'] as const
const unknown = ['not_found', 'The account has no subscription with this id.'] as const

const one = (description: string) =>
  ({ status: 200, description, schema: Type.Ref('Subscription') }) as const

const reference = nullable({
  format: 'line',
  maxLength: 255,
  description: 'A reference of your own. The customer sees it on every request.',
  examples: ['Plan B'],
})

const createBody = strictObject({
  customer_email: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'Who is asked to pay each period: the links are mailed here.',
    examples: ['customer@example.com'],
  }),
  amount: fields.amount,
  currency: fields.currency,
  interval: oneOf(['day', 'week', 'month', 'year'], {
    description: "What a period is counted in, in the account's time zone.",
    examples: ['month'],
  }),
  // Optional and with a default: the OpenAPI file then says that it may be left out.
  interval_count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: interval_count_max.day,
      default: 1,
      description: 'How many make a period, which is three years at the most.',
      examples: [1],
    }),
  ),
  reference: Type.Optional(reference),
  metadata: Type.Optional(fields.metadata),
})

const patchBody = strictObject(
  {
    status: Type.Optional(
      oneOf(['active', 'paused'], { description: 'paused asks for nothing until active again.' }),
    ),
    reference: Type.Optional(reference),
    metadata: Type.Optional(fields.metadata),
  },
  { examples: [{ status: 'paused' }] },
)

// SPEC has the path before the body: an id that nobody can have is told before a body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  readSubscriptionId((request.params as { subscription_id: string }).subscription_id)
}

export interface SubscriptionRouteParts {
  db: Db
  subscription_lanes: SubscriptionLanes
}

export function subscriptionRoutes(parts: SubscriptionRouteParts): FastifyPluginAsyncTypebox {
  const { db, subscription_lanes } = parts
  const in_flight = new InFlight()

  /** Sends a command through its account's lane, once for its Idempotency-Key. */
  function submit(request: FastifyRequest, command: SubscriptionCommand): Promise<CommandResult> {
    const caller = callerOf(request)
    const { account_id } = command
    const key = idempotencyKeyFor(request, caller, account_id)
    return in_flight.guard(key, () =>
      subscription_lanes.submit({
        command,
        account_id,
        background: false,
        isWanted: () => !request.raw.socket.destroyed,
        key,
        audit_entry: auditEntryFor(caller, command),
        status: command.kind === 'create' ? 201 : 200,
        render: subscriptionJson,
        token: caller,
      }),
    )
  }

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
          'Asks a customer to pay each period, by one payment request at its beginning. The ' +
          'first begins at once; each request names the subscription in its metadata. ' +
          account_limit_text,
        body: createBody,
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The active subscription. Its first payment request is made.',
            schema: Type.Ref('Subscription'),
          },
          refusals: [
            ['invalid_request', "A field is wrong, or the currency is not the account's."],
            noToken,
            noAccount,
            ['not_found', 'Florin-Account names no open account.'],
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
        description: 'Those of the account, newest first.',
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
            ['not_found', 'Florin-Account names no account that you may see.'],
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
        description: 'Of the account.',
        params,
        response: responseSchemas({
          success: one('The subscription.'),
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
        summary: 'Pause, resume or relabel a subscription',
        description:
          'paused asks for nothing. active again goes on with the next period to come; those ' +
          'that passed meanwhile are not asked for. Keys of metadata are merged; a key set to ' +
          'null is removed; metadata null clears all.',
        params,
        body: patchBody,
        response: responseSchemas({
          body: true,
          success: one('The subscription.'),
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
          'For good, and at once. Payment requests that it has made stay as they are: cancel ' +
          'those that nobody shall pay.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: one('The canceled subscription.'),
          refusals: [
            badFields,
            noToken,
            noAccount,
            unknown,
            ['not_cancellable', 'The subscription has been canceled already.'],
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
