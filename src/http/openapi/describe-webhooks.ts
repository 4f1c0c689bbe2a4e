// The `webhooks` section of the OpenAPI document: the request that Florin sends to an endpoint
// for each event type.

import { eventTypes } from '../../events/event-types.ts'

const dataSchemas: Record<string, string> = {
  user: 'User',
  account: 'Account',
  transaction: 'Transaction',
  payment: 'Payment',
  payment_link: 'PaymentLink',
  subscription: 'Subscription',
  dispute: 'Dispute',
  transfer: 'Transfer',
  payout: 'Payout',
  api_key: 'ApiKey',
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The schemas that the data of an event can have. */
export const anyEventData = Object.values(dataSchemas).map(ref)

export function describeWebhooks(): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: describeWebhook(type) }]))
}

function describeWebhook(type: string): object {
  const [noun = '', verb = ''] = type.split('.')
  const name = [...noun.split('_'), verb].map((word) => word[0]!.toUpperCase() + word.slice(1))
  return {
    operationId: `on${name.join('')}`,
    // Not the tag of the operations on endpoints: a generator writes one file per tag, and the
    // second one would replace the first.
    tags: ['Webhook events'],
    summary: `The event ${type}`,
    description: 'Sent to each enabled webhook endpoint that subscribes to this type.',
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(signedHeader),
    requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
    responses: {
      '2XX': { description: 'The delivery succeeded.' },
      410: { description: 'The endpoint is disabled. No further events are sent.' },
      default: { description: 'The delivery failed. It is retried over three days.' },
    },
  }
}

function signedHeader(name: string): object {
  return {
    name,
    in: 'header',
    required: true,
    description: 'Part of the signature, as defined by Standard Webhooks.',
    schema: { type: 'string' },
  }
}

function bodyOf(type: string): object {
  const data = ref(dataSchemas[type.split('.')[0]!]!)
  return {
    allOf: [
      ref('Event'),
      {
        type: 'object',
        required: ['type', 'data', 'timestamp'],
        properties: {
          type: { type: 'string', enum: [type] },
          data,
          timestamp: {
            type: 'string',
            format: 'date-time',
            description: 'When the event occurred. The name follows Standard Webhooks.',
          },
        },
      },
    ],
  }
}
