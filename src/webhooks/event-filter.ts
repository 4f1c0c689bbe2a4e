// Event filters of an endpoint: event types, `noun.*`, or `*`.

import type { EventType } from '../events/record-event.ts'
import { Refusal } from '../primitives/refusal.ts'
import { nearestName, quote } from '../primitives/text.ts'

// A record, so that a missing event type does not compile.
const known: Record<EventType, true> = {
  'user.created': true,
  'user.updated': true,
  'user.deleted': true,
  'account.created': true,
  'account.updated': true,
  'account.closed': true,
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
  'api_key.created': true,
  'api_key.revoked': true,
}

const names = Object.keys(known)
const nouns = [...new Set(names.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))]
const filters = [...names, ...nouns, '*']

/** Returns the filters without duplicates. The error suggests the nearest event type. */
export function requireFilters(input: string[]): string[] {
  for (const filter of input) {
    if (filters.includes(filter)) continue
    const nearest = nearestName(filter, filters)
    const hint = nearest ? `Did you mean "${nearest}"?` : `Use *, ${nouns.join(', ')}.`
    throw new Refusal(
      'invalid_request',
      `"events" must contain known event types; got ${quote(filter)}. ${hint}`,
    )
  }
  return [...new Set(input)]
}

export function matchesFilter(subscribed: string[], type: string): boolean {
  if (subscribed.includes('*') || subscribed.includes(type)) return true
  return subscribed.includes(`${type.slice(0, type.indexOf('.'))}.*`)
}
