// The schemas of reports, which aggregate many rows, and of the audit log.

import { Type } from 'typebox'
import { idOf, nullable, oneOf, timeOf } from './resources.ts'

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

const nullableCount = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] })

const period = {
  from: timeOf('The start, inclusive.'),
  to: Type.String({
    format: 'date-time',
    description: 'The end, inclusive.',
    examples: ['2026-11-15T23:59:59.999Z'],
  }),
}

const volume = {
  in: count('The total of succeeded payments and credits, in minor units.', 7500),
  out: count('The total of succeeded refunds, in minor units.', 0),
  succeeded: count('The number of transactions created in this period that have succeeded.', 1),
  failed: count('The number that have failed.', 0),
  canceled: count('The number that were canceled.', 0),
  pending: count('The number that are pending.', 0),
  declined_attempts: count('The number of declined card attempts on payment requests.', 0),
}

const growth = {
  accounts_created: count('The number of accounts that were created.', 2),
  succeeded: volume.succeeded,
  failed: volume.failed,
}

const totals = {
  ...volume,
  success_rate: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description:
      'succeeded / (succeeded + failed + declined_attempts), from 0 to 1; null when all are 0.',
    examples: [1],
  }),
}

const listed = (example: string, list: string) => ({
  count: count('The number of objects; 1000 means 1000 or more.', 1),
  ids: Type.Array(Type.String(), {
    description: 'The first five ids.',
    examples: [[`${example}_01h455vb4pex5vsknk084sn02q`]],
  }),
  list: Type.String({
    description:
      'The path and query that lists all of them. Send it with the same token and ' +
      'Florin-Account.',
    examples: [list],
  }),
})

const late_list = '/v1/transaction_details?transaction_ids=txn_01h455vb4pex5vsknk084sn02q'

const listedEndpoints = (health: string, description: string) => {
  const list = `/v1/webhook_endpoints?health=${health}`
  return Type.Unsafe<{ count: number; ids: string[]; list: string } | null>({
    type: ['object', 'null'],
    properties: listed('we', list),
    required: ['count', 'ids', 'list'],
    description: `${description} null if the caller may not manage webhooks.`,
    examples: [{ count: 0, ids: [], list }],
  })
}

const bucket = (description: string, example: string) =>
  oneOf(['external', 'incoming', 'available', 'held'], { description, examples: [example] })

export const refundAmountFields = {
  refunded_amount: Type.Integer({
    description:
      'The total of linked refunds that are pending or succeeded, in minor units. Failed and ' +
      'canceled refunds do not count.',
    examples: [4200],
  }),
  pending_refund_amount: Type.Integer({
    description: 'The pending part of refunded_amount.',
    examples: [0],
  }),
  refundable_amount: Type.Integer({
    description:
      'The maximum amount of another refund: the amount minus refunded_amount for a succeeded ' +
      'payment, 0 for any other transaction.',
    examples: [3300],
  }),
}

export const reportComponents = {
  ListCount: Type.Object(
    {
      count: count('The number of entries, up to 10,000.', 240),
      is_exact: Type.Boolean({
        description: 'False if there are more entries than the count.',
        examples: [true],
      }),
    },
    { $id: 'ListCount' },
  ),
  TransactionDetails: Type.Object(
    {
      transaction_id: idOf('txn', 'The id of the transaction.'),
      ...refundAmountFields,
      refund_of: nullable({
        description: 'The payment that this refund is linked to, or null.',
        examples: [null],
      }),
      payment_id: nullable({
        description:
          'The payment request that this transaction paid, or that this linked refund pays back; ' +
          'otherwise null.',
        examples: ['pay_01h455vb4pex5vsknk084sn02q'],
      }),
      customer_email: nullable({
        description: 'The customer of that payment request, or null.',
        examples: ['customer@example.com'],
      }),
    },
    { $id: 'TransactionDetails' },
  ),
  Charge: Type.Object(
    {
      object: Type.Literal('charge'),
      transaction_id: idOf('txn', 'The payment that the charge paid.'),
      provider: oneOf(['stripe', 'mollie', 'sandbox', 'bank_transfer'], {
        description: 'The provider that collected the money.',
      }),
      charge_id: Type.String({
        description: "The provider's id of the charge.",
        examples: ['ch_3QK4vMB2eZvKYlo21bSgq2oE'],
      }),
      amount: count('The amount in minor units.', 7500),
      currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
      fee: nullableCount("The provider's fee; null until the provider has determined it.", 138),
      net: nullableCount('The amount without the fee; null until the fee is known.', 7362),
      refunded_amount: count('The amount of its pending and succeeded refunds.', 0),
      disputed: Type.Boolean({
        description: 'Whether the payment has a dispute that was not won. It cannot be refunded.',
        examples: [false],
      }),
      card: Type.Unsafe<{ brand: string; last4: string } | null>({
        type: ['object', 'null'],
        properties: {
          brand: Type.String({ description: 'The brand of the card.', examples: ['visa'] }),
          last4: Type.String({ description: 'The last four digits.', examples: ['4242'] }),
        },
        required: ['brand', 'last4'],
        description: 'The card, or null for other payment methods.',
        examples: [{ brand: 'visa', last4: '4242' }],
      }),
      checkout_id: nullable({
        description: "The visit to the provider's page; null in the sandbox.",
        examples: ['chk_01h455vb4pex5vsknk084sn02q'],
      }),
    },
    { $id: 'Charge', description: 'What a provider collected for a payment.' },
  ),
  Posting: Type.Object(
    {
      sequence: count('The sequence number within the account, without gaps.', 2),
      from: bucket('The balance bucket debited.', 'incoming'),
      to: bucket('The balance bucket credited.', 'available'),
      amount: count('The amount in minor units.', 7500),
      available_after: count('The available balance after this posting.', 7500),
      created_at: timeOf('When the posting was made.'),
    },
    { $id: 'Posting' },
  ),
  Volume: Type.Object(
    {
      account_id: idOf('acct', 'The account.'),
      currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
      timezone: Type.String({ description: "The account's time zone.", examples: ['UTC'] }),
      interval: Type.String({ description: 'The length of a bucket.', examples: ['day'] }),
      ...period,
      totals: Type.Object(totals, { description: 'Totals of the whole period.' }),
      previous: Type.Object(
        {
          ...period,
          ...totals,
          buckets: Type.Array(Type.Object({ ...period, ...volume }), {
            description: 'Buckets of the previous period, oldest first.',
          }),
        },
        { description: 'The preceding period of the same length.' },
      ),
      buckets: Type.Array(Type.Object({ ...period, ...volume }), {
        description: 'Buckets of the period, oldest first, without gaps.',
      }),
    },
    { $id: 'Volume' },
  ),
  Overview: Type.Object(
    {
      ...period,
      accounts: count('The number of all accounts, including closed ones.', 12),
      totals: Type.Object(growth, { description: 'Totals of the whole period.' }),
      previous: Type.Object(growth, { description: 'Totals of the 30 days before.' }),
      volumes: Type.Array(
        Type.Object({
          currency: Type.String({ description: 'The ISO 4217 currency code.', examples: ['USD'] }),
          in: volume.in,
          out: volume.out,
          succeeded: growth.succeeded,
          failed: growth.failed,
          previous_in: count('The total of payments and credits in the 30 days before.', 5000),
        }),
        { description: 'One entry per currency, the one with the most transactions first.' },
      ),
      days: Type.Array(Type.Object({ ...period, ...growth }), {
        description: 'Days of the period, oldest first, without gaps.',
      }),
      newest_accounts: Type.Array(Type.Ref('ListedAccount'), {
        description: 'The ten newest accounts, newest first.',
      }),
    },
    { $id: 'Overview' },
  ),
  Attention: Type.Object(
    {
      account_id: idOf('acct', 'The account.'),
      at: timeOf('The time of the report.'),
      failed: Type.Object(
        {
          since: timeOf('24 hours plus the settlement time of the processor ago.'),
          ...listed('txn', '/v1/transactions?status=failed&date_from=2026-11-14T09:30:00.000Z'),
        },
        { description: 'Failed transactions created since then, newest first.' },
      ),
      pending_long: Type.Object(
        {
          before: timeOf('An hour ago, or twice the settlement time of the processor.'),
          ...listed('txn', '/v1/transactions?status=pending&date_to=2026-11-15T08:30:00.000Z'),
        },
        { description: 'Pending transactions created before then, oldest first.' },
      ),
      payments_failed: Type.Object(
        {
          since: timeOf('24 hours ago.'),
          ...listed('pay', '/v1/payments?status=failed&updated_from=2026-11-14T09:30:00.000Z'),
        },
        {
          description: 'Payment requests that failed since then, newest first.',
        },
      ),
      payments_expiring: Type.Object(
        {
          by: timeOf('Three days from now.'),
          ...listed('pay', '/v1/payments?status=pending&date_to=2026-10-19T09:30:00.000Z'),
        },
        { description: 'Pending payment requests that expire by then, soonest first.' },
      ),
      late_payments: Type.Object(
        {
          since: timeOf('24 hours ago.'),
          ...listed('txn', late_list),
          count: count('The number of payments; 100 means 100 or more.', 1),
          list: nullable({
            description:
              'The path and query that lists all of them, with their refunds. Send it with the ' +
              'same token and Florin-Account. null if there are none.',
            examples: [late_list],
          }),
        },
        {
          description:
            'Payments since then that a provider received for a request that had ended, or with ' +
            'another amount, newest first. Refunded unless FLORIN_LATE_PAYMENTS is "keep".',
        },
      ),
      disputes: Type.Object(listed('dsp', '/v1/disputes?status=open'), {
        description: 'Disputes that await a decision, newest first.',
      }),
      webhooks_failing: listedEndpoints('failing', 'Enabled endpoints whose deliveries fail.'),
      webhooks_disabled: listedEndpoints(
        'disabled',
        'Endpoints that Florin disabled after repeated failures.',
      ),
    },
    { $id: 'Attention' },
  ),
  AuditEntry: Type.Object(
    {
      id: idOf('aud', 'The id of the entry.'),
      action: Type.String({
        description: 'The action: an object and a verb.',
        examples: ['transaction.settled'],
      }),
      actor_role: Type.String({
        description:
          'The actor: a role, anonymous for sign-up and links, operator for the CLI, or worker ' +
          'for background jobs.',
        examples: ['admin'],
      }),
      actor_id: nullable({
        description: 'The id of the user or API key, or null.',
        examples: ['usr_01h455vb4pex5vsknk084sn02q'],
      }),
      object_id: nullable({
        description: 'The id of the affected object, or null if it has none.',
        examples: ['txn_01h455vb4pex5vsknk084sn02q'],
      }),
      account_id: nullable({
        description: 'The account, or null.',
        examples: ['acct_01h455vb4pex5vsknk084sn02q'],
      }),
      request_id: nullable({
        description: 'The Request-Id of the request, or null.',
        examples: ['req_01h455vb4pex5vsknk084sn02q'],
      }),
      details: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The changed fields. Never contains secrets.',
          examples: [{ outcome: 'succeeded' }],
        },
      ),
      created_at: timeOf('When the action was performed.'),
    },
    { $id: 'AuditEntry' },
  ),
}
