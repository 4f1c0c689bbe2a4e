import type { DueRowKey, DueSearch } from '../jobs/due-work.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { selectDueRows } from '../postgres/due-rows.ts'
import { keyPageClause } from '../postgres/page-clause.ts'
import { nothing, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { TransferRow, TransferSide } from './transfer.ts'

export async function selectTransfers(db: Queryable, names: RowKey[]): Promise<TransferRow[]> {
  return db.rows(sql`
    select transfers.account_id, transfers.id, side, from_account_id, to_account_id, amount,
      fee_amount, fee_account_id, currency, reference, status, returned_amount, reason, updated_at
    from ${rowKeys(names)}
    join transfers
      on transfers.account_id = it.account_id and transfers.id = it.id
    where transfers.account_id = any(${accountsOf(names)}::uuid[])`)
}

/** The row of the source, for admins and platforms, who identify a transfer without an account. */
export async function selectTransfersById(db: Queryable, ids: string[]): Promise<TransferRow[]> {
  return db.rows(sql`
    select account_id, id, side, from_account_id, to_account_id, amount, fee_amount,
      fee_account_id, currency, reference, status, returned_amount, reason, updated_at
    from transfers
    where id = any(${ids}::uuid[]) and side = 'out'`)
}

interface TransferFilter {
  /** Undefined for all accounts. */
  account_id: string | undefined
  side?: TransferSide | undefined
  status?: string | undefined
  last_id?: string | undefined
}

export async function selectTransferPage(
  db: Queryable,
  filter: TransferFilter,
  range: CursorRange,
): Promise<TransferRow[]> {
  const { side, status } = filter
  return db.rows(sql`
    select account_id, id, side, from_account_id, to_account_id, amount, fee_amount,
      fee_account_id, currency, reference, status, returned_amount, reason, updated_at
    from transfers
    where status <> 'rejected'
      ${side === undefined ? nothing : sql`and side = ${side}`}
      ${status === undefined ? nothing : sql`and status = ${status}`}
      ${keyPageClause(filter, range)}
    limit ${range.limit}`)
}

const newRows = sqlRows(`
  account_id uuid, id uuid, side text, from_account_id uuid, to_account_id uuid, amount bigint,
  fee_amount bigint, fee_account_id uuid, currency text, reference text, status text,
  returned_amount bigint, reason text, updated_at timestamptz`)

export function sendNewTransfers(tx: Tx, rows: TransferRow[]): void {
  tx.send(sql`insert into transfers ${newRows.insertByAccount(rows, tx)}`)
}

const changedRows = sqlRows(`
  account_id uuid, id uuid, status text, returned_amount bigint, reason text,
  updated_at timestamptz`)

export function sendTransferChanges(tx: Tx, rows: TransferRow[]): void {
  tx.send(sql`
    update transfers
    set status = it.status, returned_amount = it.returned_amount, reason = it.reason,
      updated_at = it.updated_at
    from ${changedRows.from(rows)}
    where transfers.account_id = it.account_id and transfers.id = it.id
      and transfers.account_id = any(${accountsOf(rows)}::uuid[])`)
}

// The predicate of the partial index transfers_due.
const due_rows = {
  columns: sql`account_id, id, to_account_id`,
  source: sql`from transfers
      where status = 'in_transit'`,
  at: sql`updated_at`,
}

export interface TransferInTransit extends DueRowKey {
  to_account_id: string
}

export function selectTransfersInTransit(
  db: Queryable,
  due: DueSearch,
): Promise<TransferInTransit[]> {
  return selectDueRows(db, due_rows, due)
}

export interface TransferFeeRow {
  account_id: string
  fee_account_id: string
  basis_points: number
  fixed_amount: number
  updated_at: Date
}

export async function selectTransferFee(
  db: Queryable,
  account_id: string,
): Promise<TransferFeeRow | undefined> {
  return db.row(sql`
    select account_id, fee_account_id, basis_points, fixed_amount, updated_at
    from transfer_fees
    where account_id = ${account_id}`)
}

export async function upsertTransferFee(tx: Tx, row: TransferFeeRow): Promise<void> {
  await tx.count(sql`
    insert into transfer_fees (account_id, fee_account_id, basis_points, fixed_amount, updated_at)
    values (${row.account_id}, ${row.fee_account_id}, ${row.basis_points}, ${row.fixed_amount},
      ${row.updated_at})
    on conflict (account_id) do update
    set fee_account_id = excluded.fee_account_id, basis_points = excluded.basis_points,
      fixed_amount = excluded.fixed_amount, updated_at = excluded.updated_at`)
}

export async function deleteTransferFee(tx: Tx, account_id: string): Promise<void> {
  await tx.count(sql`
    delete from transfer_fees
    where account_id = ${account_id}`)
}
