// The schema of GET /v1/processor.

import { Type } from 'typebox'
import { nullable, oneOf, timeOf } from './resources.ts'

const timeOrNull = (description: string, example: string | null) =>
  nullable({ format: 'date-time', description, examples: [example] })

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] })

const unmatchedPayment = Type.Object({
  event_id: text('The message that reported the payment.', 'evt_1Pq2'),
  provider_id: text('The payment, as the provider names it.', 'cs_live_a1b2'),
  amount: count("The amount in the currency's minor unit.", 7500),
  currency: text('The currency.', 'USD'),
  received_at: timeOf('When the message arrived.'),
})

const provider = Type.Object({
  name: oneOf(['stripe', 'mollie'], { description: 'The provider.', examples: ['stripe'] }),
  is_live: Type.Boolean({
    description: 'Whether the configured key moves real money.',
    examples: [true],
  }),
  state: oneOf(['ok', 'failing'], {
    description: 'failing: nothing has succeeded since the last error.',
  }),
  last_webhook_at: timeOrNull(
    'When a message of the provider last arrived, to within ten seconds; null if none ever did.',
    '2026-11-15T09:30:00.000Z',
  ),
  last_sweep_at: timeOrNull(
    'When the changes at the provider were last listed, which happens every minute; or null.',
    '2026-11-15T09:30:00.000Z',
  ),
  last_error: nullable({
    description: 'The last error of the provider, or null.',
    examples: [null],
  }),
  last_error_at: timeOrNull('When it occurred, or null.', null),
  backlog: count('Messages that are not processed yet; 1000 means 1000 or more.', 0),
  oldest_backlog_at: timeOrNull('When the oldest of them arrived, or null.', null),
  unmatched: Type.Object(
    {
      count: count('The number of these payments.', 0),
      data: Type.Array(unmatchedPayment, { description: 'The newest 20.' }),
    },
    {
      description:
        'Payments that the provider received and that belong to no payment request of this ' +
        'server. Nothing was recorded for them: refund them at the provider.',
    },
  ),
})

export const processorSchema = Type.Object(
  {
    object: Type.Literal('processor'),
    mode: oneOf(['sandbox', 'live'], { description: 'The mode of the server.' }),
    providers: Type.Array(provider, {
      description: 'The configured providers; empty with the sandbox and with transfers only.',
    }),
    transfers: Type.Boolean({
      description: 'Whether the payment page shows how to pay by transfer.',
      examples: [false],
    }),
    late_payments: oneOf(['refund', 'keep'], {
      description: 'What happens to money that arrives after its payment request has ended.',
    }),
    pending_refunds: count('Refunds whose outcome is not known yet; 1000 means 1000 or more.', 0),
  },
  { $id: 'Processor' },
)
