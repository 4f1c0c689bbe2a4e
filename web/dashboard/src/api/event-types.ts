// All event types, for filters and pickers.

import type { EventType } from '../../../../client/src/florin.ts'

// A record, so an event type that is missing here fails to compile.
const known: Record<EventType, true> = {
  'transaction.created': true,
  'transaction.updated': true,
  'transaction.succeeded': true,
  'transaction.failed': true,
  'transaction.canceled': true,
  'payment.created': true,
  'payment.succeeded': true,
  'payment.failed': true,
  'payment.canceled': true,
  'payment_link.created': true,
  'payment_link.updated': true,
  'subscription.created': true,
  'subscription.updated': true,
  'subscription.canceled': true,
  'dispute.created': true,
  'dispute.updated': true,
  'dispute.won': true,
  'dispute.lost': true,
  'transfer.created': true,
  'transfer.completed': true,
  'transfer.returned': true,
  'transfer.received': true,
  'payout.created': true,
  'payout.approved': true,
  'payout.in_transit': true,
  'payout.paid': true,
  'payout.failed': true,
  'payout.canceled': true,
  'payout.returned': true,
  'account.created': true,
  'account.updated': true,
  'account.closed': true,
  'user.created': true,
  'user.updated': true,
  'user.deleted': true,
  'api_key.created': true,
  'api_key.revoked': true,
}

const event_types = Object.keys(known) as EventType[]

export const event_nouns = [...new Set(event_types.map(nounOf))]

/** Values of the event filter: one event type, or all types of a noun ("payment.*"). */
export const event_filters = event_nouns.flatMap((noun) => [`${noun}.*`, ...typesOf(noun)])

export function typesOf(noun: string): EventType[] {
  return event_types.filter((type) => nounOf(type) === noun)
}

function nounOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
