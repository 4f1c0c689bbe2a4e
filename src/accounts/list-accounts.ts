// GET /v1/accounts: oldest first, with an exact total. The total comes from counters, and from a
// count for a search or a date range.

import type { Caller } from '../identity/caller.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { countList } from '../postgres/list-counts.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import { findOffset, type NumberedQuery } from '../primitives/cursor.ts'
import { firstUuidAt, lastUuidAt } from '../primitives/ids.ts'
import { escapeLike, foldForSearch } from '../primitives/text.ts'
import { parseTimestamp } from '../primitives/time.ts'
import { type AccountRow, type AccountType, type ListedAccount, presentListed } from './account.ts'
import {
  type AccountFilter,
  countAccounts,
  countNewAccounts,
  selectAccountPage,
  selectNewestAccounts,
} from './queries.ts'

interface AccountListQuery extends NumberedQuery {
  status?: string | undefined
  type?: AccountType | undefined
  created_after?: string | undefined
  created_before?: string | undefined
  search?: string | undefined
}

interface AccountList {
  data: ListedAccount[]
  pagination: { page: number; limit: number; total: number; has_next: boolean }
}

const advice =
  'The filter matches too many accounts. Use a shorter date range or a longer search term.'

export async function listAccounts(
  db: Db,
  caller: Caller,
  query: AccountListQuery,
): Promise<AccountList> {
  const { status, type, page, limit } = query
  const filter = filterOf(query)
  const counted = [filter.first_id, filter.last_id, filter.like].some((one) => one !== undefined)
  const { total, rows } = counted
    ? await runQueuedSearch(db, caller.user_id, advice, async (tx) =>
        pageOf(tx, query, filter, await countAccounts(tx, filter)),
      )
    : await pageOf(db, query, filter, await countList(db, 'accounts', { status, type }))
  return {
    data: rows.map(presentListed),
    pagination: { page, limit, total, has_next: page * limit < total },
  }
}

/** How many accounts were created in each span of milliseconds, both ends inclusive. */
export function sumNewAccounts(
  db: Queryable,
  spans: { from: number; to: number }[],
): Promise<number[]> {
  const ranges = spans.map(({ from, to }) => ({
    first_id: firstUuidAt(from),
    last_id: lastUuidAt(to),
  }))
  return countNewAccounts(db, ranges)
}

/** Newest first. */
export async function findNewestAccounts(db: Queryable, limit: number): Promise<ListedAccount[]> {
  return (await selectNewestAccounts(db, limit)).map(presentListed)
}

function filterOf(query: AccountListQuery): AccountFilter {
  const { status, type, created_after, created_before, search } = query
  return {
    status,
    type,
    first_id: created_after && firstUuidAt(bound(created_after, 'first')),
    last_id: created_before && lastUuidAt(bound(created_before, 'last')),
    like: search ? `%${escapeLike(foldForSearch(search))}%` : undefined,
  }
}

async function pageOf(
  db: Queryable,
  { page, limit }: NumberedQuery,
  filter: AccountFilter,
  total: number,
): Promise<{ total: number; rows: AccountRow[] }> {
  const offset = findOffset({ page, limit }, total)
  if (offset === undefined) return { total, rows: [] }
  return { total, rows: await selectAccountPage(db, filter, { offset, limit }) }
}

// Inclusive bounds. An id has 48 bits of milliseconds since 1970; other bounds are clamped.
function bound(text: string, edge: 'first' | 'last'): number {
  const time = parseTimestamp(text, edge)
  if (time === undefined) throw new Error('validation accepted a malformed timestamp')
  return Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1)
}
