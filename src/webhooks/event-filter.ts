// Event filters of an endpoint: event types, `noun.*`, or `*`.

import { typeFilters, typePatterns } from '../events/event-types.ts'
import { Refusal } from '../primitives/refusal.ts'
import { nearestName, quote } from '../primitives/text.ts'

const filters = [...typeFilters, '*']

/** Returns the filters without duplicates. The error suggests the nearest event type. */
export function requireFilters(input: string[]): string[] {
  for (const filter of input) {
    if (filters.includes(filter)) continue
    const nearest = nearestName(filter, filters)
    const hint = nearest ? `Did you mean "${nearest}"?` : `Use *, ${typePatterns.join(', ')}.`
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
