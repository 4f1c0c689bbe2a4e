import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'

export interface LinkUses {
  account_id: string
  link_id: string
  reserved: number
  paid: number
}

export async function insertLinkUses(tx: Tx, { account_id, id }: RowKey): Promise<void> {
  await tx.count(sql`insert into link_uses (account_id, link_id) values (${account_id}, ${id})`)
}

/** In no order. */
export async function selectLinkUses(db: Queryable, links: RowKey[]): Promise<LinkUses[]> {
  return db.rows(sql`
    select uses.account_id, link_id, reserved, paid
    from ${rowKeys(links)}
    join link_uses as uses on uses.account_id = it.account_id and uses.link_id = it.id
    where uses.account_id = any(${accountsOf(links)}::uuid[])`)
}

const changedUses = sqlRows('account_id uuid, link_id uuid, reserved integer, paid integer')

export function sendLinkUses(tx: Tx, changes: LinkUses[]): void {
  tx.send(sql`
    update link_uses as uses
    set reserved = uses.reserved + it.reserved, paid = uses.paid + it.paid
    from ${changedUses.from(changes)}
    where uses.account_id = it.account_id and uses.link_id = it.link_id
      and uses.account_id = any(${accountsOf(changes)}::uuid[])`)
}

/** The request that was created for this form, unless it ended unpaid. */
export async function selectRequestOfForm(
  db: Queryable,
  account_id: string,
  form_key: string,
  now: Date,
): Promise<{ token: string } | undefined> {
  const [row] = await db.rows<{ token: string }>(sql`
    select token
    from payment_requests
    where account_id = ${account_id} and form_key = ${form_key}
      and (status = 'succeeded' or (status = 'pending' and expires_at > ${now}))
    limit 1`)
  return row
}

export interface WrongUses extends LinkUses {
  stored_reserved: number | null
  stored_paid: number | null
}

/** Links whose counts differ from their requests, and requests without such a link. */
export async function selectWrongUses(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<WrongUses[]> {
  const within = sql`account_id > ${range.after} and account_id <= ${range.through}`
  return db.rows(sql`
    with counted as (
      select account_id, link_id, count(*) filter (where status = 'pending') as reserved,
        count(*) filter (where status = 'succeeded') as paid
      from payment_requests
      where link_id is not null and ${within}
      group by account_id, link_id
    ), stored as (
      select account_id, link_id, reserved, paid
      from link_uses
      where ${within}
    )
    select account_id, link_id, coalesce(counted.reserved, 0) as reserved,
      coalesce(counted.paid, 0) as paid, stored.reserved as stored_reserved,
      stored.paid as stored_paid
    from stored
    full join counted using (account_id, link_id)
    where stored.reserved is distinct from coalesce(counted.reserved, 0)
      or stored.paid is distinct from coalesce(counted.paid, 0)
    order by account_id, link_id
    limit ${limit}`)
}
