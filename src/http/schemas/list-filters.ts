// The filters of cursor-paginated lists. A list and its count accept the same filters.

import { Type } from 'typebox'
import { disputeStatuses } from '../../disputes/dispute.ts'
import { directions, transferStatuses } from '../../transfers/transfer.ts'
import { documentedAs, idOf, oneOf, timestampOf } from './resources.ts'

const dates = {
  date_from: timestampOf('Only objects created at or after this time.'),
  date_to: timestampOf('Only objects created at or before this time.'),
}

export const transactionFilters = {
  status: Type.Optional(
    oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
      description: 'Only transactions with this status.',
    }),
  ),
  type: Type.Optional(
    oneOf(['payment', 'credit', 'refund'], { description: 'Only transactions of this type.' }),
  ),
  refund_of: Type.Optional(idOf('txn', 'Only refunds linked to the payment with this id.')),
  ...dates,
}

export const paymentFilters = {
  status: Type.Optional(
    oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
      description: 'Only payment requests with this status.',
    }),
  ),
  subscription: Type.Optional(idOf('sub', 'Only payment requests of this subscription.')),
  search: Type.Optional(
    Type.String({
      format: 'line',
      minLength: 1,
      maxLength: 200,
      description:
        'Only payment requests whose customer_email or reference contains this text. Case is ' +
        'ignored.',
      examples: ['ann@example.com'],
    }),
  ),
  payment_link: Type.Optional(idOf('lnk', 'Only payment requests of this payment link.')),
  ...dates,
  updated_from: timestampOf(
    'Only payment requests last changed at or after this time. With status=failed: failed ' +
      'since then.',
  ),
  expires_from: timestampOf('Only payment requests that expire at or after this time.'),
  expires_to: timestampOf('Only payment requests that expire at or before this time.'),
}

export const disputeFilters = {
  status: Type.Optional(
    oneOf([...disputeStatuses, 'open'], {
      description: 'Only disputes with this status. open: needs_response and under_review.',
    }),
  ),
  transaction_id: Type.Optional(idOf('txn', 'Only disputes of the payment with this id.')),
}

export const transferFilters = {
  direction: Type.Optional(
    oneOf(directions, {
      description:
        'Only transfers that the account has sent (outgoing), received (incoming), or got the ' +
        'fee of (fee). Over all accounts, transfers are outgoing.',
    }),
  ),
  status: Type.Optional(
    oneOf(transferStatuses, { description: 'Only transfers with this status.' }),
  ),
}

export const subscriptionFilters = {
  status: Type.Optional(
    oneOf(['active', 'paused', 'canceled'], {
      description: 'Only subscriptions with this status.',
    }),
  ),
}

const status = 'pending|retrying|delivered|failed|canceled'

export const deliveryFilters = {
  endpoint_id: Type.Optional(idOf('we', 'Only deliveries to this webhook endpoint.')),
  event_id: Type.Optional(idOf('evt', 'Only deliveries of this event.')),
  status: Type.Optional(
    Type.String({
      description:
        'Only deliveries with one of these statuses, separated by commas: pending, retrying, ' +
        'delivered, failed or canceled.',
      examples: ['failed,retrying'],
      'x-documented': { pattern: `^(${status})(,(${status}))*$` },
    }),
  ),
}

export const eventFilters = {
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      'x-documented': documentedAs('EventFilter'),
      description:
        'Only events of this type or family, such as transaction.succeeded or payment.*.',
    }),
  ),
}
