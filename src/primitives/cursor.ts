// Pages by cursor, newest first. `starting_after` walks to older rows, `ending_before` to newer
// ones; both answer newest first. The rule is here once; each noun brings its statement.

import { findUuid, type IdKind } from './ids.ts'
import { Refusal } from './refusal.ts'

export interface CursorQuery {
  limit: number
  starting_after?: string | undefined
  ending_before?: string | undefined
}

export interface CursorPage<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
}

/** `before`: rows with a smaller id, descending. `after`: rows with a greater id, ascending. */
export interface CursorRange {
  before: string | null
  after: string | null
  limit: number
}

export interface CursorSource<Row> {
  /** Whether the cursor names a row that this caller may see in this list. */
  exists(id: string): Promise<boolean>
  select(range: CursorRange): Promise<Row[]>
}

export async function pageByCursor<Row>(
  query: CursorQuery,
  kind: IdKind,
  source: CursorSource<Row>,
): Promise<CursorPage<Row>> {
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    throw new Refusal(
      'invalid_request',
      'starting_after and ending_before exclude each other. Send one of them.',
    )
  }
  const before = await resolve(query.starting_after, 'starting_after', kind, source)
  const after = await resolve(query.ending_before, 'ending_before', kind, source)
  // One row more than asked for tells whether there is more.
  const rows = await source.select({ before, after, limit: query.limit + 1 })
  const data = rows.slice(0, query.limit)
  return {
    object: 'list',
    data: after === null ? data : data.reverse(),
    has_more: rows.length > query.limit,
  }
}

async function resolve<Row>(
  text: string | undefined,
  field: string,
  kind: IdKind,
  source: CursorSource<Row>,
): Promise<string | null> {
  if (text === undefined) return null
  const id = findUuid(kind, text)
  if (id !== undefined && (await source.exists(id))) return id
  throw new Refusal('invalid_request', `${field} must be the id of an entry of this list.`)
}
