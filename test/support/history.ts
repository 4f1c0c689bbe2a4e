// Reads what the database recorded about changes: an account's events, and the audit log.

import { findUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { Florin } from './florin.ts'

interface StoredEvent {
  sequence: number
  type: string
  object_id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read objects of every kind.
  data: any
}

const kinds: Record<string, 'user' | 'account'> = { user: 'user', account: 'account' }

function idOf(type: string, uuid: string): string {
  return toTypeId(kinds[type.split('.', 1)[0]!]!, uuid)
}

/** Returns an account's events in order, starting after sequence `after`. */
export async function eventsOf(
  florin: Florin,
  account_id: string,
  after = 0,
): Promise<StoredEvent[]> {
  const text = `select sequence, type, object_id, data from events
    where account_id = $1 and sequence > $2 order by sequence`
  const { rows } = await florin.db.pool.query(text, [findUuid('account', account_id), after])
  return rows.map((row) => ({
    ...row,
    object_id: idOf(row.type, row.object_id),
    data: JSON.parse(row.data),
  }))
}

interface StoredAuditEntry {
  actor_role: string
  actor_id: string | null
  action: string
  object_id: string
  account_id: string | null
  request_id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: details differ for each action.
  details: any
}

/** Returns the audit entries about a user or an account, oldest first. */
export async function auditEntriesAbout(
  florin: Florin,
  object_id: string,
): Promise<StoredAuditEntry[]> {
  const kind = object_id.startsWith('usr_') ? 'user' : 'account'
  const text = `select actor_role, actor_id, action, object_id, account_id, request_id, details
    from audit_log where object_id = $1 order by id`
  const { rows } = await florin.db.pool.query(text, [findUuid(kind, object_id)])
  return rows.map((row) => ({
    ...row,
    actor_id: row.actor_id && toTypeId('user', row.actor_id),
    object_id: idOf(row.action, row.object_id),
    account_id: row.account_id && toTypeId('account', row.account_id),
    details: JSON.parse(row.details),
  }))
}
