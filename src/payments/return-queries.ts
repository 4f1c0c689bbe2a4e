import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys } from '../postgres/sql-rows.ts'

export interface ReturnRow {
  account_id: string
  payment_id: string
  return_url: string | null
  cancel_url: string | null
}

/** In no order. Requests without return URLs are left out. */
export async function selectReturns(db: Queryable, requests: RowKey[]): Promise<ReturnRow[]> {
  return db.rows(sql`
    select returns.account_id, payment_id, return_url, cancel_url
    from ${rowKeys(requests)}
    join payment_returns as returns
      on returns.account_id = it.account_id and returns.payment_id = it.id
    where returns.account_id = any(${accountsOf(requests)}::uuid[])`)
}

export async function upsertReturns(tx: Tx, row: ReturnRow): Promise<void> {
  await tx.count(sql`
    insert into payment_returns (account_id, payment_id, return_url, cancel_url)
    values (${row.account_id}, ${row.payment_id}, ${row.return_url}, ${row.cancel_url})
    on conflict (account_id, payment_id) do update
    set return_url = excluded.return_url, cancel_url = excluded.cancel_url`)
}
