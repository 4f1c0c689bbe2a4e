import { newestSettledId } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { firstUuidAt, idRange, timeOfUuid } from '../primitives/ids.ts'
import { type AuditRow, selectAuditPage, selectAuditRow } from './queries.ts'

export type { AuditRow } from './queries.ts'

interface AuditEntryQuery extends CursorQuery {
  account_id: string | undefined
  actor_id: string | undefined
  object_id: string | undefined
  action?: string | undefined
  date_from?: string | undefined
  date_to?: string | undefined
}

const search_advice =
  'The search covers too many entries. Narrow the range with "date_from" and "date_to".'

export async function listAuditEntries(
  db: Db,
  query: AuditEntryQuery,
): Promise<CursorPage<AuditRow>> {
  const { account_id, actor_id, object_id, action } = query
  const { first_id, last_id } = idRange(query.date_from, query.date_to)
  const first = greatest(first_id, object_id && earliestAbout(object_id))
  const filter = { account_id, actor_id, object_id, action, first_id: first }
  return pageByCursor(query, 'audit_entry', {
    exists: async (id) => {
      const row = await selectAuditRow(db, id)
      return row !== undefined && (account_id ?? row.account_id) === row.account_id
    },
    select: async (range) => {
      const last = range.after === null ? last_id : least(last_id, await newestSettledId(db))
      return runQueuedSearch(db, account_id ?? 'all', search_advice, (tx) =>
        selectAuditPage(tx, { ...filter, last_id: last }, range),
      )
    },
  })
}

/** No entry is older than its object. A minute allows for clock skew between servers. */
function earliestAbout(object_id: string): string {
  return firstUuidAt(Math.max(timeOfUuid(object_id).getTime() - 60_000, 0))
}

function greatest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one > other ? one : other
}

function least(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other
}
