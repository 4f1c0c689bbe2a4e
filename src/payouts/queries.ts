import type { RowKey, RowSet } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { keyPageClause } from '../postgres/page-clause.ts'
import { nothing, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { PayoutRow, SettingsRow } from './payout.ts'

const columns = sql`account_id, id, amount, currency, status, name, iban, bic, reference,
      created_by, destination_set_by, approved_by, export_id, reason, paid_entry_id,
      returned_entry_id, updated_at`

export async function selectPayouts(db: Queryable, names: RowKey[]): Promise<PayoutRow[]> {
  return db.rows(sql`
    select payouts.account_id, payouts.id, amount, currency, status, name, iban, bic, reference,
      created_by, destination_set_by, approved_by, export_id, reason, paid_entry_id,
      returned_entry_id, updated_at
    from ${rowKeys(names)}
    join payouts
      on payouts.account_id = it.account_id and payouts.id = it.id
    where payouts.account_id = any(${accountsOf(names)}::uuid[])`)
}

/** For admins and platforms, who identify a payout without its account. */
export async function selectPayoutsById(db: Queryable, ids: string[]): Promise<PayoutRow[]> {
  return db.rows(sql`
    select ${columns}
    from payouts
    where id = any(${ids}::uuid[])`)
}

export async function selectPayoutsOfExport(
  db: Queryable,
  export_id: string,
): Promise<PayoutRow[]> {
  return db.rows(sql`
    select ${columns}
    from payouts
    where export_id = ${export_id}
    order by account_id, id`)
}

interface PayoutFilter {
  /** Undefined for all accounts. */
  account_id: string | undefined
  status?: string | undefined
  last_id?: string | undefined
}

export async function selectPayoutPage(
  db: Queryable,
  filter: PayoutFilter,
  range: CursorRange,
): Promise<PayoutRow[]> {
  const { status } = filter
  return db.rows(sql`
    select ${columns}
    from payouts
    where true
      ${status === undefined ? nothing : sql`and status = ${status}`}
      ${keyPageClause(filter, range)}
    limit ${range.limit}`)
}

export async function countOpenPayouts(db: Queryable, account_id: string): Promise<number> {
  const found = await db.row<{ open: number }>(sql`
    select count(*) as open
    from payouts
    where account_id = ${account_id} and status in ('pending_approval', 'approved', 'in_transit')`)
  return found!.open
}

/** What left the account, or may still leave it. */
export async function sumPayoutsSince(
  db: Queryable,
  account_id: string,
  first_id: string,
): Promise<number> {
  const found = await db.row<{ total: number }>(sql`
    select coalesce(sum(amount), 0)::bigint as total
    from payouts
    where account_id = ${account_id} and id >= ${first_id}
      and status not in ('canceled', 'failed')`)
  return found!.total
}

/** Sends the payouts of a set. */
export function writePayouts(tx: Tx, set: RowSet<PayoutRow>): void {
  if (set.inserted.length > 0) sendNewPayouts(tx, set.inserted)
  if (set.changed.size > 0) sendPayoutChanges(tx, [...set.changed.keys()])
}

const newRows = sqlRows(`
  account_id uuid, id uuid, amount bigint, currency text, status text, name text, iban text,
  bic text, reference text, created_by uuid, destination_set_by uuid, approved_by uuid,
  export_id uuid, reason text, paid_entry_id uuid, returned_entry_id uuid,
  updated_at timestamptz`)

function sendNewPayouts(tx: Tx, rows: PayoutRow[]): void {
  tx.send(sql`insert into payouts ${newRows.insertByAccount(rows, tx)}`)
}

const changedRows = sqlRows(`
  account_id uuid, id uuid, status text, approved_by uuid, export_id uuid, reason text,
  paid_entry_id uuid, returned_entry_id uuid, updated_at timestamptz`)

function sendPayoutChanges(tx: Tx, rows: PayoutRow[]): void {
  tx.send(sql`
    update payouts
    set status = it.status, approved_by = it.approved_by, export_id = it.export_id,
      reason = it.reason, paid_entry_id = it.paid_entry_id,
      returned_entry_id = it.returned_entry_id, updated_at = it.updated_at
    from ${changedRows.from(rows)}
    where payouts.account_id = it.account_id and payouts.id = it.id
      and payouts.account_id = any(${accountsOf(rows)}::uuid[])`)
}

export async function selectSettings(
  db: Queryable,
  account_id: string,
): Promise<SettingsRow | undefined> {
  return db.row(sql`
    select account_id, name, iban, bic, destination_set_by, is_confirmed, approval_limit,
      updated_at
    from payout_settings
    where account_id = ${account_id}`)
}

export async function upsertSettings(tx: Tx, row: SettingsRow): Promise<void> {
  const { account_id, name, iban, bic, destination_set_by } = row
  const { is_confirmed, approval_limit, updated_at } = row
  await tx.count(sql`
    insert into payout_settings
      (account_id, name, iban, bic, destination_set_by, is_confirmed, approval_limit, updated_at)
    values (${account_id}, ${name}, ${iban}, ${bic}, ${destination_set_by}, ${is_confirmed},
      ${approval_limit}, ${updated_at})
    on conflict (account_id) do update
    set name = excluded.name, iban = excluded.iban, bic = excluded.bic,
      destination_set_by = excluded.destination_set_by, is_confirmed = excluded.is_confirmed,
      approval_limit = excluded.approval_limit, updated_at = excluded.updated_at`)
}
