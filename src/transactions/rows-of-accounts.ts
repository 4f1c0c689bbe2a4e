// Reads rows whose ids were assigned under an account's lock, one by id or pages by cursor. Shared
// by transactions and payment requests; each passes in its statements.

import { findActingAccount, findListedAccount } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { type RowKey, rowKey } from '../lanes/row-set.ts'
import { listClosings } from '../ledger/closings.ts'
import { newestSettledId } from '../postgres/clock.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db } from '../postgres/database.ts'
import {
  type CursorPage,
  type CursorQuery,
  type CursorRange,
  pageByCursor,
} from '../primitives/cursor.ts'
import { type IdKind, idRange } from '../primitives/ids.ts'
import { tooBusy } from '../primitives/refusal.ts'
import { loadAndApplyClosings } from './apply-closings.ts'
import type { RowFilter, TransactionRow } from './transaction.ts'

/** Without an account, all accounts are searched: for admins and platforms. */
interface RowLookup {
  account_id: string | undefined
  id: string
  /** Set for admins and platforms: only they can read a closed account. */
  may_be_closed?: boolean
}

export type FindRow<Row> = (lookup: RowLookup) => Promise<Row | undefined>

export interface RowSource<Row> {
  select(names: RowKey[]): Promise<Row[]>
  selectById(ids: string[]): Promise<Row[]>
}

/** Concurrent lookups share one statement. */
export function rowFinder<Row extends StatusRow>(db: Db, source: RowSource<Row>): FindRow<Row> {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const select = (names: RowKey[]) => db.shards.readEach(db, names, source.select)
  const of_account = coalesce((names: RowKey[]) => findInOrder(select, names), limits, tooBusy)
  const of_any = coalesce((ids: string[]) => findByIdInOrder(source, ids), limits, tooBusy)
  return async ({ account_id, id, may_be_closed = false }) => {
    const row = await (account_id === undefined ? of_any(id) : of_account({ account_id, id }))
    return row && may_be_closed ? (await loadAndApplyClosings(db, [row]))[0] : row
  }
}

type StatusRow = RowKey & Pick<TransactionRow, 'status'>

async function findInOrder<Row extends RowKey>(
  select: RowSource<Row>['select'],
  names: RowKey[],
): Promise<(Row | undefined)[]> {
  const rows = await select(names)
  const by_key = new Map(rows.map((row) => [rowKey(row.account_id, row.id), row]))
  return names.map((name) => by_key.get(rowKey(name.account_id, name.id)))
}

async function findByIdInOrder<Row extends RowKey>(
  source: RowSource<Row>,
  ids: string[],
): Promise<(Row | undefined)[]> {
  const rows = await source.selectById(ids)
  const by_id = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => by_id.get(id))
}

/** The row, or undefined if it does not exist or the caller has no access to it. */
export async function findVisible<Row>(
  find: FindRow<Row>,
  caller: Caller,
  id: string,
): Promise<Row | undefined> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined && !isAdminOrPlatform(caller)) return undefined
  return find({ account_id, id, may_be_closed: isAdminOrPlatform(caller) })
}

export interface DatedQuery extends CursorQuery {
  date_from?: string | undefined
  date_to?: string | undefined
}

/** `Row` may have fewer columns than the table; looking up a cursor needs none of them. */
interface ListSource<Row> extends RowSource<unknown> {
  kind: IdKind
  status: RowFilter['status']
  selectPage(filter: RowFilter, range: CursorRange): Promise<Row[]>
}

export async function listRows<Row extends StatusRow>(
  db: Db,
  caller: Caller,
  query: DatedQuery,
  source: ListSource<Row>,
): Promise<CursorPage<Row>> {
  const account_id = await findListedAccount(db, caller)
  const no_account = account_id === undefined && !isAdminOrPlatform(caller)
  const { status } = source
  const filter = { account_id, status, ...idRange(query.date_from, query.date_to) }
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
      const last_id = settled ? least(filter.last_id, await newestSettledId(db)) : filter.last_id
      const shown = { ...filter, last_id }
      if (!isAdminOrPlatform(caller)) return source.selectPage(shown, range)
      return loadAndApplyClosings(db, await selectShown(db, source, shown, range))
    },
  })
}

/** Lists by status: a pending row of an account that is being closed is listed as canceled. */
async function selectShown<Row extends StatusRow>(
  db: Db,
  source: ListSource<Row>,
  filter: RowFilter,
  range: CursorRange,
): Promise<Row[]> {
  const { status } = filter
  const closings = status === 'pending' || status === 'canceled' ? await listClosings(db) : []
  if (closings.length === 0) return source.selectPage(filter, range)
  if (status === 'pending')
    return source.selectPage({ ...filter, except_account_ids: closings }, range)
  // Read pending rows first: a row that a slice cancels in between is found twice, never missed.
  const left = await source.selectPage(
    { ...filter, status: 'pending', only_account_ids: closings },
    range,
  )
  const ended = await source.selectPage(filter, range)
  const by_id = new Map([...left, ...ended].map((row) => [row.id, row]))
  const order = range.after === null ? -1 : 1
  const rows = [...by_id.values()].sort((one, other) => (one.id < other.id ? -order : order))
  return rows.slice(0, range.limit)
}

function least(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other
}
