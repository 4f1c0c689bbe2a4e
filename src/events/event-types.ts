// All event types, and the filters that select some of them.

import { Refusal } from '../primitives/refusal.ts'
import { nearestName } from '../primitives/text.ts'

export const eventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'account.created',
  'account.updated',
  'account.closed',
  'transaction.created',
  'transaction.updated',
  'transaction.succeeded',
  'transaction.failed',
  'transaction.canceled',
  'payment.created',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment_link.created',
  'payment_link.updated',
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'dispute.created',
  'dispute.updated',
  'dispute.won',
  'dispute.lost',
  'transfer.created',
  'transfer.completed',
  'transfer.returned',
  'transfer.received',
  'payout.created',
  'payout.approved',
  'payout.in_transit',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.returned',
  'api_key.created',
  'api_key.revoked',
] as const

export type EventType = (typeof eventTypes)[number]

/** All types of a noun, such as `transaction.*`. */
export const typePatterns = [...new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`))]

/** All valid filters. */
export const typeFilters: readonly string[] = [...eventTypes, ...typePatterns]

/** The types that a filter selects: one type, or all of a noun. Undefined without a filter. */
export function readTypeFilter(filter: string | undefined): readonly string[] | undefined {
  if (filter === undefined) return undefined
  if (typePatterns.includes(filter)) {
    return eventTypes.filter((type) => type.startsWith(filter.slice(0, -1)))
  }
  if ((eventTypes as readonly string[]).includes(filter)) return [filter]
  const nearest = nearestName(filter, typeFilters)
  throw new Refusal(
    'invalid_request',
    `"type" must be an event type such as "transaction.succeeded" or "transaction.*"; ` +
      `got ${JSON.stringify(filter)}.${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`,
  )
}
