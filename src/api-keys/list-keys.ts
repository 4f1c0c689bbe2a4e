// GET /v1/api_keys: every key that was ever made here, newest first, revoked ones too.

import type { Db } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Caller } from '../sessions/caller.ts'
import { lacksPermission } from '../sessions/permissions.ts'
import { type ApiKey, presentKey } from './api-key.ts'
import { getReadPlace } from './key-place.ts'
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
  const place = await getReadPlace(db, caller, means_platform)
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
  return { ...page, data: page.data.map(presentKey) }
}
