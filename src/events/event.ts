// An event as the API, the stream and webhooks show it.

import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export interface EventRow {
  account_id: string
  sequence: number
  id: string
  type: string
  at: Date
  /** JSON already: the object as the API showed it when it happened. */
  data: string
}

/** Data is put in as it was written, so nothing is parsed to be rendered again. */
export function eventJson(row: EventRow): string {
  return (
    `{"id":"${toTypeId('event', row.id)}","type":"${row.type}"` +
    `,"account_id":"${toTypeId('account', row.account_id)}","sequence":${row.sequence}` +
    `,"created_at":"${toIso(row.at)}","data":${row.data}}`
  )
}
