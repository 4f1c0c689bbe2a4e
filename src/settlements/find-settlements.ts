// Lists of settlements and of their entries.

import type { Queryable } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import {
  type SettlementFilter,
  type SettlementWithSums,
  selectEntriesOf,
  selectEntryPage,
  selectSettlementPage,
  selectSettlements,
} from './queries.ts'
import {
  presentEntry,
  presentSettlement,
  readSettlementId,
  unknownSettlement,
} from './settlement.ts'

type Settlement = ReturnType<typeof presentSettlement>
type Entry = ReturnType<typeof presentEntry>

export async function listSettlements(
  db: Queryable,
  query: CursorQuery & SettlementFilter,
): Promise<CursorPage<Settlement>> {
  const page = await pageByCursor(query, 'settlement', {
    exists: async (id) => (await selectSettlements(db, [id])).length > 0,
    select: (range) => selectSettlementPage(db, query, range),
  })
  return { ...page, data: page.data.map(presentSettlement) }
}

export async function getSettlement(db: Queryable, settlement_id: string): Promise<Settlement> {
  return presentSettlement(await requireSettlement(db, settlement_id))
}

async function requireSettlement(
  db: Queryable,
  settlement_id: string,
): Promise<SettlementWithSums> {
  const row = await findSettlementById(db, readSettlementId(settlement_id))
  if (row === undefined) throw unknownSettlement()
  return row
}

export async function findSettlementById(
  db: Queryable,
  id: string,
): Promise<SettlementWithSums | undefined> {
  return (await selectSettlements(db, [id]))[0]
}

/** What the settlement pays out, newest first. */
export async function listSettlementEntries(
  db: Queryable,
  settlement_id: string,
  query: CursorQuery,
): Promise<CursorPage<Entry>> {
  const settlement = await requireSettlement(db, settlement_id)
  const page = await pageByCursor(query, 'balance_entry', {
    exists: async (id) => (await selectEntriesOf(db, settlement, [id])).length > 0,
    select: (range) => selectEntryPage(db, settlement, range),
  })
  return { ...page, data: page.data.map(presentEntry) }
}
