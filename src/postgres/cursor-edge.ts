// The end of a page's conditions: from which row on, and in which order. See primitives/cursor.ts.

import type { CursorRange } from '../primitives/cursor.ts'
import { type Sql, sql } from './sql.ts'

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
