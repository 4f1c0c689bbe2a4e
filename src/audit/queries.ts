import type { Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

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

export function sendAuditRows(tx: Tx, rows: AuditRow[]): void {
  tx.send(sql`
    insert into audit_log (id, actor_role, actor_id, action, object_id, account_id, request_id,
      details)
    select id, actor_role, actor_id, action, object_id, account_id, request_id, details
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      id uuid, actor_role text, actor_id uuid, action text, object_id uuid, account_id uuid,
      request_id text, details text)`)
}

export async function insertAuditRow(tx: Tx, row: AuditRow): Promise<void> {
  await tx.count(sql`
    insert into audit_log (id, actor_role, actor_id, action, object_id, account_id, request_id,
      details)
    values (${row.id}, ${row.actor_role}, ${row.actor_id}, ${row.action}, ${row.object_id},
      ${row.account_id}, ${row.request_id}, ${row.details})`)
}
