// Who did what, for those who run the service. Written in the deed's own database transaction, so
// that there is neither a deed without its line nor a line without its deed.

import type { Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { insertAuditRow } from './queries.ts'

export interface Actor {
  /** A role, `anonymous` for sign-up, or `operator` for someone at the command line. */
  role: string
  user_id: string | undefined
  request_id: string | undefined
}

export interface Deed {
  action: `${'user' | 'account' | 'session'}.${string}`
  object_id: string
  account_id?: string | null | undefined
  /** What changed, by field name. Never a password, a token or a hash of one. */
  details?: Record<string, unknown>
}

export async function recordDeed(tx: Tx, actor: Actor, deed: Deed): Promise<void> {
  await insertAuditRow(tx, {
    id: newUuid(tx.now.getTime()),
    actor_role: actor.role,
    actor_id: actor.user_id ?? null,
    action: deed.action,
    object_id: deed.object_id,
    account_id: deed.account_id ?? null,
    request_id: actor.request_id ?? null,
    details: JSON.stringify(deed.details ?? {}),
  })
}
