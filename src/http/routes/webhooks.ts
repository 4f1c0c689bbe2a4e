import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { findUuid } from '../../primitives/ids.ts'
import { getActingAccountId } from '../../sessions/acting-account.ts'
import { changeAccount } from '../../users/change-account.ts'
import type { AddressPolicy } from '../../webhooks/address-policy.ts'
import {
  createEndpoint,
  deleteEndpoint,
  readEndpointFields,
  readEndpointId,
  rotateSecret,
  updateEndpoint,
} from '../../webhooks/change-endpoints.ts'
import { getEndpoint, listEndpoints } from '../../webhooks/find-endpoints.ts'
import { replayEvents, requireOneStart, sendTest } from '../../webhooks/resend.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { body_max_bytes } from '../json-body.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorList, cursorQuery, documentedAs, idOf, oneOf, strictObject } from '../schemas.ts'
import { Type } from '../type.ts'

const tags = ['Webhooks']
const params = Type.Object({ endpoint_id: idOf('we', 'The id of the webhook endpoint.') })
const access = { token: 'required', operation: 'manage_webhooks' } as const
const secret_access = { ...access, secret_response: true } as const

export const noRight = [
  ['unauthorized', "The token is missing, not valid, or neither an owner's nor an admin's."],
  ['forbidden', 'You have no account, or an admin named none in Florin-Account.'],
] as const
const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const inactive = ['invalid_request', 'A field is wrong, or the account is not active.'] as const
const noAccount = ['not_found', 'Florin-Account names no account, or one that is closed.'] as const
const unknown = ['not_found', 'No webhook endpoint that you may see has this id.'] as const
const disabled = ['conflict', 'The webhook endpoint is disabled.'] as const

const url = Type.String({
  format: 'line',
  maxLength: 2_048,
  description:
    'An https URL that the public internet can reach. Redirects are not followed. In a sandbox ' +
    'that listens on loopback, loopback may be named too, also with http.',
  examples: ['https://example.com/webhooks'],
})
// An unknown name is rejected in code, with the nearest one that exists.
const event = Type.String({
  format: 'line',
  maxLength: 64,
  'x-documented': {
    anyOf: [documentedAs('EventFilter'), { type: 'string', enum: ['*'] }],
  },
})
const events = Type.Array(event, {
  minItems: 1,
  maxItems: 50,
  description: 'Which events are sent: names such as payment.succeeded, payment.*, or *.',
  examples: [['transaction.*', 'payment.succeeded']],
})

const endpoint = (description: string) =>
  ({ status: 200, description, schema: Type.Ref('WebhookEndpoint') }) as const

// SPEC has the path before the body: an id that nobody can have is told before a body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  readEndpointId((request.params as { endpoint_id: string }).endpoint_id)
}

export interface WebhookRouteParts {
  db: Db
  open: AddressPolicy
}

export function webhookRoutes({ db, open }: WebhookRouteParts): FastifyPluginAsyncTypebox {
  function change<Answer extends { id: string }>(
    request: FastifyRequest,
    verb: string,
    work: (tx: Tx, lock: AccountLock) => Promise<Answer>,
  ): Promise<Answer> {
    const auditEntryFor = ({ id }: Answer) => ({
      action: `webhook_endpoint.${verb}` as const,
      object_id: findUuid('webhook_endpoint', id) ?? findUuid('webhook_delivery', id) ?? null,
    })
    return changeAccount(db, callerOf(request), auditEntryFor, work)
  }

  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/webhook_endpoints',
      bodyLimit: body_max_bytes.lists,
      config: { access: secret_access },
      schema: {
        tags,
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description:
          'Events of the account are sent to it from now on, signed as Standard Webhooks ' +
          'describes. The secret is shown this once. At most 20 for an account.',
        body: strictObject({ url, events }),
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The endpoint and its secret.',
            schema: Type.Ref('WebhookEndpointWithSecret'),
          },
          refusals: [
            ['invalid_request', 'A field is wrong, the URL is private, or there are 20 already.'],
            ...noRight,
            noAccount,
          ],
        }),
      },
      handler: (request, reply) => {
        reply.code(201)
        const input = readEndpointFields(request.body, open)
        return change(request, 'created', (tx, lock) => createEndpoint(tx, lock, input))
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/webhook_endpoints',
      config: { access },
      schema: {
        tags,
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'Newest first, without their secrets.',
        querystring: Type.Object({
          ...cursorQuery,
          health: Type.Optional(
            oneOf(['failing', 'disabled'], {
              description:
                'failing: only those that are enabled and have delivered nothing lately. ' +
                'disabled: only those that Florin disabled because of that.',
            }),
          ),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of endpoints.',
            schema: cursorList('WebhookEndpoint'),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            ...noRight,
            noAccount,
          ],
        }),
      },
      handler: async (request) => {
        const account_id = await getActingAccountId(db, callerOf(request))
        return listEndpoints(db, account_id, request.query)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/webhook_endpoints/:endpoint_id',
      config: { access },
      schema: {
        tags,
        operationId: 'getWebhookEndpoint',
        summary: 'Retrieve a webhook endpoint',
        description: 'Without its secret, which is shown when it is made.',
        params,
        response: responseSchemas({
          success: endpoint('The endpoint.'),
          refusals: [...noRight, unknown],
        }),
      },
      handler: async (request) => {
        const account_id = await getActingAccountId(db, callerOf(request))
        return getEndpoint(db, account_id, request.params.endpoint_id)
      },
    })

    app.route({
      method: 'PATCH',
      url: '/v1/webhook_endpoints/:endpoint_id',
      bodyLimit: body_max_bytes.lists,
      config: { access },
      onRequest: validatePathId,
      schema: {
        tags,
        operationId: 'updateWebhookEndpoint',
        summary: 'Update a webhook endpoint',
        description:
          'Disabling cancels what waits. An endpoint that is enabled again begins with the next ' +
          'event; replay brings what it missed.',
        params,
        body: strictObject({
          url: Type.Optional(url),
          events: Type.Optional(events),
          status: Type.Optional(
            oneOf(['enabled', 'disabled'], { description: 'Whether events are sent to it.' }),
          ),
        }),
        response: responseSchemas({
          body: true,
          success: endpoint('The endpoint.'),
          refusals: [badFields, ...noRight, unknown],
        }),
      },
      handler: (request) => {
        const changes = readEndpointFields(request.body, open)
        return change(request, 'updated', (tx, lock) =>
          updateEndpoint(tx, lock, request.params.endpoint_id, changes),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/v1/webhook_endpoints/:endpoint_id',
      config: { access },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description: 'What waits to be sent to it is canceled. Its deliveries can still be read.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          idempotent: true,
          success: endpoint('The endpoint as it was.'),
          refusals: [badFields, ...noRight, unknown],
        }),
      },
      handler: (request) =>
        change(request, 'deleted', (tx, lock) =>
          deleteEndpoint(tx, lock, request.params.endpoint_id),
        ),
    })

    app.route({
      method: 'POST',
      url: '/v1/webhook_endpoints/:endpoint_id/rotate',
      config: { access: secret_access },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret',
        description:
          'Makes a new secret, shown this once. For a while both sign, so that your server can ' +
          'take up the new one without losing a delivery.',
        params,
        body: strictObject({
          overlap_seconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 604_800,
              description: 'How long the old secret signs too: a day unless told, a week at most.',
              examples: [86_400],
            }),
          ),
        }),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The endpoint and its new secret.',
            schema: Type.Ref('WebhookEndpointWithSecret'),
          },
          refusals: [badFields, ...noRight, unknown],
        }),
      },
      handler: (request) =>
        change(request, 'rotated', (tx, lock) => {
          const { overlap_seconds = 86_400 } = request.body
          return rotateSecret(tx, lock, request.params.endpoint_id, overlap_seconds)
        }),
    })

    app.route({
      method: 'POST',
      url: '/v1/webhook_endpoints/:endpoint_id/test',
      config: { access },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'testWebhookEndpoint',
        summary: 'Send a test event',
        description:
          'Sends webhook_endpoint.test, whatever the endpoint listens to. It is no event of the ' +
          'account: its sequence is null. Retrieve the delivery to see what came back.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The delivery, about to be sent.',
            schema: Type.Ref('WebhookDelivery'),
          },
          refusals: [inactive, ...noRight, unknown, disabled],
        }),
      },
      handler: (request, reply) => {
        reply.code(201)
        return change(request, 'tested', (tx, lock) =>
          sendTest(tx, lock, request.params.endpoint_id),
        )
      },
    })

    app.route({
      method: 'POST',
      url: '/v1/webhook_endpoints/:endpoint_id/replay',
      config: { access },
      onRequest: validatePathId,
      schema: {
        tags,
        operationId: 'replayWebhookEvents',
        summary: 'Send past events again',
        description:
          'Sends all events that the endpoint listens to since a time, or after a sequence, once ' +
          'more, under the ids they had. Events are kept for 90 days. One replay at a time.',
        params,
        body: strictObject(
          {
            since: Type.Optional(
              Type.String({
                format: 'timestamp',
                description: 'Events at this time or later. Either this or after.',
              }),
            ),
            after: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: Number.MAX_SAFE_INTEGER,
                description: 'Events with a greater sequence.',
              }),
            ),
          },
          { examples: [{ since: '2026-11-15T09:30:00Z' }] },
        ),
        response: responseSchemas({
          body: true,
          success: endpoint('The endpoint; replay says what is to be sent.'),
          refusals: [
            ['invalid_request', 'Neither or both of since and after, or a field is wrong.'],
            ...noRight,
            unknown,
            ['conflict', 'The endpoint is disabled, or a replay is under way.'],
          ],
        }),
      },
      handler: (request) => {
        requireOneStart(request.body)
        return change(request, 'replayed', (tx, lock) =>
          replayEvents(tx, lock, request.params.endpoint_id, request.body),
        )
      },
    })
  }
}
