import { Type } from 'typebox'
import { getActingAccountId } from '../../identity/acting-account.ts'
import type { Caller } from '../../identity/caller.ts'
import { changeAccount } from '../../identity/users/change-account.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { findUuid } from '../../primitives/ids.ts'
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
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import {
  cursorList,
  cursorQuery,
  documentedAs,
  idOf,
  oneOf,
  strictObject,
  timestampOf,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Webhooks']
const params = Type.Object({ endpoint_id: idOf('we', 'The id of the webhook endpoint.') })
const access = { token: 'required', operation: 'manage_webhooks' } as const
const secret_access = { ...access, secret_response: true, step_up: true } as const

export const notPermitted = [refused.notOwner, refused.noAccount] as const
const inactive = ['invalid_request', 'A field is malformed, or the account is not active.'] as const
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

const endpoint = (description: string) => [200, description, Type.Ref('WebhookEndpoint')] as const

export const createWebhookEndpointRoute = route({
  method: 'POST',
  url: '/v1/webhook_endpoints',
  bodyLimit: body_max_bytes.lists,
  access: secret_access,
  schema: {
    tags,
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Sends events of the account to this URL from now on, signed according to Standard ' +
      'Webhooks. The secret is shown only once. An account can have at most 20 endpoints.',
    body: strictObject({ url, events }),
  },
  success: [201, 'The endpoint and its secret.', Type.Ref('WebhookEndpointWithSecret')],
  refusals: [
    [
      'invalid_request',
      'A field is malformed, the URL is private, or the account has 20 endpoints.',
    ],
    ...notPermitted,
    refused.closedAccount,
  ],
  handler: ({ caller, body }, { db, webhook_addresses }) => {
    const input = readEndpointFields(body, webhook_addresses)
    return change(db, caller, 'created', (tx, lock) => createEndpoint(tx, lock, input))
  },
})

export const listWebhookEndpointsRoute = route({
  method: 'GET',
  url: '/v1/webhook_endpoints',
  access,
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
  },
  success: [200, 'A page of endpoints.', cursorList('WebhookEndpoint')],
  refusals: [refused.badCursor, ...notPermitted, refused.closedAccount],
  handler: async ({ caller, query }, { db }) => {
    const account_id = await getActingAccountId(db, caller)
    return listEndpoints(db, account_id, query)
  },
})

export const getWebhookEndpointRoute = route({
  method: 'GET',
  url: '/v1/webhook_endpoints/:endpoint_id',
  access,
  schema: {
    tags,
    operationId: 'getWebhookEndpoint',
    summary: 'Retrieve a webhook endpoint',
    description: 'Returns the endpoint without its secret, which is shown on creation only.',
    params,
  },
  success: endpoint('The endpoint.'),
  refusals: [...notPermitted, unknown],
  handler: async ({ caller, params }, { db }) => {
    const account_id = await getActingAccountId(db, caller)
    return getEndpoint(db, account_id, params.endpoint_id)
  },
})

export const updateWebhookEndpointRoute = route({
  method: 'PATCH',
  url: '/v1/webhook_endpoints/:endpoint_id',
  bodyLimit: body_max_bytes.lists,
  access,
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
  },
  success: endpoint('The endpoint.'),
  refusals: [refused.badFields, ...notPermitted, unknown],
  beforeBody: ({ params }) => readEndpointId(params.endpoint_id),
  handler: ({ caller, params, body }, { db, webhook_addresses }) => {
    const changes = readEndpointFields(body, webhook_addresses)
    return change(db, caller, 'updated', (tx, lock) =>
      updateEndpoint(tx, lock, params.endpoint_id, changes),
    )
  },
})

export const deleteWebhookEndpointRoute = route({
  method: 'DELETE',
  url: '/v1/webhook_endpoints/:endpoint_id',
  access,
  schema: {
    tags,
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Cancels its waiting deliveries. Past deliveries remain readable.',
    params,
    body: withoutBody,
  },
  lists_body_refusals: false,
  success: endpoint('The deleted endpoint.'),
  refusals: [refused.badFields, ...notPermitted, unknown],
  beforeBody: ({ params }) => readEndpointId(params.endpoint_id),
  handler: ({ caller, params }, { db }) =>
    change(db, caller, 'deleted', (tx, lock) => deleteEndpoint(tx, lock, params.endpoint_id)),
})

export const rotateWebhookSecretRoute = route({
  method: 'POST',
  url: '/v1/webhook_endpoints/:endpoint_id/rotate',
  access: secret_access,
  body_optional: true,
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
          description: 'How long the old secret also signs. Default: one day. Maximum: one week.',
          examples: [86_400],
        }),
      ),
    }),
  },
  success: [200, 'The endpoint and its new secret.', Type.Ref('WebhookEndpointWithSecret')],
  refusals: [refused.badFields, ...notPermitted, unknown],
  beforeBody: ({ params }) => readEndpointId(params.endpoint_id),
  handler: ({ caller, params, body }, { db }) =>
    change(db, caller, 'rotated', (tx, lock) => {
      const { overlap_seconds = 86_400 } = body
      return rotateSecret(tx, lock, params.endpoint_id, overlap_seconds)
    }),
})

export const testWebhookEndpointRoute = route({
  method: 'POST',
  url: '/v1/webhook_endpoints/:endpoint_id/test',
  access,
  schema: {
    tags,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description:
      'Sends webhook_endpoint.test, whatever the endpoint subscribes to. It is not an event ' +
      'of the account, so its sequence is null. Retrieve the delivery to see the response.',
    params,
    body: withoutBody,
  },
  success: [201, 'The delivery, queued to be sent.', Type.Ref('WebhookDelivery')],
  refusals: [inactive, ...notPermitted, unknown, disabled],
  beforeBody: ({ params }) => readEndpointId(params.endpoint_id),
  handler: ({ caller, params }, { db }) =>
    change(db, caller, 'tested', (tx, lock) => sendTest(tx, lock, params.endpoint_id)),
})

export const replayWebhookEventsRoute = route({
  method: 'POST',
  url: '/v1/webhook_endpoints/:endpoint_id/replay',
  access,
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
        since: timestampOf('Events at or after this time. Send either since or after.'),
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
  },
  success: endpoint('The endpoint. replay shows what remains to be sent.'),
  refusals: [
    ['invalid_request', 'Neither or both of since and after were sent, or a field is malformed.'],
    ...notPermitted,
    unknown,
    ['conflict', 'The endpoint is disabled, or a replay is in progress.'],
  ],
  beforeBody: ({ params }) => readEndpointId(params.endpoint_id),
  handler: ({ caller, params, body }, { db }) => {
    requireOneStart(body)
    return change(db, caller, 'replayed', (tx, lock) =>
      replayEvents(tx, lock, params.endpoint_id, body),
    )
  },
})

export const webhookRoutes = [
  createWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  getWebhookEndpointRoute,
  updateWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  rotateWebhookSecretRoute,
  testWebhookEndpointRoute,
  replayWebhookEventsRoute,
]

function change<Result extends { id: string }>(
  db: Db,
  caller: Caller,
  verb: string,
  work: (tx: Tx, lock: AccountLock) => Promise<Result>,
): Promise<Result> {
  const auditEntryFor = ({ id }: Result) => ({
    action: `webhook_endpoint.${verb}` as const,
    object_id: findUuid('webhook_endpoint', id) ?? findUuid('webhook_delivery', id) ?? null,
  })
  return changeAccount(db, caller, auditEntryFor, work)
}
