// GET /v1/users: oldest first, with an exact total. The total comes from counters, and from a count
// for a search.

import { isClosed, listClosings } from '../../ledger/closings.ts'
import type { Db, Queryable, Tx } from '../../postgres/database.ts'
import { countList } from '../../postgres/list-counts.ts'
import { runQueuedSearch } from '../../postgres/search.ts'
import { inSnapshot } from '../../postgres/snapshot.ts'
import {
  type CursorPage,
  type CursorQuery,
  findOffset,
  type NumberedQuery,
  pageByCursor,
  pageCount,
  readIdList,
} from '../../primitives/cursor.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { escapeLike, foldForSearch } from '../../primitives/text.ts'
import { getActingAccountId } from '../acting-account.ts'
import type { Caller, Role } from '../caller.ts'
import { findUser } from './get-user.ts'
import {
  countUsers,
  countUsersOf,
  selectUsers,
  selectUsersById,
  selectUsersOfAccount,
  type UserFilter,
} from './queries.ts'
import {
  type AccountUser,
  presentAccountUser,
  presentUser,
  type User,
  type UserRow,
  type UserStatus,
} from './user.ts'

interface UserListQuery extends NumberedQuery {
  status?: UserStatus | undefined
  search?: string | undefined
}

interface UserList {
  data: User[]
  pagination: { page: number; limit: number; total_pages: number; total_records: number }
}

const advice = 'The search matches too many users. Use a longer search term.'

export async function listUsers(db: Db, caller: Caller, query: UserListQuery): Promise<UserList> {
  const like = query.search ? `%${escapeLike(foldForSearch(query.search))}%` : undefined
  const { total, rows } = await (like === undefined
    ? pageOfAll(db, query)
    : runQueuedSearch(db, caller.user_id, advice, (tx) => pageOfSearch(tx, query, like)))
  return {
    data: rows.map(presentUser),
    pagination: {
      page: query.page,
      limit: query.limit,
      total_pages: pageCount(total, query.limit),
      total_records: total,
    },
  }
}

interface FoundUsers {
  total: number
  rows: UserRow[]
}

async function pageOfAll(db: Db, query: UserListQuery): Promise<FoundUsers> {
  const closings = await listClosings(db)
  if (closings.length > 0) return inSnapshot(db, (snapshot) => pageWithoutClosings(snapshot, query))
  const filter = { status: query.status, like: undefined, except_account_ids: [] }
  return pageOf(db, query, filter, await countList(db, 'users', { status: query.status }))
}

/** Counters still include users of accounts that are being closed; the list does not. */
async function pageWithoutClosings(db: Queryable, query: UserListQuery): Promise<FoundUsers> {
  const { status } = query
  const except_account_ids = await listClosings(db)
  const counted = await countList(db, 'users', { status })
  const closed = await countUsersOf(db, except_account_ids, status)
  return pageOf(db, query, { status, like: undefined, except_account_ids }, counted - closed)
}

// Separate statements for count and page: the best plan for each depends on the search term.
async function pageOfSearch(tx: Tx, query: UserListQuery, like: string): Promise<FoundUsers> {
  const filter = { status: query.status, like, except_account_ids: await listClosings(tx) }
  return pageOf(tx, query, filter, await countUsers(tx, filter))
}

async function pageOf(
  db: Queryable,
  query: UserListQuery,
  filter: UserFilter,
  total: number,
): Promise<FoundUsers> {
  const offset = findOffset(query, total)
  if (offset === undefined) return { total, rows: [] }
  return { total, rows: await selectUsers(db, { ...filter, offset, limit: query.limit }) }
}

/** GET /v1/account/users: the users of one account, newest first. */
export async function listUsersOfActingAccount(
  db: Db,
  caller: Caller,
  query: CursorQuery,
): Promise<CursorPage<AccountUser>> {
  const account_id = await getActingAccountId(db, caller)
  const page = await pageByCursor(query, 'user', {
    exists: async (id) => (await findUser(db, id))?.account_id === account_id,
    select: async (range) => {
      const rows = await selectUsersOfAccount(db, account_id, range)
      return rows.length > 0 && (await isClosed(db, account_id)) ? [] : rows
    },
  })
  return { ...page, data: page.data.map(presentAccountUser) }
}

export const user_details_max = 100

interface UserDetails {
  user_id: string
  role: Role
  account_id: string | null
}

/**
 * GET /v1/user_details: what the user object does not have, whose fields are fixed. In the order of
 * the ids; users that do not exist are left out.
 */
export async function listUserDetails(db: Db, user_ids: string): Promise<UserDetails[]> {
  const ids = readIdList('user_ids', 'user', user_ids, user_details_max)
  const rows = await selectUsersById(db, ids)
  const closings = new Set(await listClosings(db))
  const row_of = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = row_of.get(id)
    if (row === undefined || (row.account_id !== null && closings.has(row.account_id))) return []
    const account_id = row.account_id && toTypeId('account', row.account_id)
    return [{ user_id: toTypeId('user', id), role: row.role, account_id }]
  })
}
