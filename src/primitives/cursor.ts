// Cursor pagination, newest first. `starting_after` returns older rows, `ending_before` newer ones;
// both in descending order. Each noun provides its statement.

import { findUuid, type IdKind } from './ids.ts'
import { Refusal } from './refusal.ts'
import { quote } from './text.ts'

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

/** The cursors of a list are ids of one kind, or sequence numbers within an account. */
type CursorKind = IdKind | 'sequence'

/** `before`: rows with a smaller id, descending. `after`: rows with a greater id, ascending. */
export interface CursorRange {
  before: string | null
  after: string | null
  limit: number
}

export interface CursorSource<Row> {
  /** Whether the cursor is a row of this list that the caller may see. */
  exists(id: string): Promise<boolean>
  select(range: CursorRange): Promise<Row[]>
}

export async function pageByCursor<Row>(
  query: CursorQuery,
  kind: CursorKind,
  source: CursorSource<Row>,
): Promise<CursorPage<Row>> {
  const { before, after } = await resolveCursors(query, kind, source)
  const page = await cutPage(query, (limit) => source.select({ before, after, limit }))
  return after === null ? page : { ...page, data: page.data.reverse() }
}

/** A page in the order of its rows. Every list with cursors uses this, so all share one limit. */
export async function cutPage<Row>(
  query: Pick<CursorQuery, 'limit'>,
  select: (limit: number) => Promise<Row[]>,
): Promise<CursorPage<Row>> {
  const limit = clampLimit(query.limit)
  // One extra row shows whether there are more.
  const rows = await select(limit + 1)
  return { object: 'list', data: rows.slice(0, limit), has_more: rows.length > limit }
}

/** Rejects two cursors at once, and a cursor that is not an item of this list. */
export async function resolveCursors<Row>(
  query: Omit<CursorQuery, 'limit'>,
  kind: CursorKind,
  source: CursorSource<Row>,
): Promise<Omit<CursorRange, 'limit'>> {
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    throw new Refusal(
      'invalid_request',
      '"starting_after" and "ending_before" are mutually exclusive. Send only one of them.',
    )
  }
  return {
    before: await resolve(query.starting_after, 'starting_after', kind, source),
    after: await resolve(query.ending_before, 'ending_before', kind, source),
  }
}

async function resolve<Row>(
  text: string | undefined,
  field: string,
  kind: CursorKind,
  source: CursorSource<Row>,
): Promise<string | null> {
  if (text === undefined) return null
  const id = kind === 'sequence' ? findSequence(text) : findUuid(kind, text)
  if (id !== undefined && (await source.exists(id))) return id
  throw notInList(field, text, kind)
}

export function notInList(field: string, text: string, kind: CursorKind): Refusal {
  const what = kind === 'sequence' ? 'sequence' : 'id'
  return new Refusal(
    'invalid_request',
    `"${field}" must be the ${what} of an item in this list; got ${quote(text.toWellFormed())}.`,
  )
}

/** For lists that can also be read oldest first, with `after`. */
export function rejectAfterWithCursors(query: CursorQuery): void {
  if ((query.starting_after ?? query.ending_before) === undefined) return
  throw new Refusal(
    'invalid_request',
    '"after" cannot be combined with "starting_after" or "ending_before". Send only one of them.',
  )
}

function findSequence(text: string): string | undefined {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? text : undefined
}

// Pagination by page number.

const page_limit_max = 100

export interface NumberedQuery {
  page: number
  limit: number
}

/** A limit above the maximum is reduced to the maximum. */
export function clampLimit(limit: number): number {
  return Math.min(limit, page_limit_max)
}

/** The offset, or undefined for a page past the end, which needs no statement. */
export function findOffset(query: NumberedQuery, total: number): number | undefined {
  const offset = (query.page - 1) * query.limit
  return offset < total ? offset : undefined
}

export function pageCount(total: number, limit: number): number {
  return Math.ceil(total / limit)
}

/** The distinct UUIDs of a comma-separated query parameter. */
export function readIdList(name: string, kind: IdKind, text: string, max: number): string[] {
  const texts = [...new Set(text.split(','))]
  if (texts.length > max) {
    throw new Refusal(
      'invalid_request',
      `"${name}" must have at most ${max} ids; got ${texts.length}.`,
    )
  }
  return texts.map((one) => {
    const id = findUuid(kind, one)
    if (id !== undefined) return id
    const got = quote(one.toWellFormed())
    const message = `"${name}" must be comma-separated ${kind} ids; got ${got}.`
    throw new Refusal('invalid_request', message)
  })
}
