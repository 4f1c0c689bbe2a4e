import type { Queryable, Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import type { OldRows } from '../postgres/sweep.ts'

export interface DashboardSessionRow {
  cookie_hash: Buffer
  sealed_tokens: Buffer
  expires_at: Date
}

export async function insertSession(tx: Queryable, row: DashboardSessionRow): Promise<void> {
  await tx.count(sql`
    insert into dashboard_sessions (cookie_hash, sealed_tokens, expires_at)
    values (${row.cookie_hash}, ${row.sealed_tokens}, ${row.expires_at})`)
}

export async function selectSession(
  db: Queryable,
  cookie_hash: Buffer,
  at: Date,
): Promise<DashboardSessionRow | undefined> {
  return db.row(sql`
    select cookie_hash, sealed_tokens, expires_at
    from dashboard_sessions
    where cookie_hash = ${cookie_hash} and expires_at > ${at}`)
}

// Serializes concurrent renewals of the tokens, across processes.
export async function lockSession(
  tx: Tx,
  cookie_hash: Buffer,
): Promise<DashboardSessionRow | undefined> {
  return tx.row(sql`
    select cookie_hash, sealed_tokens, expires_at
    from dashboard_sessions
    where cookie_hash = ${cookie_hash}
    for update`)
}

export async function updateSession(tx: Tx, row: DashboardSessionRow): Promise<void> {
  await tx.count(sql`
    update dashboard_sessions
    set sealed_tokens = ${row.sealed_tokens}, expires_at = ${row.expires_at}
    where cookie_hash = ${row.cookie_hash}`)
}

export async function deleteSession(tx: Queryable, cookie_hash: Buffer): Promise<void> {
  await tx.count(sql`
    delete from dashboard_sessions
    where cookie_hash = ${cookie_hash}`)
}

export const expired_sessions: OldRows = {
  rows: sql`from dashboard_sessions where expires_at < now()`,
  key: sql`cookie_hash`,
  oldest_first: sql`expires_at`,
}
