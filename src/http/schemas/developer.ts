// The schemas of developer tools: events, API keys and request logs.

import { Type } from 'typebox'
import { eventTypes, typeFilters } from '../../events/event-types.ts'
import { scopesOf } from '../../identity/permissions.ts'
import { anyEventData } from '../openapi/describe-webhooks.ts'
import { idOf, nullable, oneOf, timeOf } from './resources.ts'

const exampleTransaction = {
  id: 'txn_01h455vb4pex5vsknk084sn02q',
  account_id: 'acct_01h455vb4pex5vsknk084sn02q',
  amount: 7500,
  currency: 'USD',
  type: 'payment',
  status: 'succeeded',
  reference: 'Invoice 2026-114',
  metadata: {},
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:30.000Z',
}

const apiKey = {
  id: idOf('key', 'The id of the key.'),
  name: Type.String({ description: 'The name of the key.', examples: ['Web shop'] }),
  scopes: Type.Array(Type.String({ examples: ['transactions:write'] }), {
    description: 'The operations that the key may perform.',
  }),
  last4: Type.String({ description: 'The last four characters of the key.', examples: ['x7Qa'] }),
  created_at: timeOf('When the key was created.'),
  last_used_at: nullable({
    description: 'When the key was last used, to the minute, or null.',
    examples: ['2026-11-15T09:30:00.000Z'],
  }),
  revoked_at: nullable({
    description: 'When the key was revoked; null while it is active.',
    examples: [null],
  }),
}

/** Has the right format, and is obviously not a real key. */
const exampleKey = `sk_sandbox_${'example'.repeat(6)}0`

export const developerComponents = {
  Scope: oneOf([...new Set([...scopesOf('account_key'), ...scopesOf('platform')])], {
    $id: 'Scope',
    description: 'A permission of an API key. * grants everything.',
    examples: ['transactions:write'],
  }),
  EventFilter: oneOf(typeFilters, {
    $id: 'EventFilter',
    description: 'An event type, or all types of one object.',
    examples: ['transaction.*'],
  }),
  Event: Type.Object(
    {
      id: idOf('evt', 'The id of the event.'),
      type: oneOf(eventTypes, {
        description: 'The event type.',
        examples: ['transaction.succeeded'],
      }),
      account_id: idOf('acct', 'The account that the event belongs to.'),
      sequence: Type.Integer({
        description: 'The sequence number within the account, starting at 1, without gaps.',
        examples: [42],
      }),
      created_at: timeOf('When the event occurred.'),
      data: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The object at the time of the event. Its schema depends on the type.',
        examples: [exampleTransaction],
        // For readers of the OpenAPI document. The server sends stored text and does not
        // serialize it.
        'x-documented': { anyOf: anyEventData },
      }),
    },
    { $id: 'Event' },
  ),
  RequestLogEntry: Type.Object(
    {
      id: idOf('req', 'The Request-Id of the response.'),
      account_id: idOf('acct', 'The account that the request acted on.'),
      created_at: timeOf('When the request was received, in real time.'),
      method: Type.String({ description: 'The HTTP method.', examples: ['POST'] }),
      path: Type.String({
        description: 'The path with its query string.',
        examples: ['/v1/transactions'],
      }),
      status: Type.Integer({ description: 'The HTTP status of the response.', examples: [201] }),
      duration_ms: Type.Integer({
        description: 'The time until the response, in milliseconds.',
        examples: [7],
      }),
      caller: Type.Object(
        {
          kind: oneOf(['user', 'api_key'], {
            description: 'Whether a user or an API key made the request.',
          }),
          id: Type.String({
            description: 'The id of the user or API key.',
            examples: ['usr_01h455vb4pex5vsknk084sn02q'],
          }),
        },
        { description: 'The caller.' },
      ),
      idempotency_key: Type.Boolean({
        description: 'Whether the request had an Idempotency-Key.',
        examples: [true],
      }),
      error: nullable({
        description: 'The error code, or null on success.',
        examples: [null],
      }),
      request_body: nullable({
        description:
          'Sandbox mode only: the body as JSON text, without secrets, up to 4 KiB. null if some ' +
          'readers of the log may not call the endpoint.',
        examples: ['{"amount":7500,"currency":"USD","type":"payment"}'],
      }),
      response_body: nullable({
        description:
          'Sandbox mode only: the response as JSON text, without secrets, up to 4 KiB. null if ' +
          'some readers of the log may not call the endpoint.',
        examples: ['{"status":"pending"}'],
      }),
    },
    { $id: 'RequestLogEntry' },
  ),
  ApiKey: Type.Object(apiKey, { $id: 'ApiKey' }),
  CreatedApiKey: Type.Object(
    {
      ...apiKey,
      key: Type.String({
        description: 'The API key. It is shown only once.',
        examples: [exampleKey],
      }),
    },
    { $id: 'CreatedApiKey' },
  ),
}
