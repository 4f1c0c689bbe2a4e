import type { Queryable, Tx } from '../postgres/database.ts'
import { idPageClause } from '../postgres/page-clause.ts'
import { nothing, sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'

export interface AuditRow {
  id: string
  actor_role: string
  actor_id: string | null
  action: string
  object_id: string | null
  account_id: string | null
  request_id: string | null
  details: string
}

const newRows = sqlRows(`
  id uuid, actor_role text, actor_id uuid, action text, object_id uuid, account_id uuid,
  request_id text, details text`)

export function sendAuditRows(tx: Tx, rows: AuditRow[]): void {
  tx.send(sql`insert into audit_log ${newRows.insert(rows)}`)
}

export async function insertAuditRow(tx: Tx, row: AuditRow): Promise<void> {
  await tx.count(sql`
    insert into audit_log (id, actor_role, actor_id, action, object_id, account_id, request_id,
      details)
    values (${row.id}, ${row.actor_role}, ${row.actor_id}, ${row.action}, ${row.object_id},
      ${row.account_id}, ${row.request_id}, ${row.details})`)
}

const columns = sql`id, actor_role, actor_id, action, object_id, account_id, request_id, details`

export async function selectAuditRow(db: Queryable, id: string): Promise<AuditRow | undefined> {
  return db.row(sql`
    select ${columns}
    from audit_log
    where id = ${id}`)
}

interface AuditFilter {
  account_id: string | undefined
  actor_id: string | undefined
  object_id: string | undefined
  /** A prefix of the action. */
  action: string | undefined
  first_id: string | undefined
  last_id: string | undefined
}

// Scans the primary key and filters. An index for each filter would have to be updated by every
// settlement on the platform.
export async function selectAuditPage(
  db: Queryable,
  filter: AuditFilter,
  range: CursorRange,
): Promise<AuditRow[]> {
  const { account_id, actor_id, object_id, action, first_id, last_id } = filter
  return db.rows(sql`
    select ${columns}
    from audit_log
    where true
      ${account_id === undefined ? nothing : sql`and account_id = ${account_id}`}
      ${actor_id === undefined ? nothing : sql`and actor_id = ${actor_id}`}
      ${object_id === undefined ? nothing : sql`and object_id = ${object_id}`}
      ${action === undefined ? nothing : sql`and starts_with(action, ${action})`}
      ${first_id === undefined ? nothing : sql`and id >= ${first_id}`}
      ${last_id === undefined ? nothing : sql`and id <= ${last_id}`}
      ${idPageClause(range)}
    limit ${range.limit}`)
}
