// Statements about the one-time links that create the first admin.

import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'

export async function insertSetupLink(tx: Tx, token_hash: Buffer, expires_at: Date): Promise<void> {
  await tx.count(sql`
    insert into setup_links (token_hash, expires_at)
    values (${token_hash}, ${expires_at})`)
}

export async function selectSetupLink(
  db: Queryable,
  token_hash: Buffer,
  at: Date,
): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from setup_links
    where token_hash = ${token_hash} and expires_at > ${at}`)
  return found !== undefined
}

export async function hasSetupLink(db: Queryable, at: Date): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from setup_links
    where expires_at > ${at}
    limit 1`)
  return found !== undefined
}

export async function deleteExpiredSetupLinks(tx: Tx, at: Date): Promise<void> {
  await tx.count(sql`
    delete from setup_links
    where expires_at <= ${at}`)
}

export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx.count(sql`
    delete from setup_links`)
}
