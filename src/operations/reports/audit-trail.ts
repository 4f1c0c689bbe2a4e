// GET /v1/audit_log, for admins. The log stores UUIDs without prefixes: the action determines the
// type of the object, and a lookup of API keys determines whether the actor is a user or a key.

import { type AuditRow, listAuditEntries } from '../../audit/list-audit-entries.ts'
import type { AuditNoun } from '../../audit/record-audit-entry.ts'
import { findListedAccount } from '../../identity/acting-account.ts'
import { findKeyOwners } from '../../identity/api-keys/find-key-owners.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Db } from '../../postgres/database.ts'
import type { CursorPage, CursorQuery } from '../../primitives/cursor.ts'
import { findUuid, type IdKind, idPrefixes, timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { quote } from '../../primitives/text.ts'
import { toIso } from '../../primitives/time.ts'

interface AuditEntry {
  id: string
  action: string
  actor_role: string
  actor_id: string | null
  object_id: string | null
  account_id: string | null
  request_id: string | null
  details: Record<string, unknown>
  created_at: string
}

interface AuditQuery extends CursorQuery {
  action?: string | undefined
  actor?: string | undefined
  object?: string | undefined
  date_from?: string | undefined
  date_to?: string | undefined
}

const objectKinds: Record<AuditNoun, IdKind | undefined> = {
  user: 'user',
  account: 'account',
  session: 'session',
  transaction: 'transaction',
  payment: 'payment',
  payment_link: 'payment_link',
  subscription: 'subscription',
  dispute: 'dispute',
  transfer: 'transfer',
  payout: 'payout',
  payout_export: 'payout_export',
  bank_statement: 'bank_statement',
  bank_entry: 'bank_entry',
  // They have names.
  bank_column_map: undefined,
  customer: 'customer',
  api_key: 'api_key',
  invitation: 'invitation',
  webhook_endpoint: 'webhook_endpoint',
  webhook_delivery: 'webhook_delivery',
  clock: undefined,
}

/** Lists entries of all accounts, or of the account in the Florin-Account header. */
export async function listAuditTrail(
  db: Db,
  caller: Caller,
  query: AuditQuery,
): Promise<CursorPage<AuditEntry>> {
  const { actor, object, ...rest } = query
  const account_id = await findListedAccount(db, caller)
  const actor_id = readId('actor', actor, ['user', 'api_key'])
  const kinds = Object.values(objectKinds).filter((kind) => kind !== undefined)
  const object_id = readId('object', object, kinds)
  const page = await listAuditEntries(db, { ...rest, account_id, actor_id, object_id })
  const actors = page.data.map((row) => row.actor_id).filter((id) => id !== null)
  const keys = await findKeyOwners(db, actors)
  return { ...page, data: page.data.map((row) => presentEntry(row, keys)) }
}

function readId(field: string, text: string | undefined, kinds: IdKind[]): string | undefined {
  if (text === undefined) return undefined
  for (const kind of kinds) {
    const id = findUuid(kind, text)
    if (id !== undefined) return id
  }
  const prefixes = kinds.map((kind) => `${idPrefixes[kind]}_`).join(', ')
  throw new Refusal(
    'invalid_request',
    `"${field}" must be an id that starts with ${prefixes}; got ${quote(text)}.`,
  )
}

function presentEntry(row: AuditRow, keys: ReadonlyMap<string, unknown>): AuditEntry {
  const { action, actor_role, actor_id, object_id, account_id, request_id } = row
  const kind = objectKinds[action.split('.', 1)[0] as AuditNoun]
  return {
    id: toTypeId('audit_entry', row.id),
    action,
    actor_role,
    actor_id: actor_id && toTypeId(keys.has(actor_id) ? 'api_key' : 'user', actor_id),
    object_id: object_id === null || kind === undefined ? null : toTypeId(kind, object_id),
    account_id: account_id && toTypeId('account', account_id),
    request_id,
    details: JSON.parse(row.details),
    created_at: toIso(timeOfUuid(row.id)),
  }
}
