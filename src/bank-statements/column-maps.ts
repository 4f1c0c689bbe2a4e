// Saved column maps: how the CSV files of a bank are read.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { type ColumnMap, requireColumnMap } from '../bank/statements/column-map.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { Refusal } from '../primitives/refusal.ts'
import { isPlainText, quote } from '../primitives/text.ts'
import { toIso } from '../primitives/time.ts'
import { type ColumnMapRow, deleteColumnMap, selectColumnMaps, upsertColumnMap } from './queries.ts'

interface SavedColumnMap {
  name: string
  column_map: ColumnMap
  updated_at: string
}

function present({ name, column_map, updated_at }: ColumnMapRow): SavedColumnMap {
  return { name, column_map: JSON.parse(column_map), updated_at: toIso(updated_at) }
}

/** By name. An operator has a few banks, so there is never another page. */
export async function listColumnMaps(db: Queryable): Promise<CursorPage<SavedColumnMap>> {
  const rows = await selectColumnMaps(db)
  return { object: 'list', data: rows.map(present), has_more: false }
}

/** Throws if no map has this name. */
export async function findColumnMap(db: Queryable, name: string): Promise<ColumnMap> {
  const rows = await selectColumnMaps(db)
  const found = rows.find((row) => row.name === name)
  if (found !== undefined) return JSON.parse(found.column_map)
  const names = rows.map((row) => quote(row.name)).join(', ') || 'none'
  throw new Refusal(
    'invalid_request',
    `"column_map" must be the name of a saved column map, which are: ${names}; got ` +
      `${quote(name)}. Save one with POST /v1/bank_column_maps.`,
  )
}

const maps_max = 100

/** Replaces the map with this name. */
export async function saveColumnMap(
  db: Db,
  caller: Caller,
  { name, column_map }: { name: string; column_map: ColumnMap },
): Promise<SavedColumnMap> {
  requireColumnMap(column_map)
  return changeOnce(db, caller.idempotency, async (tx) => {
    await requireLiveToken(tx, caller)
    const rows = await selectColumnMaps(tx)
    if (rows.length >= maps_max && rows.every((row) => row.name !== name)) throw tooMany()
    const row = { name, column_map: JSON.stringify(column_map), updated_at: tx.now }
    await upsertColumnMap(tx, row)
    const details = { name, column_map }
    const entry = { action: 'bank_column_map.saved', object_id: null, details } as const
    await recordAuditEntry(tx, actorOf(caller), entry)
    return present(row)
  })
}

function tooMany(): Refusal {
  const rule = `There can be at most ${maps_max} column maps.`
  return new Refusal('invalid_request', `${rule} Delete one that is not used.`)
}

export async function removeColumnMap(
  db: Db,
  caller: Caller,
  name: string,
): Promise<{ name: string; deleted: true }> {
  return changeOnce(db, caller.idempotency, async (tx) => {
    await requireLiveToken(tx, caller)
    // The path is not validated, and no stored text has control characters.
    if (!isPlainText(name) || !(await deleteColumnMap(tx, name))) {
      throw new Refusal('not_found', 'No column map has this name.')
    }
    const entry = { action: 'bank_column_map.deleted', object_id: null, details: { name } } as const
    await recordAuditEntry(tx, actorOf(caller), entry)
    return { name, deleted: true }
  })
}
