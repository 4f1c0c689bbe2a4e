// GET /v1/api_keys: every key that was ever made here, newest first, revoked ones too.

import { findClosedAt } from '../ledger/closings.ts'
import type { Db } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Caller } from '../sessions/caller.ts'
import { lacksPermission } from '../sessions/permissions.ts'
import { type ApiKey, type KeyRow, presentKey } from './api-key.ts'
import { getReadableKeyOwner } from './key-owner.ts'
import { selectKey, selectKeys } from './queries.ts'

export interface KeyListQuery extends CursorQuery {
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
  const place = await getReadableKeyOwner(db, caller, means_platform)
  if (means_platform && place !== null) {
    throw new Refusal(
      'invalid_request',
      'Platform keys belong to no account: leave the header out.',
    )
  }
  const page = await pageByCursor(query, 'api_key', {
    exists: async (id) => (await selectKey(db, place, id)) !== undefined,
    select: (range) => selectKeys(db, place, range),
  })
  return { ...page, data: (await showClosed(db, place, page.data)).map(presentKey) }
}

/** Keys of a closed account count as revoked, whether or not a slice has updated the row. */
async function showClosed(db: Db, place: string | null, rows: KeyRow[]): Promise<KeyRow[]> {
  if (place === null || rows.every(({ revoked_at }) => revoked_at !== null)) return rows
  const closed_at = (await findClosedAt(db, [place])).get(place)
  if (closed_at === undefined) return rows
  return rows.map((row) => ({ ...row, revoked_at: row.revoked_at ?? closed_at }))
}
