// The names of all events, in words for people.

import type { EventType } from '../../../../client/src/florin.ts'

export type { EventType }

// A record, so that a name which the API gets and this page lacks does not compile.
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
  'subscription.created': true,
  'subscription.updated': true,
  'subscription.canceled': true,
  'account.created': true,
  'account.updated': true,
  'account.closed': true,
  'user.created': true,
  'user.updated': true,
  'user.deleted': true,
  'api_key.created': true,
  'api_key.revoked': true,
}

export const event_types = Object.keys(known) as EventType[]

export const event_nouns = [...new Set(event_types.map(nounOf))]

/** What a filter of events may say: a name, or all names of a noun. */
export const event_filters = event_nouns.flatMap((noun) => [`${noun}.*`, ...typesOf(noun)])

export function typesOf(noun: string): EventType[] {
  return event_types.filter((type) => nounOf(type) === noun)
}

export function nounOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
