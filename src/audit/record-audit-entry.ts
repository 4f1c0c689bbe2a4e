// Audit entries are written in the database transaction of the change they describe, so a change
// and its entry are committed together or not at all.

import type { Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import { type AuditRow, insertAuditRow, sendAuditRows } from './queries.ts'

export interface Actor {
  /** A role, `anonymous` for sign-up and links, `operator` for the CLI, `worker` for jobs. */
  role: string
  user_id: string | undefined
  request_id: string | undefined
}

export type AuditNoun =
  | 'user'
  | 'account'
  | 'session'
  | 'transaction'
  | 'payment'
  | 'payment_link'
  | 'subscription'
  | 'dispute'
  | 'transfer'
  | 'payout'
  | 'payout_export'
  | 'bank_statement'
  | 'bank_entry'
  | 'bank_column_map'
  | 'customer'
  | 'api_key'
  | 'invitation'
  | 'webhook_endpoint'
  | 'webhook_delivery'
  | 'clock'

export interface NewAuditEntry {
  action: `${AuditNoun}.${string}`
  /** The object that was changed; null when it has no id. */
  object_id: string | null
  account_id?: string | null | undefined
  /** The changes, by field name. Never a password, a token or a hash of one. */
  details?: Record<string, unknown>
}

export async function recordAuditEntry(
  tx: Tx,
  actor: Actor,
  audit_entry: NewAuditEntry,
): Promise<void> {
  await insertAuditRow(tx, rowOf(tx, actor, audit_entry))
}

/** Inserts several entries; the statement is sent together with COMMIT. */
export function recordAuditEntries(
  tx: Tx,
  audit_entries: { actor: Actor; audit_entry: NewAuditEntry }[],
): void {
  if (audit_entries.length === 0) return
  sendAuditRows(
    tx,
    audit_entries.map(({ actor, audit_entry }) => rowOf(tx, actor, audit_entry)),
  )
}

function rowOf(tx: Tx, actor: Actor, audit_entry: NewAuditEntry): AuditRow {
  return {
    id: newUuid(tx.now.getTime()),
    actor_role: actor.role,
    actor_id: actor.user_id ?? null,
    action: audit_entry.action,
    object_id: audit_entry.object_id,
    account_id: audit_entry.account_id ?? null,
    request_id: actor.request_id ?? null,
    details: JSON.stringify(audit_entry.details ?? {}),
  }
}
