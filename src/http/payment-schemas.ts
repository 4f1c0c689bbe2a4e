// The shapes of payment requests and card attempts. Named in the OpenAPI file by schemas.ts.

import { id, nullable, oneOf, time } from './schema-parts.ts'
import { Type } from './type.ts'

const createdPayment = {
  id: id('pay', 'The id of the payment request.'),
  account_id: id('acct', 'The account that asks for the money.'),
  amount: Type.Integer({ description: 'In minor units.', examples: [7500] }),
  currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
  status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
    description: 'It leaves pending exactly once.',
  }),
  customer_email: Type.String({
    description: 'Who is asked to pay.',
    examples: ['customer@example.com'],
  }),
  reference: nullable({ description: 'Your reference, or null.', examples: ['Invoice 2026-114'] }),
  metadata: Type.Object(
    {},
    { additionalProperties: true, description: 'Your own keys.', examples: [{ order: '114' }] },
  ),
  created_at: time('When the payment request was created.'),
  payment_url: Type.String({
    format: 'uri',
    description: 'The page where the customer pays. Whoever has it may pay.',
    examples: [`https://pay.example.com/pay/${'example'.repeat(6)}0`],
  }),
}

export const paymentComponents = {
  CreatedPayment: Type.Object(createdPayment, {
    $id: 'CreatedPayment',
    description: 'A payment request as created.',
  }),
  Payment: Type.Object(
    {
      ...createdPayment,
      updated_at: time('When the payment request last changed.'),
      expires_at: time('When it is canceled if nobody has paid.'),
      transaction_id: nullable({
        description: 'The transaction that paid it; null until then.',
        examples: ['txn_01h455vb4pex5vsknk084sn02q'],
      }),
      refunded_amount: Type.Integer({
        description:
          'In minor units: the sum of the refunds of this request that are pending or succeeded. ' +
          'Always 0 in events, which are written before anything can be refunded.',
        examples: [0],
      }),
    },
    { $id: 'Payment' },
  ),
  PaymentAttempt: Type.Object(
    {
      number: Type.Integer({
        description: 'Counts the attempts of the payment request from 1.',
        examples: [1],
      }),
      created_at: time('When the card was tried.'),
      outcome: oneOf(['succeeded', 'declined'], {
        description: 'What the processor decided.',
        examples: ['declined'],
      }),
      decline_code: nullable({
        description:
          'Why the card was declined: card_declined, insufficient_funds, expired_card, ' +
          'incorrect_cvc or processing_error; null when it paid. More codes may be added.',
        examples: ['insufficient_funds'],
      }),
      card: Type.Object(
        {
          brand: Type.String({
            description: 'visa, mastercard, amex, discover or unknown.',
            examples: ['visa'],
          }),
          last4: Type.String({ description: 'The last four digits.', examples: ['9995'] }),
        },
        { description: 'What is stored of the card. The number never is.' },
      ),
    },
    { $id: 'PaymentAttempt', description: 'One attempt of the customer to pay by card.' },
  ),
}
