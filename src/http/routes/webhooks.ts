import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getActingAccountId } from '../../identity/acting-account.ts'
import { changeAccount } from '../../identity/users/change-account.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { findUuid } from '../../primitives/ids.ts'
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
import {
  cursorList,
  cursorQuery,
  documentedAs,
  idOf,
  oneOf,
  strictObject,
} from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

const tags = ['Webhooks']
const params = Type.Object({ endpoint_id: idOf('we', 'The id of the webhook endpoint.') })
const access = { token: 'required', operation: 'manage_webhooks' } as const
const secret_access = { ...access, secret_response: true } as const

export const notPermitted = [
  ['unauthorized', 'The token is missing, invalid, or neither an owner nor an admin token.'],
  ['forbidden', 'The caller has no account, or Florin-Account is missing.'],
] as const
const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const inactive = ['invalid_request', 'A field is malformed, or the account is not active.'] as const
const noAccount = [
  'not_found',
  'The account in Florin-Account does not exist or is closed.',
] as const
const unknown = ['not_found', 'No webhook endpoint with this id exists.'] as const
const disabled = ['conflict', 'The webhook endpoint is disabled.'] as const

const url = Type.String({
  format: 'line',
  maxLength: 2_048,
  description:
    'An https URL on the public internet. Redirects are not followed. A sandbox that listens on ' +
    'loopback also accepts loopback URLs, including http.',
  examples: ['https://example.com/webhooks'],
})
// An unknown type is rejected in code, which suggests the nearest type.
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
  description: 'The events to send: types such as payment.succeeded, payment.*, or *.',
  examples: [['transaction.*', 'payment.succeeded']],
})

const endpoint = (description: string) =>
  ({ status: 200, description, schema: Type.Ref('WebhookEndpoint') }) as const

// The path is checked before the body: a malformed id is 404 before the body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  readEndpointId((request.params as { endpoint_id: string }).endpoint_id)
}

export interface WebhookRouteParts {
  db: Db
  open: AddressPolicy
}

export function webhookRoutes({ db, open }: WebhookRouteParts): FastifyPluginAsyncTypebox {
  function change<Result extends { id: string }>(
    request: FastifyRequest,
    verb: string,
    work: (tx: Tx, lock: AccountLock) => Promise<Result>,
  ): Promise<Result> {
    const auditEntryFor = ({ id }: Result) => ({
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
          'Sends events of the account to this URL from now on, signed according to Standard ' +
          'Webhooks. The secret is shown only once. An account can have at most 20 endpoints.',
        body: strictObject({ url, events }),
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The endpoint and its secret.',
            schema: Type.Ref('WebhookEndpointWithSecret'),
          },
          refusals: [
            [
              'invalid_request',
              'A field is malformed, the URL is private, or the account has 20 endpoints.',
            ],
            ...notPermitted,
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
        description: 'Returns webhook endpoints, newest first, without their secrets.',
        querystring: Type.Object({
          ...cursorQuery,
          health: Type.Optional(
            oneOf(['failing', 'disabled'], {
              description:
                'failing: only enabled endpoints whose recent deliveries failed. disabled: only ' +
                'endpoints that Florin disabled for that reason.',
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
            ...notPermitted,
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
        description: 'Returns the endpoint without its secret, which is shown on creation only.',
        params,
        response: responseSchemas({
          success: endpoint('The endpoint.'),
          refusals: [...notPermitted, unknown],
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
          'Disabling an endpoint cancels its waiting deliveries. After re-enabling, it receives ' +
          'events from then on. Use replay for the events that it missed.',
        params,
        body: strictObject({
          url: Type.Optional(url),
          events: Type.Optional(events),
          status: Type.Optional(
            oneOf(['enabled', 'disabled'], {
              description: 'Whether the endpoint receives events.',
            }),
          ),
        }),
        response: responseSchemas({
          body: true,
          success: endpoint('The endpoint.'),
          refusals: [badFields, ...notPermitted, unknown],
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
        description: 'Cancels its waiting deliveries. Past deliveries remain readable.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          idempotent: true,
          success: endpoint('The deleted endpoint.'),
          refusals: [badFields, ...notPermitted, unknown],
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
        summary: 'Rotate the signing secret',
        description:
          'Creates a new secret, shown only once. During the overlap both secrets sign, so that ' +
          'your server can switch without losing a delivery.',
        params,
        body: strictObject({
          overlap_seconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 604_800,
              description:
                'How long the old secret also signs. Default: one day. Maximum: one week.',
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
          refusals: [badFields, ...notPermitted, unknown],
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
          'Sends webhook_endpoint.test, whatever the endpoint subscribes to. It is not an event ' +
          'of the account, so its sequence is null. Retrieve the delivery to see the response.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The delivery, queued to be sent.',
            schema: Type.Ref('WebhookDelivery'),
          },
          refusals: [inactive, ...notPermitted, unknown, disabled],
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
        summary: 'Replay events',
        description:
          'Sends all events since a time or after a sequence again, with their original ids, if ' +
          'the endpoint subscribes to them. Events are stored for 90 days. Only one replay can ' +
          'run at a time.',
        params,
        body: strictObject(
          {
            since: Type.Optional(
              Type.String({
                format: 'timestamp',
                description: 'Events at or after this time. Send either since or after.',
              }),
            ),
            after: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: Number.MAX_SAFE_INTEGER,
                description: 'Events with a greater sequence. Send either since or after.',
              }),
            ),
          },
          { examples: [{ since: '2026-11-15T09:30:00Z' }] },
        ),
        response: responseSchemas({
          body: true,
          success: endpoint('The endpoint. replay shows what remains to be sent.'),
          refusals: [
            [
              'invalid_request',
              'Neither or both of since and after were sent, or a field is malformed.',
            ],
            ...notPermitted,
            unknown,
            ['conflict', 'The endpoint is disabled, or a replay is in progress.'],
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
