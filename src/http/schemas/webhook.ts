// The schemas of webhook endpoints and deliveries. schemas.ts names them in the OpenAPI
// document.

import { Type } from 'typebox'
import { id, oneOf, time } from './parts.ts'

const timeOrNull = (description: string, example: string | null = null) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description,
    examples: [example],
  })

const numberOrNull = (description: string, example: number | null) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] })

const example_url = 'https://example.com/webhooks'

const endpoint = {
  id: id('we', 'The id of the webhook endpoint.'),
  account_id: id('acct', 'The account whose events are sent.'),
  url: Type.String({ description: 'The URL that receives events.', examples: [example_url] }),
  events: Type.Array(Type.String(), {
    description: 'The event types to send: a type, a family such as payment.*, or *.',
    examples: [['transaction.*', 'payment.succeeded']],
  }),
  status: oneOf(['enabled', 'disabled'], { description: 'Whether the endpoint receives events.' }),
  disabled_reason: Type.Unsafe<'manual' | 'gone' | 'failing' | 'closed' | null>({
    type: ['string', 'null'],
    enum: ['manual', 'gone', 'failing', 'closed', null],
    description:
      'manual: disabled through the API. gone: the endpoint returned 410. failing: deliveries ' +
      'failed for days. closed: the account was closed. null while enabled.',
    examples: [null],
  }),
  failing_since: timeOrNull('When deliveries started to fail, or null.'),
  previous_secret_expires_at: timeOrNull('Until when the previous secret also signs.'),
  replay: Type.Unsafe<{ after: number; through: number } | null>({
    type: ['object', 'null'],
    properties: {
      after: Type.Integer({ description: 'The last event that was queued.' }),
      through: Type.Integer({ description: 'The last event of the replay.' }),
    },
    required: ['after', 'through'],
    description: 'The rest of a replay in progress, by event sequence, or null.',
    examples: [null],
  }),
  created_at: time('When the endpoint was created.'),
  updated_at: time('When the endpoint last changed.'),
}

const listedDelivery = {
  id: id('wd', 'The id of the delivery.'),
  account_id: id('acct', 'The account that the delivery belongs to.'),
  endpoint_id: id('we', 'The endpoint that receives the delivery.'),
  event_id: id('evt', 'The id of the event. It is the webhook-id of every attempt.'),
  event_type: Type.String({
    description: 'The event type, or webhook_endpoint.test.',
    examples: ['transaction.succeeded'],
  }),
  event_sequence: numberOrNull('The sequence number of the event; null for a test.', 42),
  status: oneOf(['pending', 'retrying', 'delivered', 'failed', 'canceled'], {
    description:
      'pending: waiting for its first attempt, or for a resend after it was delivered. ' +
      'retrying: the last attempt failed and more will follow. delivered: the endpoint accepted ' +
      'it. failed: the last attempt failed and no more will follow. canceled: the endpoint was ' +
      'disabled or deleted.',
    examples: ['delivered'],
  }),
  attempts: Type.Integer({
    description:
      'All attempts so far, including those before a resend. An attempt interrupted by a server ' +
      'crash is counted but is not in history.',
    examples: [1],
  }),
  last_attempt_at: timeOrNull('When the last attempt was made.', '2026-11-15T09:30:00.300Z'),
  next_attempt_at: timeOrNull('When the next attempt is due, or null if there is none.'),
  duration_ms: numberOrNull('The duration of the last attempt in milliseconds.', 84),
  response_status: numberOrNull('The HTTP status of the last attempt, or null.', 200),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why the last attempt failed, or null.',
    examples: [null],
  }),
  created_at: time('When the delivery was queued.'),
}

const response = (what: string, stored_size: string) =>
  Type.Unsafe<{ status: number; body: string } | null>({
    type: ['object', 'null'],
    properties: { status: Type.Integer(), body: Type.String() },
    required: ['status', 'body'],
    description: `${what}, with the first ${stored_size} of its body; null if there was none.`,
    examples: [{ status: 200, body: 'ok' }],
  })

const attempt = {
  at: time('When the attempt was sent. It is the webhook-timestamp.'),
  url: Type.String({ description: 'The URL of the attempt.', examples: [example_url] }),
  duration_ms: Type.Integer({ description: 'The duration in milliseconds.', examples: [84] }),
  response: response('The response', '4 KiB'),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why the attempt failed, or null.',
    examples: [null],
  }),
}

export const webhookComponents = {
  WebhookEndpoint: Type.Object(endpoint, { $id: 'WebhookEndpoint' }),
  WebhookEndpointWithSecret: Type.Object(
    {
      ...endpoint,
      secret: Type.String({
        description: 'The signing secret. It is shown only once.',
        examples: [`whsec_${Buffer.from('example'.repeat(4)).toString('base64')}`],
      }),
    },
    { $id: 'WebhookEndpointWithSecret', description: 'An endpoint with its new secret.' },
  ),
  ListedWebhookDelivery: Type.Object(listedDelivery, {
    $id: 'ListedWebhookDelivery',
    description: 'A delivery as returned in lists, without request and response.',
  }),
  WebhookDelivery: Type.Object(
    {
      ...listedDelivery,
      request: Type.Unsafe<{
        url: string
        headers: Record<string, string>
        body: string
      } | null>({
        type: ['object', 'null'],
        properties: {
          url: Type.String(),
          headers: Type.Object({}, { additionalProperties: Type.String() }),
          body: Type.String(),
        },
        required: ['url', 'headers', 'body'],
        description: 'The last request; null if the event is no longer stored.',
        examples: [
          {
            url: example_url,
            headers: {
              'content-type': 'application/json',
              'webhook-id': 'evt_01h455vb4pex5vsknk084sn02q',
              'webhook-timestamp': '1794735000',
            },
            body: '{"id":"evt_01h455vb4pex5vsknk084sn02q","type":"transaction.succeeded"}',
          },
        ],
      }),
      response: response('The last response', '4 KiB'),
      history: Type.Array(Type.Object(attempt), {
        description:
          'The last twenty completed attempts, newest first, including those before a resend. ' +
          'Each sent the same body.',
      }),
    },
    { $id: 'WebhookDelivery' },
  ),
}
