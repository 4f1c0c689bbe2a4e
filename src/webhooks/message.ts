// The body of a delivery: the event as the API returns it, with the `timestamp` of Standard
// Webhooks. It is byte-identical for every attempt.

import type { NumberedEvent } from '../events/event.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

type MessageEvent = Omit<NumberedEvent, 'object_id' | 'sequence'> & {
  sequence: number | null
}

// `data` is already JSON. Parsing and serializing it again would be the slowest step.
export function messageOf(event: MessageEvent): string {
  const at = toIso(event.at)
  const head = {
    id: toTypeId('event', event.id),
    type: event.type,
    timestamp: at,
    account_id: toTypeId('account', event.account_id),
    sequence: event.sequence,
    created_at: at,
  }
  return `${JSON.stringify(head).slice(0, -1)},"data":${event.data}}`
}
