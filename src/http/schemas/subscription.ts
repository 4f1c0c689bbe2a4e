// The subscription schema, a component of the OpenAPI document.

import { Type } from 'typebox'
import { idOf, nullable, oneOf, timeOf } from './resources.ts'

export const subscriptionSchema = Type.Object(
  {
    id: idOf('sub', 'The id of the subscription.'),
    account_id: idOf('acct', 'The account that requests the payments.'),
    customer_email: Type.String({
      description: 'The email address of the customer who pays.',
      examples: ['customer@example.com'],
    }),
    amount: Type.Integer({
      description: 'The amount per period in minor units.',
      examples: [7500],
    }),
    currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
    interval: oneOf(['day', 'week', 'month', 'year'], {
      description: 'The unit of the billing period.',
      examples: ['month'],
    }),
    interval_count: Type.Integer({
      description: 'The number of units in a billing period.',
      examples: [1],
    }),
    status: oneOf(['active', 'paused', 'canceled'], {
      description: 'Only an active subscription creates payment requests. canceled is final.',
    }),
    reference: nullable({ description: 'Your reference, or null.', examples: ['Plan B'] }),
    metadata: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Custom key-value data.',
        examples: [{ plan: 'b' }],
      },
    ),
    next_at: nullable({
      format: 'date-time',
      description: 'When the next period starts; null unless active.',
      examples: ['2026-12-15T09:30:00.000Z'],
    }),
    created_at: timeOf('When the subscription was created and its first period started.'),
    updated_at: timeOf('When the subscription was last changed. A new period does not count.'),
  },
  { $id: 'Subscription' },
)
