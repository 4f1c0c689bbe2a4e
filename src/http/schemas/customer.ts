// The customer schema, a component of the OpenAPI document.

import { Type } from 'typebox'
import { idOf, nullable, timeOf } from './resources.ts'

const amount = (description: string, example: number) =>
  Type.Integer({ description: `${description} In minor units.`, examples: [example] })

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

export const customerSchema = Type.Object(
  {
    id: idOf('cus', 'The id of the customer.'),
    account_id: idOf('acct', 'The account that the customer pays.'),
    email: Type.String({
      description: 'The email address, as first spelled. Unique in the account, ignoring case.',
      examples: ['customer@example.com'],
    }),
    currency: Type.String({ description: 'The currency of the amounts.', examples: ['USD'] }),
    total_paid: amount('What the customer paid, before refunds.', 15000),
    refunded: amount('What was refunded, including pending refunds.', 7500),
    open: amount('What the customer has still to pay.', 0),
    requests: count('How many payment requests the customer has.', 3),
    paid_requests: count('How many of them are paid.', 2),
    open_requests: count('How many of them are pending.', 0),
    active_subscriptions: count('How many active subscriptions the customer has.', 1),
    created_at: timeOf('When the first payment request was created.'),
    last_activity_at: timeOf('When a payment request or subscription of the customer changed.'),
    totals_from: nullable({
      format: 'date-time',
      description:
        'null, or for a customer with more than 5,000 payment requests: amounts and counts ' +
        'include only requests created at or after this time.',
      examples: [null],
    }),
    erased_at: nullable({
      format: 'date-time',
      description: 'When the personal data was erased, or null. The email is then a keyed hash.',
      examples: [null],
    }),
  },
  { $id: 'Customer' },
)
