// The WHERE and ORDER BY clauses of a page. See primitives/cursor.ts.

import type { CursorRange } from '../primitives/cursor.ts'
import { nothing, type Sql, sql } from './sql.ts'

/** A page of rows in id order. */
export interface IdPage {
  after: string
  limit: number
}

type Edge = Pick<CursorRange, 'before' | 'after'>

/** Inclusive. */
interface Bounds {
  first_id?: string | undefined
  last_id?: string | undefined
}

/** For lists whose cursors are ids. Append it to a WHERE clause: it starts with `and`. */
export function idPageClause({ before, after }: Edge): Sql {
  if (after !== null) return sql`and id > ${after} order by id`
  if (before !== null) return sql`and id < ${before} order by id desc`
  return sql`order by id desc`
}

/**
 * Restricts a page to one account; its order is `accountPageClause`. A plain equality makes
 * account_id a constant to the planner, which drops it from ORDER BY and may then scan the index on
 * id alone, over the rows of all accounts. A one-element array is not a constant, so only an index
 * that starts with account_id provides the order (docs/decisions/0013).
 */
export function ofAccount(account_id: string): Sql {
  return sql`account_id = any(array[${account_id}::uuid])`
}

/** Like `idPageClause`, for the rows of one account, which `ofAccount` selects. */
export function accountPageClause({ before, after }: Edge): Sql {
  if (after !== null) return sql`and id > ${after} order by account_id, id`
  if (before !== null) return sql`and id < ${before} order by account_id desc, id desc`
  return sql`order by account_id desc, id desc`
}

/** For rows of one account or of all, read from the primary key index. */
export function keyPageClause(
  filter: Bounds & { account_id: string | undefined },
  range: Edge,
): Sql {
  if (filter.account_id === undefined) return sql`${idBounds(filter)} ${idPageClause(range)}`
  return accountRange(filter.account_id, { ...filter, ...range })
}

/** The conditions of `keyPageClause` without ORDER BY, for counting. */
export function keyBounds(filter: Bounds & { account_id: string | undefined }): Sql {
  const { account_id } = filter
  return sql`${account_id === undefined ? nothing : sql`and ${ofAccount(account_id)}`}
      ${idBounds(filter)}`
}

/** Like `keyPageClause`, for an index with other columns between account_id and id. */
export function indexPageClause(
  filter: Bounds & { account_id: string | undefined },
  range: Edge,
): Sql {
  if (filter.account_id === undefined) return sql`${idBounds(filter)} ${idPageClause(range)}`
  return sql`and ${ofAccount(filter.account_id)} ${idBounds(filter)} ${accountPageClause(range)}`
}

function idBounds({ first_id, last_id }: Bounds): Sql {
  return sql`${first_id === undefined ? nothing : sql`and id >= ${first_id}`}
      ${last_id === undefined ? nothing : sql`and id <= ${last_id}`}`
}

/**
 * The scan starts at the bound of one side and ends at that of the other. Both are inclusive of the
 * account, which names the shard. The end compares whole keys: a generic plan estimates two bounds
 * on id alone as so narrow that it scans the index on id, for all accounts. The start does not,
 * because PostgreSQL would begin the scan at the account and skip rows up to the bound.
 */
function accountRange(
  account_id: string,
  { before, after, first_id, last_id }: Edge & Bounds,
): Sql {
  const is_up = after !== null
  const lower = tightest(sql`>`, after, sql`>=`, first_id, (one, other) => one >= other)
  const upper = tightest(sql`<`, before, sql`<=`, last_id, (one, other) => one <= other)
  const [start, end] = is_up ? [lower, upper] : [upper, lower]
  const key = sql`(account_id, id)`
  const down = is_up ? nothing : sql`desc`
  return sql`and ${ofAccount(account_id)}
      ${start === undefined ? nothing : sql`and id ${start.operator} ${start.id}`}
      ${end === undefined ? nothing : sql`and ${key} ${end.operator} (${account_id}, ${end.id})`}
      order by account_id ${down}, id ${down}`
}

interface Bound {
  operator: Sql
  id: string
}

/** One bound for each side: with two, a scan starts at whichever is listed first. */
function tightest(
  beyond: Sql,
  cursor: string | null,
  from: Sql,
  limit: string | undefined,
  isTighter: (one: string, other: string) => boolean,
): Bound | undefined {
  if (cursor !== null && (limit === undefined || isTighter(cursor, limit))) {
    return { operator: beyond, id: cursor }
  }
  return limit === undefined ? undefined : { operator: from, id: limit }
}

/** For lists whose cursors are sequence numbers within an account. */
export function sequencePageClause({ before, after }: Edge): Sql {
  if (after !== null) return sql`and sequence > ${after} order by sequence`
  if (before !== null) return sql`and sequence < ${before} order by sequence desc`
  return sql`order by sequence desc`
}

// Literals, not parameters: otherwise the planner does not prune partitions.
const statusTexts = {
  pending: sql`and status = 'pending'`,
  succeeded: sql`and status = 'succeeded'`,
  failed: sql`and status = 'failed'`,
  canceled: sql`and status = 'canceled'`,
}

/** For tables that are partitioned by status. Starts with `and`, or is empty. */
export function statusFilter(status: keyof typeof statusTexts | undefined): Sql {
  return status === undefined ? nothing : statusTexts[status]
}

/** Restricts rows to some accounts, or excludes accounts. Starts with `and`, or is empty. */
export function accountFilter(filter: {
  only_account_ids?: string[]
  except_account_ids?: string[]
}): Sql {
  const { only_account_ids, except_account_ids } = filter
  const only =
    only_account_ids === undefined
      ? nothing
      : sql`and account_id = any(${only_account_ids}::uuid[])`
  const except =
    except_account_ids === undefined
      ? nothing
      : sql`and account_id <> all(${except_account_ids}::uuid[])`
  return sql`${only}
      ${except}`
}
