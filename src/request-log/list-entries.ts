// Lists the request log of an account: newest first, or oldest first after a request.

import type { Db } from '../postgres/database.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import {
  type CursorPage,
  type CursorQuery,
  cutPage,
  notInList,
  rejectAfterWithCursors,
  resolveCursors,
} from '../primitives/cursor.ts'
import { findUuid, firstUuidAt } from '../primitives/ids.ts'
import { escapeLike } from '../primitives/text.ts'
import { presentEntry, type RequestLogEntry } from './entry.ts'
import { type EntryPage, selectEntryId, selectEntryPage } from './queries.ts'

type StatusClass = '2xx' | '3xx' | '4xx' | '5xx'

interface EntryListQuery extends CursorQuery {
  status?: StatusClass | undefined
  method?: string | undefined
  /** A prefix of the path. */
  path?: string | undefined
  /** A Request-Id: returns the entries written after it, oldest first. */
  after?: string | undefined
}

// Filters scan the entries of seven days: an index would slow down every insert.
const search_advice = 'The search takes too long. Use fewer filters.'

// Several servers insert concurrently, each within milliseconds. A client that follows newer
// entries gets only those older than this, so that none is inserted before its cursor.
const unsettled_ms = 1_000

export { erased_entries } from './queries.ts'

export async function listEntries(
  db: Db,
  account_id: string,
  query: EntryListQuery,
): Promise<CursorPage<RequestLogEntry>> {
  const edges = await findEdges(db, account_id, query)
  const newer = edges.after !== undefined
  const filter: Omit<EntryPage, 'limit'> = {
    account_id,
    status_class: query.status === undefined ? undefined : Number(query.status[0]),
    method: query.method,
    path_prefix: query.path === undefined ? undefined : escapeLike(query.path),
    before: edges.before,
    after: edges.after,
    settled_before: newer ? firstUuidAt(Date.now() - unsettled_ms) : undefined,
  }
  const page = await cutPage(query, (limit) =>
    runQueuedSearch(db, account_id, search_advice, (tx) =>
      selectEntryPage(tx, { ...filter, limit }),
    ),
  )
  const data = page.data.map(presentEntry)
  return { ...page, data: newer && query.after === undefined ? data.reverse() : data }
}

interface Edges {
  before: string | undefined
  after: string | undefined
}

async function findEdges(db: Db, account_id: string, query: EntryListQuery): Promise<Edges> {
  const find = (id: string) => selectEntryId(db, account_id, id)
  if (query.after !== undefined) return { before: undefined, after: await follow(query, find) }
  const { before, after } = await resolveCursors(query, 'request', {
    exists: async (id) => (await find(id)) !== undefined,
    select: async () => [],
  })
  return {
    before: before === null ? undefined : await find(before),
    after: after === null ? undefined : await find(after),
  }
}

async function follow(
  query: EntryListQuery,
  find: (id: string) => Promise<string | undefined>,
): Promise<string> {
  rejectAfterWithCursors(query)
  const id = findUuid('request', query.after!)
  const entry_id = id && (await find(id))
  if (entry_id !== undefined) return entry_id
  throw notInList('after', query.after!, 'request')
}
