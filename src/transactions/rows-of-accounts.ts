// Reading rows that belong to accounts and whose ids were given under an account's lock: one by id,
// and pages by cursor. Transactions and payment requests are read alike; each brings its own
// statements.

import { readTime } from '../postgres/clock.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import {
  type CursorPage,
  type CursorQuery,
  type CursorRange,
  pageByCursor,
} from '../primitives/cursor.ts'
import { idRange } from '../primitives/id-range.ts'
import { firstUuidAt, type IdKind } from '../primitives/ids.ts'
import { findActingAccount, findListedAccount } from '../sessions/acting-account.ts'
import { type Caller, runsService } from '../sessions/caller.ts'
import type { RowName } from './queries.ts'
import { rowKey } from './working-set.ts'

/** Without an account the name is looked for in all of them: for those who run the service. */
export interface SoughtName {
  account_id: string | undefined
  id: string
}

export type FindRow<Row> = (name: SoughtName) => Promise<Row | undefined>

export interface RowSource<Row> {
  select(names: RowName[]): Promise<Row[]>
  selectById(ids: string[]): Promise<Row[]>
}

/** Look-ups that arrive together share one statement. */
export function rowFinder<Row extends RowName>(source: RowSource<Row>): FindRow<Row> {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const of_account = coalesce((names: RowName[]) => findInOrder(source, names), limits, tooBusy)
  const of_any = coalesce((ids: string[]) => findByIdInOrder(source, ids), limits, tooBusy)
  return ({ account_id, id }) =>
    account_id === undefined ? of_any(id) : of_account({ account_id, id })
}

async function findInOrder<Row extends RowName>(
  source: RowSource<Row>,
  names: RowName[],
): Promise<(Row | undefined)[]> {
  const rows = await source.select(names)
  const by_key = new Map(rows.map((row) => [rowKey(row.account_id, row.id), row]))
  return names.map((name) => by_key.get(rowKey(name.account_id, name.id)))
}

async function findByIdInOrder<Row extends RowName>(
  source: RowSource<Row>,
  ids: string[],
): Promise<(Row | undefined)[]> {
  const rows = await source.selectById(ids)
  const by_id = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => by_id.get(id))
}

/** What this caller may see; undefined when that is nothing or there is no such row. */
export async function findVisible<Row>(
  find: FindRow<Row>,
  caller: Caller,
  id: string,
): Promise<Row | undefined> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined && !runsService(caller)) return undefined
  return find({ account_id, id })
}

export interface DatedQuery extends CursorQuery {
  date_from?: string | undefined
  date_to?: string | undefined
}

export interface RowFilter {
  account_id: string | undefined
  first_id: string | undefined
  last_id: string | undefined
}

/** A list may show less of a row than there is; whether a cursor is there needs none of it. */
export interface ListSource<Row> extends RowSource<unknown> {
  kind: IdKind
  selectPage(filter: RowFilter, range: CursorRange): Promise<Row[]>
}

// Across accounts the order of commits is not the order of ids: a row may still appear below one
// that is visible already. Walking to newer ones leaves the youngest out until that is settled.
const unsettled_ms = 10_000

export async function listRows<Row>(
  db: Db,
  caller: Caller,
  query: DatedQuery,
  source: ListSource<Row>,
): Promise<CursorPage<Row>> {
  const account_id = await findListedAccount(db, caller)
  const no_account = account_id === undefined && !runsService(caller)
  const filter = { account_id, ...idRange(query.date_from, query.date_to) }
  return pageByCursor(query, source.kind, {
    exists: async (id) => {
      if (no_account) return false
      const found = await (account_id === undefined
        ? source.selectById([id])
        : source.select([{ account_id, id }]))
      return found.length > 0
    },
    select: async (range) => {
      if (no_account) return []
      const settled = account_id === undefined && range.after !== null
      const last_id = settled ? least(filter.last_id, await newestSettled(db)) : filter.last_id
      return source.selectPage({ ...filter, last_id }, range)
    },
  })
}

async function newestSettled(db: Db): Promise<string> {
  return firstUuidAt((await readTime(db)).getTime() - unsettled_ms)
}

function least(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other
}
