import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { keyPageClause } from '../postgres/page-clause.ts'
import { sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { LinkRow } from './payment-link.ts'

const columns = sql`account_id, id, slug, title, currency, amount, amount_min, amount_max,
      amount_suggested, max_uses, expires_at, active, metadata, updated_at`

export async function insertLink(tx: Tx, row: LinkRow): Promise<void> {
  await tx.count(sql`
    insert into reusable_links (${columns})
    values (${row.account_id}, ${row.id}, ${row.slug}, ${row.title}, ${row.currency},
      ${row.amount}, ${row.amount_min}, ${row.amount_max}, ${row.amount_suggested},
      ${row.max_uses}, ${row.expires_at}, ${row.active}, ${row.metadata}, ${row.updated_at})`)
  // A separate statement: on a sharded database the two tables can be on different nodes.
  await tx.count(sql`
    insert into link_slugs (slug, account_id, link_id)
    values (${row.slug}, ${row.account_id}, ${row.id})`)
}

/** The amounts of a link do not change. */
export async function updateLink(tx: Tx, row: LinkRow): Promise<void> {
  await tx.count(sql`
    update reusable_links
    set title = ${row.title}, max_uses = ${row.max_uses}, expires_at = ${row.expires_at},
      active = ${row.active}, metadata = ${row.metadata}, updated_at = ${row.updated_at}
    where account_id = ${row.account_id} and id = ${row.id}`)
}

export async function selectLink(
  db: Queryable,
  { account_id, id }: RowKey,
): Promise<LinkRow | undefined> {
  const [row] = await db.rows<LinkRow>(sql`
    select ${columns}
    from reusable_links
    where account_id = ${account_id} and id = ${id}`)
  return row
}

export async function selectLinkOfSlug(db: Queryable, slug: string): Promise<RowKey | undefined> {
  const [row] = await db.rows<RowKey>(sql`
    select account_id, link_id as id
    from link_slugs
    where slug = ${slug}`)
  return row
}

export async function selectLinkPage(
  db: Queryable,
  account_id: string,
  range: CursorRange,
): Promise<LinkRow[]> {
  return db.rows(sql`
    select ${columns}
    from reusable_links
    where account_id = ${account_id}
      ${keyPageClause({ account_id }, range)}
    limit ${range.limit}`)
}

export async function countLinks(db: Queryable, account_id: string): Promise<number> {
  const [row] = await db.rows<{ links: number }>(sql`
    select count(*) as links
    from reusable_links
    where account_id = ${account_id}`)
  return row!.links
}
