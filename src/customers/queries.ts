import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { accountPageClause, ofAccount } from '../postgres/page-clause.ts'
import { type SearchedRows, searchNewest, type TextQuery } from '../postgres/search-newest.ts'
import { sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { CustomerRow } from './customer.ts'

const columns = sql`account_id, id, email, email_canonical, erased_at`

const newRows = sqlRows('account_id uuid, id uuid, email text, email_canonical text')

export function sendNewCustomers(tx: Tx, rows: Omit<CustomerRow, 'erased_at'>[]): void {
  tx.send(sql`
    insert into customers ${newRows.insertByAccount(rows, tx)}
    on conflict (account_id, email_canonical) do nothing`)
}

export async function selectCustomers(db: Queryable, keys: RowKey[]): Promise<CustomerRow[]> {
  return db.rows(sql`
    select customers.account_id, customers.id, email, email_canonical, erased_at
    from ${rowKeys(keys)}
    join customers on customers.account_id = it.account_id and customers.id = it.id
    where customers.account_id = any(${accountsOf(keys)}::uuid[])`)
}

/** For admins and platforms, who identify a customer without the account. */
export async function selectCustomerById(
  db: Queryable,
  id: string,
): Promise<CustomerRow | undefined> {
  return db.row(sql`
    select ${columns}
    from customers
    where id = ${id}`)
}

export async function selectCustomerPage(
  db: Queryable,
  account_id: string,
  range: CursorRange,
): Promise<CustomerRow[]> {
  return db.rows(sql`
    select ${columns}
    from customers
    where ${ofAccount(account_id)}
      ${accountPageClause(range)}
    limit ${range.limit}`)
}

/**
 * Customers whose canonical email starts with a text. `materialized` makes the planner read the
 * index on emails: it would otherwise scan all customers in the order of the page. Addresses are
 * ASCII without control characters, so all of them sort before the last one, U+007F.
 */
export async function selectCustomersByPrefix(
  db: Queryable,
  account_id: string,
  prefix: string,
  range: CursorRange,
): Promise<CustomerRow[]> {
  return db.rows(sql`
    with found as materialized (
      select ${columns}
      from customers
      where account_id = ${account_id}
        and email_canonical >= ${prefix} and email_canonical < ${`${prefix}\u007f`})
    select ${columns}
    from found
    where ${ofAccount(account_id)}
      ${accountPageClause(range)}
    limit ${range.limit}`)
}

const addresses = sqlRows('account_id uuid, email text')

/** Those of these addresses that have a customer. */
export async function selectCustomersOf(
  db: Queryable,
  keys: { account_id: string; email: string }[],
): Promise<CustomerRow[]> {
  return db.rows(sql`
    select customers.account_id, customers.id, customers.email, email_canonical, erased_at
    from ${addresses.from(keys)}
    join customers
      on customers.account_id = it.account_id and customers.email_canonical = it.email
    where customers.account_id = any(${accountsOf(keys)}::uuid[])`)
}

const searched = {
  table: sql`customers`,
  columns,
  texts: [sql`email_canonical`],
  has_amount: false,
}

/** By a part of the email or the end of the id, among the newest customers. */
export function searchCustomerRows(
  db: Queryable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<CustomerRow>> {
  return searchNewest(db, searched, account_id, query)
}

/** Returns false if a customer with the erased address exists already. */
export async function markErased(
  tx: Tx,
  { account_id, id }: RowKey,
  email: string,
  erased_at: Date,
): Promise<boolean> {
  const changed = await tx.count(sql`
    update customers
    set email = ${email}, email_canonical = ${email}, erased_at = ${erased_at}
    where account_id = ${account_id} and id = ${id}
      and not exists (
        select 1
        from customers
        where account_id = ${account_id} and email_canonical = ${email})`)
  return changed > 0
}

export async function deleteCustomer(tx: Tx, { account_id, id }: RowKey): Promise<void> {
  await tx.count(sql`
    delete from customers
    where account_id = ${account_id} and id = ${id}`)
}
