import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'

export type LinkKind = 'password_reset' | 'email_verification'

export interface LinkRow {
  token_hash: Buffer
  kind: LinkKind
  user_id: string
  user_fingerprint: Buffer
  language: string
  timezone: string
  expires_at: Date
}

export async function insertLink(tx: Tx, link: LinkRow): Promise<void> {
  await tx.count(sql`
    insert into one_time_links (token_hash, kind, user_id, user_fingerprint, language, timezone,
      expires_at)
    values (${link.token_hash}, ${link.kind}, ${link.user_id}, ${link.user_fingerprint},
      ${link.language}, ${link.timezone}, ${link.expires_at})`)
}

export async function selectLink(
  db: Queryable,
  kind: LinkKind,
  token_hash: Buffer,
  at: Date,
): Promise<LinkRow | undefined> {
  return db.row(sql`
    select token_hash, kind, user_id, user_fingerprint, language, timezone, expires_at
    from one_time_links
    where token_hash = ${token_hash} and kind = ${kind} and expires_at > ${at}`)
}

/** The newest valid link of a kind. */
export async function selectLinkOfUser(
  db: Queryable,
  kind: LinkKind,
  user_id: string,
  at: Date,
): Promise<LinkRow | undefined> {
  return db.row(sql`
    select token_hash, kind, user_id, user_fingerprint, language, timezone, expires_at
    from one_time_links
    where user_id = ${user_id} and kind = ${kind} and expires_at > ${at}
    order by expires_at desc
    limit 1`)
}

export async function deleteLinksOfUser(tx: Tx, user_id: string): Promise<void> {
  await tx.count(sql`
    delete from one_time_links
    where user_id = ${user_id}`)
}

/** The users of expired verification links, which may still be pending. */
export async function selectUnverifiedUsers(
  db: Queryable,
  limit: number,
): Promise<{ user_id: string }[]> {
  return db.rows(sql`
    select distinct user_id
    from (
      select user_id
      from one_time_links
      where kind = 'email_verification' and expires_at < now()
      order by expires_at
      limit ${limit}) as expired`)
}

export const old_links: OldRows = {
  rows: sql`from one_time_links where expires_at < now() and kind = 'password_reset'`,
  key: sql`token_hash`,
  oldest_first: sql`expires_at`,
}

/** One open request per email: repeated requests until the worker's next round send one email. */
export async function insertResetRequest(tx: Tx, email_canonical: string): Promise<void> {
  await tx.count(sql`
    insert into password_reset_requests (email_canonical)
    values (${email_canonical})
    on conflict (email_canonical) do nothing`)
}

/** Removes the oldest request, unless another worker has it. */
export async function takeResetRequest(tx: Tx): Promise<{ email_canonical: string } | undefined> {
  return tx.row(sql`
    delete from password_reset_requests
    where email_canonical = (
      select email_canonical
      from password_reset_requests
      order by requested_at
      limit 1
      for update skip locked)
    returning email_canonical`)
}
