// Every kind of event there is, and how a filter names some of them.

import { nearestName } from '../primitives/nearest-name.ts'
import { Refusal } from '../primitives/refusal.ts'

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
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'api_key.created',
  'api_key.revoked',
] as const

export type EventType = (typeof eventTypes)[number]

/** All names of a noun, as `transaction.*`. */
const patterns = [...new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`))]

/** Everything that a filter may say. */
export const typeFilters: readonly string[] = [...eventTypes, ...patterns]

/** The types that a filter means: one by its name, or all of a noun. Without one, undefined. */
export function readTypeFilter(filter: string | undefined): readonly string[] | undefined {
  if (filter === undefined) return undefined
  if (patterns.includes(filter)) {
    return eventTypes.filter((type) => type.startsWith(filter.slice(0, -1)))
  }
  if ((eventTypes as readonly string[]).includes(filter)) return [filter]
  const nearest = nearestName(filter, typeFilters)
  throw new Refusal(
    'invalid_request',
    `type must be the name of an event or of a noun with .*; ${JSON.stringify(filter)} came. ` +
      (nearest === undefined ? 'Names look like transaction.succeeded.' : `Try ${nearest}.`),
  )
}
