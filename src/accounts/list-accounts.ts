// GET /v1/accounts: oldest first, with exact totals. Counters give the total; a range is counted.

import { type Db, withinTime } from '../postgres/database.ts'
import { countList } from '../postgres/list-counts.ts'
import { firstUuidAt, lastUuidAt } from '../primitives/ids.ts'
import { findOffset, type NumberedQuery } from '../primitives/numbered-page.ts'
import { parseTimestamp } from '../primitives/time.ts'
import { type AccountType, type ListedAccount, presentListed } from './account.ts'
import { countAccounts, selectAccountPage } from './queries.ts'

export interface AccountListQuery extends NumberedQuery {
  status?: string | undefined
  type?: AccountType | undefined
  created_after?: string | undefined
  created_before?: string | undefined
}

export interface AccountList {
  data: ListedAccount[]
  pagination: { page: number; limit: number; total: number; has_next: boolean }
}

const count_limit_ms = 2_000
const advice = 'These dates cover too many accounts to count. Choose a shorter range.'

export async function listAccounts(db: Db, query: AccountListQuery): Promise<AccountList> {
  const { created_after, created_before, page, limit, ...kinds } = query
  const dates = {
    first_id: created_after && firstUuidAt(bound(created_after, 'first')),
    last_id: created_before && lastUuidAt(bound(created_before, 'last')),
  }
  const filter = { ...kinds, ...dates }
  const dated = created_after !== undefined || created_before !== undefined
  const total = dated
    ? await withinTime(db, count_limit_ms, advice, (tx) => countAccounts(tx, filter))
    : await countList(db, 'accounts', kinds)
  const offset = findOffset(query, total)
  const rows = offset === undefined ? [] : await selectAccountPage(db, filter, { offset, limit })
  return {
    data: rows.map(presentListed),
    pagination: { page, limit, total, has_next: page * limit < total },
  }
}

// Inclusive bounds. An id holds 48 bits of milliseconds since 1970: earlier and later bounds mean
// its ends.
function bound(text: string, edge: 'first' | 'last'): number {
  const time = parseTimestamp(text, edge)
  if (time === undefined) throw new Error('the edge let a malformed timestamp pass')
  return Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1)
}
