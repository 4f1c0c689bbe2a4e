import type { Queryable, Tx } from '../../postgres/database.ts'
import { accountPageClause, ofAccount } from '../../postgres/page-clause.ts'
import { sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'
import type { CursorRange } from '../../primitives/cursor.ts'

export interface InvitationRow {
  account_id: string
  id: string
  email: string
  role: 'member' | 'viewer'
  invited_by: string
  expires_at: Date
}

interface NewInvitation extends InvitationRow {
  email_canonical: string
  token_hash: Buffer
}

const columns = sql`account_id, id, email, role, invited_by, expires_at`

/** Replaces an earlier invitation of the same email, whose link becomes invalid. */
export async function insertInvitation(tx: Tx, row: NewInvitation): Promise<void> {
  await tx.count(sql`
    delete from invitations
    where account_id = ${row.account_id} and email_canonical = ${row.email_canonical}`)
  await tx.count(sql`
    insert into invitations (account_id, id, email, email_canonical, role, token_hash, invited_by,
      expires_at)
    values (${row.account_id}, ${row.id}, ${row.email}, ${row.email_canonical}, ${row.role},
      ${row.token_hash}, ${row.invited_by}, ${row.expires_at})`)
}

export async function countInvitations(tx: Tx, account_id: string): Promise<number> {
  const counted = await tx.row<{ n: number }>(sql`
    select count(*) as n
    from invitations
    where account_id = ${account_id} and expires_at > now()`)
  return counted!.n
}

export async function selectInvitation(
  db: Queryable,
  account_id: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return db.row(sql`
    select ${columns}
    from invitations
    where account_id = ${account_id} and id = ${id} and expires_at > now()`)
}

export async function selectInvitations(
  db: Queryable,
  account_id: string,
  range: CursorRange,
): Promise<InvitationRow[]> {
  return db.rows(sql`
    select ${columns}
    from invitations
    where ${ofAccount(account_id)}
      and expires_at > now()
      ${accountPageClause(range)}
    limit ${range.limit}`)
}

export async function selectInvitationByToken(
  db: Queryable,
  token_hash: Buffer,
): Promise<InvitationRow | undefined> {
  return db.row(sql`
    select ${columns}
    from invitations
    where token_hash = ${token_hash} and expires_at > now()`)
}

export async function deleteInvitation(tx: Tx, account_id: string, id: string): Promise<void> {
  await tx.count(sql`
    delete from invitations
    where account_id = ${account_id} and id = ${id}`)
}

export const old_invitations: OldRows = {
  rows: sql`from invitations where expires_at < now()`,
  key: sql`token_hash`,
  oldest_first: sql`expires_at`,
  is_sharded: true,
}
