// GET /v1/users: oldest first, with exact totals. Counters give the total; a search is counted.

import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { countList } from '../postgres/list-counts.ts'
import { searchInTurn } from '../postgres/search.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findOffset, type NumberedQuery, pageCount } from '../primitives/numbered-page.ts'
import { escapeLike, foldForSearch } from '../primitives/text.ts'
import { getActingAccountId } from '../sessions/acting-account.ts'
import type { Caller } from '../sessions/caller.ts'
import { countUsers, selectUser, selectUsers, selectUsersOfAccount } from './queries.ts'
import { presentUser, type User, type UserRow, type UserStatus } from './user.ts'

export interface UserListQuery extends NumberedQuery {
  status?: UserStatus | undefined
  search?: string | undefined
}

export interface UserList {
  data: User[]
  pagination: { page: number; limit: number; total_pages: number; total_records: number }
}

const advice = 'This search matches too many users to count. Search for a longer text.'

export async function listUsers(db: Db, caller: Caller, query: UserListQuery): Promise<UserList> {
  const like = query.search ? `%${escapeLike(foldForSearch(query.search))}%` : undefined
  const { total, rows } = await (like === undefined
    ? pageOfAll(db, query)
    : searchInTurn(db, caller.user_id, advice, (tx) => pageOfSearch(tx, query, like)))
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
  const filter = { status: query.status, like: undefined }
  return pageOf(db, query, filter, await countList(db, 'users', { status: query.status }))
}

// Count and page in one go: what is the best plan for either depends on the text.
async function pageOfSearch(tx: Tx, query: UserListQuery, like: string): Promise<FoundUsers> {
  const filter = { status: query.status, like }
  return pageOf(tx, query, filter, await countUsers(tx, filter))
}

async function pageOf(
  db: Queryable,
  query: UserListQuery,
  filter: { status: UserStatus | undefined; like: string | undefined },
  total: number,
): Promise<FoundUsers> {
  const offset = findOffset(query, total)
  if (offset === undefined) return { total, rows: [] }
  return { total, rows: await selectUsers(db, { ...filter, offset, limit: query.limit }) }
}

/** GET /v1/account/users: the people of one account, newest first. */
export async function listUsersOfActingAccount(
  db: Db,
  caller: Caller,
  query: CursorQuery,
): Promise<CursorPage<User>> {
  const account_id = await getActingAccountId(db, caller)
  const page = await pageByCursor(query, 'user', {
    exists: async (id) => (await selectUser(db, id))?.account_id === account_id,
    select: (range) => selectUsersOfAccount(db, account_id, range),
  })
  return { ...page, data: page.data.map(presentUser) }
}
