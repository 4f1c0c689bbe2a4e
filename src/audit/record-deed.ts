// Who did what, for those who run the service. Written in the deed's own database transaction, so
// that there is neither a deed without its line nor a line without its deed.

import type { Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { type AuditRow, insertAuditRow, sendAuditRows } from './queries.ts'

export interface Actor {
  /** A role, `anonymous` for sign-up, or `operator` for someone at the command line. */
  role: string
  user_id: string | undefined
  request_id: string | undefined
}

export type DeedNoun =
  | 'user'
  | 'account'
  | 'session'
  | 'transaction'
  | 'payment'
  | 'subscription'
  | 'api_key'
  | 'webhook_endpoint'
  | 'webhook_delivery'
  | 'clock'

export interface Deed {
  action: `${DeedNoun}.${string}`
  /** What it was done to; null when that has no id. */
  object_id: string | null
  account_id?: string | null | undefined
  /** What changed, by field name. Never a password, a token or a hash of one. */
  details?: Record<string, unknown>
}

export async function recordDeed(tx: Tx, actor: Actor, deed: Deed): Promise<void> {
  await insertAuditRow(tx, rowOf(tx, actor, deed))
}

/** Many at once, sent without waiting, together with COMMIT. */
export function recordDeeds(tx: Tx, deeds: { actor: Actor; deed: Deed }[]): void {
  if (deeds.length === 0) return
  sendAuditRows(
    tx,
    deeds.map(({ actor, deed }) => rowOf(tx, actor, deed)),
  )
}

function rowOf(tx: Tx, actor: Actor, deed: Deed): AuditRow {
  return {
    id: newUuid(tx.now.getTime()),
    actor_role: actor.role,
    actor_id: actor.user_id ?? null,
    action: deed.action,
    object_id: deed.object_id,
    account_id: deed.account_id ?? null,
    request_id: actor.request_id ?? null,
    details: JSON.stringify(deed.details ?? {}),
  }
}
