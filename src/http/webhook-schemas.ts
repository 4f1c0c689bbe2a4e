// The shapes of webhook endpoints and deliveries. Named in the OpenAPI file by schemas.ts.

import { id, oneOf, time } from './schema-parts.ts'
import { Type } from './type.ts'

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
  account_id: id('acct', 'The account whose events it gets.'),
  url: Type.String({ description: 'Where events are sent.', examples: [example_url] }),
  events: Type.Array(Type.String(), {
    description: 'Which events are sent: names, noun.* or *.',
    examples: [['transaction.*', 'payment.succeeded']],
  }),
  status: oneOf(['enabled', 'disabled'], { description: 'Whether events are sent to it.' }),
  disabled_reason: Type.Unsafe<'manual' | 'gone' | 'failing' | 'closed' | null>({
    type: ['string', 'null'],
    enum: ['manual', 'gone', 'failing', 'closed', null],
    description:
      'asked: by you. gone: it answered 410. failing: it took nothing for days. closed: the ' +
      'account was. null while it is enabled.',
    examples: [null],
  }),
  failing_since: timeOrNull('Since when it has taken nothing, or null while all is well.'),
  previous_secret_expires_at: timeOrNull('Until when the secret before this one signs too.'),
  replay: Type.Unsafe<{ after: number; through: number } | null>({
    type: ['object', 'null'],
    properties: {
      after: Type.Integer({ description: 'The last event that was taken up.' }),
      through: Type.Integer({ description: 'The last event that will be.' }),
    },
    required: ['after', 'through'],
    description: 'What is left of a replay, by sequence; null when none is under way.',
    examples: [null],
  }),
  created_at: time('When the endpoint was made.'),
  updated_at: time('When the endpoint last changed.'),
}

const listedDelivery = {
  id: id('wd', 'The id of the delivery.'),
  account_id: id('acct', 'The account it belongs to.'),
  endpoint_id: id('we', 'Where it goes.'),
  event_id: id('evt', 'The event. It is also the webhook-id, the same on each try.'),
  event_type: Type.String({
    description: 'The name of the event, or webhook_endpoint.test.',
    examples: ['transaction.succeeded'],
  }),
  event_sequence: numberOrNull("The event's number within the account; null for a test.", 42),
  status: oneOf(['pending', 'retrying', 'delivered', 'failed', 'canceled'], {
    description:
      'pending: it waits for its first attempt, or to be sent again after it was delivered. ' +
      'retrying: the last attempt failed and more will follow. delivered: the receiver accepted ' +
      'it. failed: the last attempt failed and no more will follow. canceled: its endpoint was ' +
      'disabled or deleted.',
    examples: ['delivered'],
  }),
  attempts: Type.Integer({
    description:
      'All attempts so far, also those before a resend. One that was cut off by a crash of the ' +
      'server is counted and is not in history.',
    examples: [1],
  }),
  last_attempt_at: timeOrNull('When it was last tried.', '2026-11-15T09:30:00.300Z'),
  next_attempt_at: timeOrNull('When it is tried next, or null when it has ended.'),
  duration_ms: numberOrNull('How long the last try took.', 84),
  response_status: numberOrNull('What the last try was answered with, or null.', 200),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why the last try failed, or null.',
    examples: [null],
  }),
  created_at: time('When it was taken up.'),
}

const response = (what: string, kept: string) =>
  Type.Unsafe<{ status: number; body: string } | null>({
    type: ['object', 'null'],
    properties: { status: Type.Integer(), body: Type.String() },
    required: ['status', 'body'],
    description: `${what}, with the first ${kept} of its body; null without answer.`,
    examples: [{ status: 200, body: 'ok' }],
  })

const attempt = {
  at: time('When it was sent, which is also its webhook-timestamp.'),
  url: Type.String({ description: 'Where it was sent.', examples: [example_url] }),
  duration_ms: Type.Integer({ description: 'How long it took.', examples: [84] }),
  response: response('What came back', '4 KiB'),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why it failed, or null.',
    examples: [null],
  }),
}

export const webhookComponents = {
  WebhookEndpoint: Type.Object(endpoint, { $id: 'WebhookEndpoint' }),
  WebhookEndpointWithSecret: Type.Object(
    {
      ...endpoint,
      secret: Type.String({
        description: 'Signs every delivery. Shown now, and never again.',
        examples: [`whsec_${Buffer.from('example'.repeat(4)).toString('base64')}`],
      }),
    },
    { $id: 'WebhookEndpointWithSecret', description: 'An endpoint with its new secret.' },
  ),
  ListedWebhookDelivery: Type.Object(listedDelivery, {
    $id: 'ListedWebhookDelivery',
    description: 'A delivery as lists show it: without request and answer.',
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
        description: 'What was sent last; null when its event is no longer kept.',
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
      response: response('What came back last', '4 KiB'),
      history: Type.Array(Type.Object(attempt), {
        description:
          'Every try that was brought to its end, newest first, also those before a retry: the ' +
          'last twenty. Each sent the same body.',
      }),
    },
    { $id: 'WebhookDelivery' },
  ),
}
