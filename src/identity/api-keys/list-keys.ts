// GET /v1/api_keys: all API keys newest first, including revoked ones.

import { findClosedAt } from '../../ledger/closings.ts'
import type { Db } from '../../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../../primitives/cursor.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { lacksPermission } from '../permissions.ts'
import { type ApiKey, type KeyRow, presentKey } from './api-key.ts'
import { getReadableKeyOwner, type KeyOwner } from './key-owner.ts'
import { selectKey, selectKeys } from './queries.ts'

interface KeyListQuery extends CursorQuery {
  role?: 'platform' | undefined
}

export async function listApiKeys(
  db: Db,
  caller: Caller,
  query: KeyListQuery,
): Promise<CursorPage<ApiKey>> {
  const means_platform = query.role === 'platform'
  if (means_platform && caller.role !== 'admin') {
    throw lacksPermission(caller, 'create_platform_key')
  }
  const owner = await getReadableKeyOwner(db, caller, means_platform)
  if (means_platform && owner !== null) {
    throw new Refusal(
      'invalid_request',
      'Platform keys do not belong to an account. Omit the Florin-Account header.',
    )
  }
  const page = await pageByCursor(query, 'api_key', {
    exists: async (id) => (await selectKey(db, owner, id)) !== undefined,
    select: (range) => selectKeys(db, owner, range),
  })
  return { ...page, data: (await showRevoked(db, owner, page.data)).map(presentKey) }
}

/** Keys of a closed account count as revoked, even before clean-up has updated their rows. */
async function showRevoked(db: Db, owner: KeyOwner, rows: KeyRow[]): Promise<KeyRow[]> {
  if (owner === null || rows.every(({ revoked_at }) => revoked_at !== null)) return rows
  const closed_at = (await findClosedAt(db, [owner])).get(owner)
  if (closed_at === undefined) return rows
  return rows.map((row) => ({ ...row, revoked_at: row.revoked_at ?? closed_at }))
}
