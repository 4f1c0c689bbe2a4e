// An API key as a row and as an API object. Neither contains the secret.

import { timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'

type KeyRole = 'account_key' | 'platform'

export interface KeyRow {
  id: string
  /** Null for a platform key. */
  account_id: string | null
  /** The creator. */
  user_id: string
  role: KeyRole
  name: string
  scopes: string[]
  last4: string
  last_used_at: Date | null
  revoked_at: Date | null
}

export interface ApiKey {
  id: string
  name: string
  scopes: string[]
  /** The last characters of the secret, by which users recognize the key. */
  last4: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export function presentKey(row: KeyRow): ApiKey {
  return {
    id: toTypeId('api_key', row.id),
    name: row.name,
    scopes: row.scopes,
    last4: row.last4,
    created_at: toIso(timeOfUuid(row.id)),
    last_used_at: row.last_used_at && toIso(row.last_used_at),
    revoked_at: row.revoked_at && toIso(row.revoked_at),
  }
}
