import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { BrandingRow } from './branding.ts'
import type { ImageHeader } from './image-header.ts'

export async function selectBranding(db: Queryable, account_ids: string[]): Promise<BrandingRow[]> {
  return db.rows(sql`
    select branding.account_id, logo_hash, width as logo_width, height as logo_height, accent_color,
      support_email, support_phone, website, terms_url, statement_name, payment_instructions,
      updated_at
    from account_branding as branding
    left join account_logos as logo on logo.account_id = branding.account_id and hash = logo_hash
    where branding.account_id = any(${account_ids}::uuid[])`)
}

export async function upsertBranding(tx: Tx, row: BrandingRow): Promise<void> {
  await tx.count(sql`
    insert into account_branding (account_id, logo_hash, accent_color, support_email,
      support_phone, website, terms_url, statement_name, payment_instructions, updated_at)
    values (${row.account_id}, ${row.logo_hash}, ${row.accent_color}, ${row.support_email},
      ${row.support_phone}, ${row.website}, ${row.terms_url}, ${row.statement_name},
      ${row.payment_instructions}, ${row.updated_at})
    on conflict (account_id) do update
    set logo_hash = excluded.logo_hash, accent_color = excluded.accent_color,
      support_email = excluded.support_email, support_phone = excluded.support_phone,
      website = excluded.website, terms_url = excluded.terms_url,
      statement_name = excluded.statement_name,
      payment_instructions = excluded.payment_instructions, updated_at = excluded.updated_at`)
}

export interface Logo extends ImageHeader {
  hash: string
  bytes: Buffer
}

export async function upsertLogo(tx: Tx, account_id: string, logo: Logo): Promise<void> {
  await tx.count(sql`
    insert into account_logos (account_id, hash, type, width, height, bytes, added_at)
    values (${account_id}, ${logo.hash}, ${logo.type}, ${logo.width}, ${logo.height},
      ${logo.bytes}, now())
    on conflict (account_id, hash) do update
    set added_at = excluded.added_at`)
}

export async function deleteOldLogos(
  tx: Tx,
  account_id: string,
  { except_newest }: { except_newest: number },
): Promise<void> {
  await tx.count(sql`
    delete from account_logos
    where account_id = ${account_id}
      and hash not in (
        select hash
        from account_logos
        where account_id = ${account_id}
        order by added_at desc, hash
        limit ${except_newest})`)
}

export async function selectLogo(
  db: Queryable,
  account_id: string,
  hash: string,
): Promise<Pick<Logo, 'type' | 'bytes'> | undefined> {
  return db.row(sql`
    select type, bytes
    from account_logos
    where account_id = ${account_id} and hash = ${hash}`)
}
