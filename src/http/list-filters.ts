// The filters of lists by cursor. A list and its count take the same ones.

import { documentedAs, idOf, oneOf } from './schemas.ts'
import { Type } from './type.ts'

const dates = {
  date_from: Type.Optional(
    Type.String({ format: 'timestamp', description: 'Created at this time or later.' }),
  ),
  date_to: Type.Optional(
    Type.String({ format: 'timestamp', description: 'Created at this time or earlier.' }),
  ),
}

export const transactionFilters = {
  status: Type.Optional(
    oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
      description: 'Only those with this status.',
    }),
  ),
  type: Type.Optional(
    oneOf(['payment', 'credit', 'refund'], { description: 'Only those of this type.' }),
  ),
  refund_of: Type.Optional(idOf('txn', 'Only refunds linked to the payment with this id.')),
  ...dates,
}

export const paymentFilters = {
  status: Type.Optional(
    oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
      description: 'Only those with this status.',
    }),
  ),
  subscription: Type.Optional(
    idOf('sub', 'Only those that the subscription with this id has made.'),
  ),
  ...dates,
  updated_from: Type.Optional(
    Type.String({
      format: 'timestamp',
      description: 'Last changed at this time or later. With status=failed: failed since then.',
    }),
  ),
}

export const subscriptionFilters = {
  status: Type.Optional(
    oneOf(['active', 'paused', 'canceled'], { description: 'Only those with this status.' }),
  ),
}

const status = 'pending|retrying|delivered|failed|canceled'

export const deliveryFilters = {
  endpoint_id: Type.Optional(idOf('we', 'Only those to this webhook endpoint.')),
  event_id: Type.Optional(idOf('evt', 'Only those of this event.')),
  status: Type.Optional(
    Type.String({
      description:
        'Only those with one of these statuses, separated by commas: pending, retrying, ' +
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
      description: 'Only events of this name, or of this noun: transaction.succeeded, payment.*.',
    }),
  ),
}
