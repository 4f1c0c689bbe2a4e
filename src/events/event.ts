// An event as the API, streams and webhooks return it.

import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export interface EventRow {
  account_id: string
  sequence: number
  id: string
  type: string
  at: Date
  /** JSON text: the object as the API returned it at the time of the event. */
  data: string
}

/** With its object. The sequence number is assigned under the account lock. */
export interface NumberedEvent extends EventRow {
  object_id: string
}

/** Inserts the stored JSON as it is, without parsing it. */
export function eventJson(row: EventRow): string {
  return (
    `{"id":"${toTypeId('event', row.id)}","type":"${row.type}"` +
    `,"account_id":"${toTypeId('account', row.account_id)}","sequence":${row.sequence}` +
    `,"created_at":"${toIso(row.at)}","data":${row.data}}`
  )
}
