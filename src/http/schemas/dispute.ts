// The dispute schema, a component of the OpenAPI document.

import { Type } from 'typebox'
import { disputeStatuses } from '../../disputes/dispute.ts'
import { idOf, nullable, oneOf, timeOf } from './resources.ts'

export const disputeSchema = Type.Object(
  {
    id: idOf('dsp', 'The id of the dispute.'),
    account_id: idOf('acct', 'The account that received the payment.'),
    transaction_id: idOf('txn', 'The payment that the cardholder disputes.'),
    amount: Type.Integer({
      description: 'The disputed amount in minor units. It may exceed the payment.',
      examples: [7500],
    }),
    currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
    reason: Type.String({
      description: 'The reason of the cardholder, as the provider names it.',
      examples: ['fraudulent'],
    }),
    status: oneOf(disputeStatuses, {
      description:
        'needs_response until evidence was submitted, under_review until the bank decides. If ' +
        'won, the amount is returned to the account.',
      examples: ['needs_response'],
    }),
    provider: oneOf(['stripe', 'mollie', 'sandbox'], {
      description: 'The provider that collected the payment.',
    }),
    provider_dispute_id: Type.String({
      description: "The provider's id of the dispute.",
      examples: ['dp_1QK4vMB2eZvKYlo2CbQ7HqXz'],
    }),
    evidence_url: nullable({
      description: 'Where to submit evidence; null if the provider accepts none.',
      examples: ['https://dashboard.stripe.com/disputes/dp_1QK4vMB2eZvKYlo2CbQ7HqXz'],
    }),
    due_at: nullable({
      format: 'date-time',
      description: 'Until when evidence is accepted; null if the provider sets no time.',
      examples: ['2026-11-22T09:30:00.000Z'],
    }),
    created_at: timeOf('When Florin recorded the dispute and withdrew its amount.'),
    updated_at: timeOf('When the dispute last changed.'),
  },
  { $id: 'Dispute' },
)
