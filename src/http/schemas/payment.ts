// The schemas of payment requests and card attempts. schemas.ts names them in the OpenAPI
// document.

import { Type } from 'typebox'
import { listedEmail } from './email.ts'
import { id, nullable, oneOf, time } from './parts.ts'

const createdPayment = {
  id: id('pay', 'The id of the payment request.'),
  account_id: id('acct', 'The account that requests the payment.'),
  amount: Type.Integer({ description: 'The amount in minor units.', examples: [7500] }),
  currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
  status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
    description: 'The status. It leaves pending exactly once and is then final.',
  }),
  customer_email: Type.String({
    description: 'The email address of the customer.',
    examples: ['customer@example.com'],
  }),
  reference: nullable({ description: 'Your reference, or null.', examples: ['Invoice 2026-114'] }),
  metadata: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Custom key-value data.',
      examples: [{ order: '114' }],
    },
  ),
  created_at: time('When the payment request was created.'),
  payment_url: Type.String({
    format: 'uri',
    description: 'The page where the customer pays. Anyone with this URL can pay.',
    examples: [`https://pay.example.com/pay/${'example'.repeat(6)}0`],
  }),
}

const payment = {
  ...createdPayment,
  updated_at: time('When the payment request last changed.'),
  expires_at: time('When the payment request is canceled if it has not been paid.'),
  transaction_id: nullable({
    description: 'The transaction that paid it; null until then.',
    examples: ['txn_01h455vb4pex5vsknk084sn02q'],
  }),
  refunded_amount: Type.Integer({
    description:
      'The total of pending and succeeded refunds in minor units. Always 0 in events, which ' +
      'are recorded before a refund is possible.',
    examples: [0],
  }),
}

const requestOptions = {
  message: nullable({
    description: 'The message to the customer, or null.',
    examples: ['Thank you for your order!'],
  }),
  reminder_days: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description:
      'How many days before the expiry the customer is reminded, as chosen at creation. 0: ' +
      'never. null: the default.',
    examples: [null],
  }),
  reminder_at: nullable({
    format: 'date-time',
    description: 'When the customer is reminded if the request is still pending, or null.',
    examples: ['2026-12-11T08:00:00.000Z'],
  }),
  sends: Type.Integer({ description: 'How often the link was emailed.', examples: [1] }),
  payment_link_id: nullable({
    description: 'The reusable payment link that the payer used, or null.',
    examples: [null],
  }),
}

const nullableInteger = (description: string, example: number | null) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] })

const { kind, state, created_at, sent_at } = listedEmail

export const paymentComponents = {
  CreatedPayment: Type.Object(createdPayment, {
    $id: 'CreatedPayment',
    description: 'A payment request as created.',
  }),
  Payment: Type.Object(payment, { $id: 'Payment' }),
  PaymentRequest: Type.Object(
    { ...payment, ...requestOptions },
    { $id: 'PaymentRequest', description: 'A payment request with its options.' },
  ),
  PaymentLink: Type.Object(
    {
      id: id('lnk', 'The id of the payment link.'),
      account_id: id('acct', 'The account that gets paid.'),
      url: Type.String({
        format: 'uri',
        description: 'The page to share. Anyone with this URL can start a payment.',
        examples: ['https://pay.example.com/l/example0example0'],
      }),
      title: Type.String({
        description: 'What the payer pays for.',
        examples: ['Pottery class'],
      }),
      currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
      amount: nullableInteger('The amount in minor units; null if the payer chooses.', 7_500),
      amount_min: nullableInteger('The smallest amount that a payer can choose.', null),
      amount_max: nullableInteger('The largest amount that a payer can choose.', null),
      amount_suggested: nullableInteger('The amount that the form starts with.', null),
      max_uses: nullableInteger('How many payments the link accepts. null: any number.', 20),
      uses: Type.Integer({ description: 'How many payments succeeded.', examples: [3] }),
      reserved: Type.Integer({
        description: 'How many payments are pending. Each reserves a use.',
        examples: [1],
      }),
      expires_at: nullable({
        format: 'date-time',
        description: 'When the link stops accepting payments, or null.',
        examples: [null],
      }),
      active: Type.Boolean({
        description: 'Whether the link accepts payments.',
        examples: [true],
      }),
      metadata: createdPayment.metadata,
      created_at: time('When the payment link was created.'),
      updated_at: time('When the payment link last changed. A use does not change it.'),
    },
    { $id: 'PaymentLink', description: 'A payment link that many payers can use.' },
  ),
  Document: Type.Object(
    {
      id: id('doc', 'The id of the document.'),
      account_id: id('acct', 'The account that was paid.'),
      type: oneOf(['receipt', 'credit_note'] as const, {
        description: 'A receipt for a payment, or a credit note for a refund.',
      }),
      number: Type.Integer({
        description: 'Counts the documents of the account from 1, without gaps.',
        examples: [12],
      }),
      receipt_number: nullableInteger(
        'On a credit note: the number of the receipt that it corrects.',
        null,
      ),
      payment_id: id('pay', 'The payment request.'),
      transaction_id: id('txn', 'The payment of a receipt, the refund of a credit note.'),
      amount: Type.Integer({ description: 'What was paid or refunded.', examples: [7_500] }),
      currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
      customer_email: createdPayment.customer_email,
      reference: createdPayment.reference,
      created_at: time('When the document was issued.'),
    },
    { $id: 'Document', description: 'A receipt or a credit note.' },
  ),
  PaymentEmail: Type.Object(
    { kind, state, created_at, sent_at },
    { $id: 'PaymentEmail', description: 'The state of an email to a customer.' },
  ),
  ReturnOrigin: Type.Object(
    {
      origin: Type.String({
        description: 'Scheme, host and port, normalized.',
        examples: ['https://shop.example.com'],
      }),
    },
    {
      $id: 'ReturnOrigin',
      description: 'An origin to which the payment page may send customers back.',
    },
  ),
  PaymentReturnUrls: Type.Object(
    {
      id: id('pay', 'The id of the payment request.'),
      return_url: nullable({
        description: 'Where the customer continues after the payment, or null.',
        examples: ['https://shop.example.com/orders/114'],
      }),
      cancel_url: nullable({
        description: 'Where the customer goes back to without paying, or null.',
        examples: ['https://shop.example.com/cart'],
      }),
    },
    {
      $id: 'PaymentReturnUrls',
      description: 'Where the payment page sends the customer back to.',
    },
  ),
  PaymentAttempt: Type.Object(
    {
      number: Type.Integer({
        description: 'The number of the attempt within the payment request, starting at 1.',
        examples: [1],
      }),
      created_at: time('When the attempt was made.'),
      outcome: oneOf(['succeeded', 'declined'], {
        description: 'The result from the processor.',
        examples: ['declined'],
      }),
      decline_code: nullable({
        description:
          'Why the card was declined: card_declined, insufficient_funds, expired_card, ' +
          'incorrect_cvc, processing_error or authentication_failed; null if the payment ' +
          'succeeded. More codes may be added.',
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
        { description: 'The stored card details. The card number is never stored.' },
      ),
    },
    { $id: 'PaymentAttempt', description: 'An attempt by the customer to pay by card.' },
  ),
}
