// The shapes of what programs work with: events, keys and the log of their requests.

import type { TSchema } from 'typebox'
import { eventTypes, typeFilters } from '../events/event-types.ts'
import { scopesOf } from '../sessions/permissions.ts'
import { anyEventData } from './describe-webhooks.ts'
import { idOf, nullable, oneOf, timeOf } from './schemas.ts'
import { Type } from './type.ts'

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
  name: Type.String({ description: 'What it is called.', examples: ['Web shop'] }),
  scopes: Type.Array(Type.String({ examples: ['transactions:write'] }), {
    description: 'What it may do.',
  }),
  last4: Type.String({ description: 'The end of the key.', examples: ['x7Qa'] }),
  created_at: timeOf('When the key was made.'),
  last_used_at: nullable({
    description: 'When it was last used, to the minute; null if never.',
    examples: ['2026-11-15T09:30:00.000Z'],
  }),
  revoked_at: nullable({
    description: 'When it was revoked; null while it works.',
    examples: [null],
  }),
}

/** Of the right shape, and plainly nobody's. */
export const exampleKey = `sk_sandbox_${'example'.repeat(6)}0`

export const developerComponents = {
  Scope: oneOf([...new Set([...scopesOf('account_key'), ...scopesOf('platform')])], {
    $id: 'Scope',
    description: 'What an API key may do. * is everything.',
    examples: ['transactions:write'],
  }),
  EventFilter: oneOf(typeFilters, {
    $id: 'EventFilter',
    description: 'The type of an event, or all types of a noun.',
    examples: ['transaction.*'],
  }),
  Event: Type.Object(
    {
      id: idOf('evt', 'The id of the event.'),
      type: oneOf(eventTypes, {
        description: 'What happened.',
        examples: ['transaction.succeeded'],
      }),
      account_id: idOf('acct', 'The account it happened to.'),
      sequence: Type.Integer({
        description: "The event's number within its account, from 1 and without gaps.",
        examples: [42],
      }),
      created_at: timeOf('When it happened.'),
      data: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The object as the API showed it then. Its shape depends on the type.',
        examples: [exampleTransaction],
        // For readers of the OpenAPI file: the server writes stored text and does not serialize it.
        'x-documented': { anyOf: anyEventData },
      }),
    },
    { $id: 'Event' },
  ),
  RequestLogEntry: Type.Object(
    {
      id: idOf('req', 'The Request-Id of the response.'),
      account_id: idOf('acct', 'The account it was asked for.'),
      created_at: timeOf('When the request came, in real time.'),
      method: Type.String({ description: 'Of the request.', examples: ['POST'] }),
      path: Type.String({ description: 'With its query.', examples: ['/v1/transactions'] }),
      status: Type.Integer({ description: 'Of the response.', examples: [201] }),
      duration_ms: Type.Integer({ description: 'Until it was answered.', examples: [7] }),
      caller: Type.Object(
        {
          kind: oneOf(['user', 'api_key'], { description: 'A person or a program.' }),
          id: Type.String({
            description: 'The user or the key.',
            examples: ['usr_01h455vb4pex5vsknk084sn02q'],
          }),
        },
        { description: 'Who asked.' },
      ),
      idempotency_key: Type.Boolean({
        description: 'Whether an Idempotency-Key came along.',
        examples: [true],
      }),
      error: nullable({
        description: 'The code of the error; null after a success.',
        examples: [null],
      }),
      request_body: nullable({
        description:
          'In sandbox: the body as JSON text, without secrets, 4 KiB at the most. Null where ' +
          'not everybody who reads the log may make the call.',
        examples: ['{"amount":7500,"currency":"USD","type":"payment"}'],
      }),
      response_body: nullable({
        description:
          'In sandbox: the response as JSON text, without secrets, 4 KiB at the most. Null where ' +
          'not everybody who reads the log may make the call.',
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
        description: 'The key itself. It is shown here and never again.',
        examples: [exampleKey],
      }),
    },
    { $id: 'CreatedApiKey' },
  ),
}

export function listOf(item: keyof typeof developerComponents): TSchema {
  return Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(Type.Ref(item)),
    has_more: Type.Boolean({
      description: 'Whether there are more entries in this direction.',
      examples: [false],
    }),
  })
}
