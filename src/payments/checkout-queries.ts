import type { DueRowKey, DueSearch } from '../jobs/due-work.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { selectDueRows } from '../postgres/due-rows.ts'
import { sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CheckoutRow } from './checkout.ts'

export async function selectCheckouts(db: Queryable, keys: RowKey[]): Promise<CheckoutRow[]> {
  return db.rows(sql`
    select checkouts.account_id, checkouts.id, payment_id, provider, provider_id, state, url,
      language, expires_at, check_at, checks, is_ending
    from ${rowKeys(keys)}
    join checkouts on checkouts.account_id = it.account_id and checkouts.id = it.id
    where checkouts.account_id = any(${accountsOf(keys)}::uuid[])`)
}

/** The checkouts of these requests that the payer can still use. At most one per provider. */
export async function selectUsableCheckouts(
  db: Queryable,
  payments: RowKey[],
): Promise<CheckoutRow[]> {
  return db.rows(sql`
    select checkouts.account_id, checkouts.id, payment_id, provider, provider_id, state, url,
      language, expires_at, check_at, checks, is_ending
    from ${rowKeys(payments)}
    join checkouts
      on checkouts.account_id = it.account_id and checkouts.payment_id = it.id
      and state in ('creating', 'open', 'processing') and not is_ending
    where checkouts.account_id = any(${accountsOf(payments)}::uuid[])`)
}

const rows = sqlRows(`
  account_id uuid, id uuid, payment_id uuid, provider text, provider_id text, state text, url text,
  language text, expires_at timestamptz, check_at timestamptz, checks smallint, is_ending boolean`)

/** An inserted row and a changed one alike. */
export function sendCheckouts(tx: Tx, checkouts: CheckoutRow[]): void {
  tx.send(sql`
    insert into checkouts ${rows.insertByAccount(checkouts, tx)}
    on conflict (account_id, id) do update
    set provider_id = excluded.provider_id, state = excluded.state, url = excluded.url,
      expires_at = excluded.expires_at, check_at = excluded.check_at, checks = excluded.checks,
      is_ending = excluded.is_ending`)
}

/** The provider must end the checkouts of requests that have ended. */
export function sendEndOfCheckouts(tx: Tx, payments: RowKey[]): void {
  tx.send(sql`
    update checkouts
    set is_ending = true, check_at = ${tx.now}
    from ${rowKeys(payments)}
    where checkouts.account_id = it.account_id and checkouts.payment_id = it.id
      and checkouts.account_id = any(${accountsOf(payments)}::uuid[])
      and state in ('creating', 'open', 'processing') and not is_ending`)
}

const due_rows = {
  columns: sql`account_id, id`,
  source: sql`from checkouts where check_at is not null`,
  at: sql`check_at`,
}

export function selectDueCheckouts(db: Queryable, due: DueSearch): Promise<DueRowKey[]> {
  return selectDueRows(db, due_rows, due)
}
