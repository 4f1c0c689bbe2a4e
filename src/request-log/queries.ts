import type { Db, Queryable } from '../postgres/database.ts'
import {
  mentions,
  type ReplacedTable,
  replaced,
  withoutMessages,
} from '../postgres/replace-text.ts'
import { nothing, sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { OldAccountRows } from '../postgres/sweep.ts'
import { nil_uuid } from '../primitives/ids.ts'
import type { EntryRow } from './entry.ts'

const newEntries = sqlRows(`
  account_id uuid, entry_id uuid, id uuid, method text, path text, status smallint,
  duration_ms integer, caller_kind text, caller_id uuid, has_idempotency_key boolean,
  error text, request_body text, response_body text`)

// Without synchronous_commit, a crash of the machine can lose the last half second of entries, and
// the commit does not delay others that wait for the disk. It is set in the statement itself, so no
// explicit transaction is needed. On Citus the setting would stay on the coordinator.
/** Inserts entries of one shard. */
export async function insertEntries(db: Db, rows: EntryRow[]): Promise<void> {
  if (db.shards.is_distributed) {
    const inserted = await db.count(sql`
      insert into request_logs ${newEntries.insertByAccountUnchecked(rows, db)}`)
    if (inserted !== rows.length) {
      throw new Error(
        `${rows.length - inserted} request log entries have no account with a balance`,
      )
    }
    return
  }
  await db.count(sql`
    with relaxed as (select set_config('synchronous_commit', 'off', true))
    insert into request_logs ${newEntries.insert(rows)}
    cross join relaxed`)
}

export async function selectEntryId(
  db: Queryable,
  account_id: string,
  id: string,
): Promise<string | undefined> {
  const found = await db.row<{ entry_id: string }>(sql`
    select entry_id
    from request_logs
    where account_id = ${account_id} and id = ${id}`)
  return found?.entry_id
}

export interface EntryPage {
  account_id: string
  /** The first digit of the status. */
  status_class: number | undefined
  method: string | undefined
  /** Escaped for LIKE. */
  path_prefix: string | undefined
  /** Entries before this one, descending. */
  before: string | undefined
  /** Entries after this one, ascending. */
  after: string | undefined
  /** Only entries with a smaller id. */
  settled_before: string | undefined
  limit: number
}

export async function selectEntryPage(db: Queryable, page: EntryPage): Promise<EntryRow[]> {
  const { status_class, method, path_prefix, before, after, settled_before } = page
  const edge =
    after !== undefined
      ? sql`and entry_id > ${after} order by entry_id`
      : before !== undefined
        ? sql`and entry_id < ${before} order by entry_id desc`
        : sql`order by entry_id desc`
  return db.rows(sql`
    select account_id, entry_id, id, method, path, status, duration_ms, caller_kind, caller_id,
      has_idempotency_key, error, request_body, response_body
    from request_logs
    where account_id = ${page.account_id}
      ${status_class === undefined ? nothing : sql`and status / 100 = ${status_class}`}
      ${method === undefined ? nothing : sql`and method = ${method}`}
      ${path_prefix === undefined ? nothing : sql`and path like ${`${path_prefix}%`}`}
      ${settled_before === undefined ? nothing : sql`and entry_id < ${settled_before}`}
      ${edge}
    limit ${page.limit}`)
}

export const oldEntries = (before_id: string): OldAccountRows => ({
  rows: sql`from request_logs as stored`,
  key: sql`entry_id`,
  is_old: sql`entry_id < ${before_id}`,
})

export const erased_entries: ReplacedTable = {
  table: sql`request_logs`,
  account: sql`account_id`,
  key: sql`entry_id`,
  key_type: sql`uuid`,
  first: nil_uuid,
  change: (replacement) => sql`path = ${replaced(sql`path`, replacement)},
      error = ${replaced(sql`error`, replacement)},
      request_body = ${withoutMessages(replaced(sql`request_body`, replacement))},
      response_body = ${withoutMessages(replaced(sql`response_body`, replacement))}`,
  where: (replacement) => sql`${mentions(sql`path`, replacement)}
      or ${mentions(sql`error`, replacement)}
      or ${mentions(sql`request_body`, replacement)}
      or ${mentions(sql`response_body`, replacement)}`,
}
