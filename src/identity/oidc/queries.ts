import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'

export interface IdentityRow {
  issuer: string
  subject: string
  id: string
  user_id: string
  email: string
}

export async function selectIdentity(
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<IdentityRow | undefined> {
  return db.row(sql`
    select issuer, subject, id, user_id, email
    from user_identities
    where issuer = ${issuer} and subject = ${subject}`)
}

export async function selectIdentitiesOfUser(
  db: Queryable,
  user_id: string,
): Promise<IdentityRow[]> {
  return db.rows(sql`
    select issuer, subject, id, user_id, email
    from user_identities
    where user_id = ${user_id}
    order by id desc`)
}

/** False if the identity already belongs to a user. */
export async function insertIdentity(tx: Tx, row: IdentityRow): Promise<boolean> {
  const inserted = await tx.count(sql`
    insert into user_identities (issuer, subject, id, user_id, email)
    values (${row.issuer}, ${row.subject}, ${row.id}, ${row.user_id}, ${row.email})
    on conflict (issuer, subject) do nothing`)
  return inserted > 0
}

export async function deleteIdentity(
  tx: Tx,
  user_id: string,
  id: string,
): Promise<IdentityRow | undefined> {
  return tx.row(sql`
    delete from user_identities
    where id = ${id} and user_id = ${user_id}
    returning issuer, subject, id, user_id, email`)
}

export async function deleteIdentitiesOfUsers(tx: Tx, user_ids: string[]): Promise<void> {
  await tx.count(sql`
    delete from user_identities
    where user_id = any(${user_ids}::uuid[])`)
}

interface AttemptRow {
  cookie_hash: Buffer
  sealed: Buffer
  expires_at: Date
}

export async function insertAttempt(db: Queryable, row: AttemptRow): Promise<void> {
  await db.count(sql`
    insert into oidc_attempts (cookie_hash, sealed, expires_at)
    values (${row.cookie_hash}, ${row.sealed}, ${row.expires_at})`)
}

export async function selectAttempt(
  db: Queryable,
  cookie_hash: Buffer,
  at: Date,
): Promise<AttemptRow | undefined> {
  return db.row(sql`
    select cookie_hash, sealed, expires_at
    from oidc_attempts
    where cookie_hash = ${cookie_hash} and expires_at > ${at}`)
}

/** True for exactly one of many concurrent calls. */
export async function deleteAttempt(db: Queryable, cookie_hash: Buffer): Promise<boolean> {
  const deleted = await db.count(sql`
    delete from oidc_attempts
    where cookie_hash = ${cookie_hash}`)
  return deleted > 0
}

export const expired_attempts: OldRows = {
  rows: sql`from oidc_attempts where expires_at < now()`,
  key: sql`cookie_hash`,
  oldest_first: sql`expires_at`,
}
