import type { Queryable, Tx } from '../postgres/database.ts'
import { keyPageClause } from '../postgres/page-clause.ts'
import { sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { PayoutRow } from './payout.ts'

export interface ExportRow {
  id: string
  currency: string
  payouts: number
  refunds: number
  amount: number
  created_by: string
}

/** Accounts with an approved payout, in the common lock order. */
export async function selectAccountsToExport(db: Queryable, currency: string): Promise<string[]> {
  const rows = await db.rows<{ account_id: string }>(sql`
    select distinct account_id
    from payouts
    where status = 'approved' and currency = ${currency}
    order by account_id`)
  return rows.map(({ account_id }) => account_id)
}

export async function selectPayoutsToExport(
  db: Queryable,
  account_id: string,
  currency: string,
  limit: number,
): Promise<PayoutRow[]> {
  return db.rows(sql`
    select account_id, id, amount, currency, status, name, iban, bic, reference, created_by,
      destination_set_by, approved_by, export_id, reason, paid_entry_id, returned_entry_id,
      updated_at
    from payouts
    where account_id = ${account_id} and status = 'approved'
      and currency = ${currency}
    order by id
    limit ${limit}`)
}

export async function insertExport(tx: Tx, row: ExportRow, file: string): Promise<void> {
  const { id, currency, payouts, refunds, amount, created_by } = row
  await tx.count(sql`
    insert into payout_exports (id, currency, payouts, refunds, amount, created_by, file)
    values (${id}, ${currency}, ${payouts}, ${refunds}, ${amount}, ${created_by}, ${file})`)
}

export async function selectExport(db: Queryable, id: string): Promise<ExportRow | undefined> {
  return db.row(sql`
    select id, currency, payouts, refunds, amount, created_by
    from payout_exports
    where id = ${id}`)
}

export async function selectExportFile(db: Queryable, id: string): Promise<string | undefined> {
  const found = await db.row<{ file: string }>(sql`
    select file
    from payout_exports
    where id = ${id}`)
  return found?.file
}

export async function selectExportPage(
  db: Queryable,
  { last_id }: { last_id: string | undefined },
  range: CursorRange,
): Promise<ExportRow[]> {
  return db.rows(sql`
    select id, currency, payouts, refunds, amount, created_by
    from payout_exports
    where true
      ${keyPageClause({ account_id: undefined, last_id }, range)}
    limit ${range.limit}`)
}

/** A refund of a bank transfer in a payment file. */
export interface RefundRow {
  account_id: string
  /** The refund transaction. */
  id: string
  export_id: string
  amount: number
  currency: string
  /** Of the charge that it refunds, and the account that had paid it. */
  charge_id: string
  name: string
  iban: string
  /** The bank entries that show its debit and its return; null until a statement has. */
  paid_entry_id: string | null
  returned_entry_id: string | null
}

const newRefunds = sqlRows(`
  account_id uuid, id uuid, export_id uuid, amount bigint, currency text, charge_id text,
  name text, iban text, paid_entry_id uuid, returned_entry_id uuid`)

export function sendExportedRefunds(tx: Tx, rows: RefundRow[]): void {
  tx.send(sql`insert into exported_refunds ${newRefunds.insertByAccount(rows, tx)}`)
}

const refundColumns = sql`account_id, id, export_id, amount, currency, charge_id, name, iban,
      paid_entry_id, returned_entry_id`

/** A bank entry names a refund without its account. */
export async function selectExportedRefunds(db: Queryable, id: string): Promise<RefundRow[]> {
  return db.rows(sql`
    select ${refundColumns}
    from exported_refunds
    where id = ${id}`)
}

export async function selectRefundsOfExport(
  db: Queryable,
  export_id: string,
): Promise<RefundRow[]> {
  return db.rows(sql`
    select ${refundColumns}
    from exported_refunds
    where export_id = ${export_id}
    order by account_id, id`)
}

/** Connects an entry with a refund. Returns 0 if another entry was connected before. */
export async function connectEntry(
  db: Queryable,
  { account_id, id }: RefundRow,
  { paid_entry_id, returned_entry_id }: Pick<RefundRow, 'paid_entry_id' | 'returned_entry_id'>,
): Promise<number> {
  return db.count(sql`
    update exported_refunds
    set paid_entry_id = coalesce(${paid_entry_id}::uuid, paid_entry_id),
      returned_entry_id = coalesce(${returned_entry_id}::uuid, returned_entry_id)
    where account_id = ${account_id} and id = ${id}
      and coalesce(paid_entry_id = ${paid_entry_id}::uuid, true)
      and coalesce(returned_entry_id = ${returned_entry_id}::uuid, true)`)
}
