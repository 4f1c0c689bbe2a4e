// The body of a delivery: the event as the API shows it, with Standard Webhooks' `timestamp`, which
// is when it happened. The same on each try, to the byte.

import type { NumberedEvent } from '../events/numbered-event.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export type MessageEvent = Omit<NumberedEvent, 'object_id' | 'sequence'> & {
  sequence: number | null
}

// The data is JSON already; to parse it and write it again would take the longest of all steps.
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
