// The end of a page's conditions: from which row on, and in which order. See primitives/cursor.ts.

import type { CursorRange } from '../primitives/cursor.ts'
import { nothing, type Sql, sql } from './sql.ts'

/** A page of rows in id order. */
export interface IdPage {
  after: string
  limit: number
}

type Edge = Pick<CursorRange, 'before' | 'after'>

/** For lists whose cursors are ids. Follows other conditions: begins with `and`, or with none. */
export function idEdge({ before, after }: Edge): Sql {
  if (after !== null) return sql`and id > ${after} order by id`
  if (before !== null) return sql`and id < ${before} order by id desc`
  return sql`order by id desc`
}

/** For lists whose cursors are numbers within an account. */
export function sequenceEdge({ before, after }: Edge): Sql {
  if (after !== null) return sql`and sequence > ${after} order by sequence`
  if (before !== null) return sql`and sequence < ${before} order by sequence desc`
  return sql`order by sequence desc`
}

/** Restricts rows to some accounts, or excludes accounts. Begins with `and`, or is empty. */
export function ofAccounts(filter: { only_of?: string[]; none_of?: string[] }): Sql {
  const { only_of, none_of } = filter
  return sql`${only_of === undefined ? nothing : sql`and account_id = any(${only_of}::uuid[])`}
      ${none_of === undefined ? nothing : sql`and account_id <> all(${none_of}::uuid[])`}`
}
