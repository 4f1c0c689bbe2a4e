// The shape of a subscription in answers, named in the OpenAPI file's components.

import { idOf, nullable, oneOf, timeOf } from './schemas.ts'
import { Type } from './type.ts'

export const subscriptionSchema = Type.Object(
  {
    id: idOf('sub', 'The id of the subscription.'),
    account_id: idOf('acct', 'The account that asks for the money.'),
    customer_email: Type.String({
      description: 'Who is asked to pay each period.',
      examples: ['customer@example.com'],
    }),
    amount: Type.Integer({ description: 'In minor units, each period.', examples: [7500] }),
    currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
    interval: oneOf(['day', 'week', 'month', 'year'], {
      description: 'What a period is counted in.',
      examples: ['month'],
    }),
    interval_count: Type.Integer({ description: 'How many make a period.', examples: [1] }),
    status: oneOf(['active', 'paused', 'canceled'], {
      description: 'Only an active one asks for money. Canceled is for good.',
    }),
    reference: nullable({ description: 'Your reference, or null.', examples: ['Plan B'] }),
    metadata: Type.Object(
      {},
      { additionalProperties: true, description: 'Your own keys.', examples: [{ plan: 'b' }] },
    ),
    next_at: nullable({
      format: 'date-time',
      description: 'When the next period begins; null unless active.',
      examples: ['2026-12-15T09:30:00.000Z'],
    }),
    created_at: timeOf('When it was created, and its first period began.'),
    updated_at: timeOf('When somebody last changed it. A period that comes round is no change.'),
  },
  { $id: 'Subscription' },
)
