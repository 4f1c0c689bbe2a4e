// The shapes of reports: what is told about an account, and about the server, from many rows.

import { idOf, nullable, oneOf, timeOf } from './schemas.ts'
import { Type } from './type.ts'

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

const period = {
  from: timeOf('The first instant, inclusive.'),
  to: Type.String({
    format: 'date-time',
    description: 'The last instant, inclusive.',
    examples: ['2026-11-15T23:59:59.999Z'],
  }),
}

const volume = {
  in: count('Payments and credits that succeeded, in minor units.', 7500),
  out: count('Refunds that succeeded, in minor units.', 0),
  succeeded: count('How many transactions created in this time have succeeded.', 1),
  failed: count('How many of them have failed.', 0),
  canceled: count('How many of them were canceled.', 0),
  pending: count('How many of them are still pending.', 0),
  declined_attempts: count('How many card attempts on payment requests were declined.', 0),
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
  count: count('How many; 1000 means that many or more.', 1),
  ids: Type.Array(Type.String(), {
    description: 'The ids of the first five.',
    examples: [[`${example}_01h455vb4pex5vsknk084sn02q`]],
  }),
  list: Type.String({
    description:
      'The request that lists all of them: a path with query. Send it with the same token and ' +
      'Florin-Account.',
    examples: [list],
  }),
})

const listedEndpoints = (health: string, description: string) => {
  const list = `/v1/webhook_endpoints?health=${health}`
  return Type.Unsafe<{ count: number; ids: string[]; list: string } | null>({
    type: ['object', 'null'],
    properties: listed('we', list),
    required: ['count', 'ids', 'list'],
    description: `${description} null for callers that may not manage webhooks.`,
    examples: [{ count: 0, ids: [], list }],
  })
}

const place = (description: string, example: string) =>
  oneOf(['external', 'incoming', 'available', 'held'], { description, examples: [example] })

export const refundAmountFields = {
  refunded_amount: Type.Integer({
    description:
      'In minor units: the sum of the linked refunds that are pending or succeeded. Refunds that ' +
      'failed or were canceled do not count.',
    examples: [4200],
  }),
  pending_refund_amount: Type.Integer({
    description: 'The part of refunded_amount that is still pending.',
    examples: [0],
  }),
  refundable_amount: Type.Integer({
    description:
      'The most that another refund can have: the amount minus refunded_amount for a succeeded ' +
      'payment, 0 for any other transaction.',
    examples: [3300],
  }),
}

export const reportComponents = {
  ListCount: Type.Object(
    {
      count: count('How many entries there are, up to 10,000.', 240),
      is_exact: Type.Boolean({
        description: 'False when there are more than the count.',
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
        description: 'The payment that a linked refund gives back; else null.',
        examples: [null],
      }),
      payment_id: nullable({
        description:
          'The payment request that this transaction paid; for a linked refund, the one that it ' +
          'gives back; else null.',
        examples: ['pay_01h455vb4pex5vsknk084sn02q'],
      }),
      customer_email: nullable({
        description: 'The customer of that payment request; else null.',
        examples: ['customer@example.com'],
      }),
    },
    { $id: 'TransactionDetails' },
  ),
  Posting: Type.Object(
    {
      sequence: count('Numbers the movements of the account, without gaps.', 2),
      from: place('Where the money was.', 'incoming'),
      to: place('Where it went.', 'available'),
      amount: count('In minor units.', 7500),
      available_after: count('The available balance that this movement left.', 7500),
      created_at: timeOf('When the money moved.'),
    },
    { $id: 'Posting' },
  ),
  Volume: Type.Object(
    {
      account_id: idOf('acct', 'The account.'),
      currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
      timezone: Type.String({ description: "The account's time zone.", examples: ['UTC'] }),
      interval: Type.String({ description: 'How long a bucket is.', examples: ['day'] }),
      ...period,
      totals: Type.Object(totals, { description: 'Of the whole period.' }),
      previous: Type.Object(
        {
          ...period,
          ...totals,
          buckets: Type.Array(Type.Object({ ...period, ...volume }), {
            description: 'That period in pieces of the same interval, oldest first.',
          }),
        },
        { description: 'The period just before it, equally long.' },
      ),
      buckets: Type.Array(Type.Object({ ...period, ...volume }), {
        description: 'The period in pieces, oldest first, without gaps.',
      }),
    },
    { $id: 'Volume' },
  ),
  Attention: Type.Object(
    {
      account_id: idOf('acct', 'The account.'),
      at: timeOf('What time it was.'),
      failed: Type.Object(
        {
          since: timeOf('24 hours ago, and the time that the processor takes to settle.'),
          ...listed('txn', '/v1/transactions?status=failed&date_from=2026-11-14T09:30:00.000Z'),
        },
        { description: 'Transactions created since then that have failed, newest first.' },
      ),
      pending_long: Type.Object(
        {
          before: timeOf('An hour ago, or twice as long as the processor takes.'),
          ...listed('txn', '/v1/transactions?status=pending&date_to=2026-11-15T08:30:00.000Z'),
        },
        { description: 'Transactions from before then that are still pending, oldest first.' },
      ),
      payments_failed: Type.Object(
        {
          since: timeOf('24 hours ago.'),
          ...listed('pay', '/v1/payments?status=failed&updated_from=2026-11-14T09:30:00.000Z'),
        },
        {
          description:
            'Payment requests that failed since then, whenever they were created, newest first.',
        },
      ),
      payments_expiring: Type.Object(
        {
          by: timeOf('In three days.'),
          ...listed('pay', '/v1/payments?status=pending&date_to=2026-10-19T09:30:00.000Z'),
        },
        { description: 'Pending payment requests that expire by then, the soonest first.' },
      ),
      webhooks_failing: listedEndpoints('failing', 'Enabled endpoints that take nothing.'),
      webhooks_disabled: listedEndpoints(
        'disabled',
        'Endpoints that Florin disabled because they failed.',
      ),
    },
    { $id: 'Attention' },
  ),
  AuditEntry: Type.Object(
    {
      id: idOf('aud', 'The id of the entry.'),
      action: Type.String({
        description: 'What was done: a noun and a verb.',
        examples: ['transaction.settled'],
      }),
      actor_role: Type.String({
        description: 'Who did it: a role, anonymous for sign-up, operator for the command line.',
        examples: ['admin'],
      }),
      actor_id: nullable({
        description: 'The user or the API key, or null.',
        examples: ['usr_01h455vb4pex5vsknk084sn02q'],
      }),
      object_id: nullable({
        description: 'What it was done to; null when that has no id.',
        examples: ['txn_01h455vb4pex5vsknk084sn02q'],
      }),
      account_id: nullable({
        description: 'The account it was done on, or null.',
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
          description: 'What changed, by field. Never a secret.',
          examples: [{ outcome: 'succeeded' }],
        },
      ),
      created_at: timeOf('When it was done.'),
    },
    { $id: 'AuditEntry' },
  ),
}
