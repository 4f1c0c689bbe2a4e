import type { DueRowKey, OpenDueSearch } from '../jobs/due-work.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { selectDueRows } from '../postgres/due-rows.ts'
import { keyPageClause } from '../postgres/page-clause.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { DisputeRow } from './dispute.ts'

const columns = sql`account_id, id, transaction_id, provider, provider_dispute_id, amount, currency,
      reason, status, due_at, updated_at`

export interface PaymentKey {
  account_id: string
  transaction_id: string
}

const payments = sqlRows('account_id uuid, transaction_id uuid')

/** All disputes of these payments. */
export async function selectDisputesOf(db: Queryable, keys: PaymentKey[]): Promise<DisputeRow[]> {
  return db.rows(sql`
    select disputes.account_id, id, disputes.transaction_id, provider, provider_dispute_id, amount,
      currency, reason, status, due_at, updated_at
    from ${payments.from(keys)}
    join disputes
      on disputes.account_id = it.account_id and disputes.transaction_id = it.transaction_id
    where disputes.account_id = any(${accountsOf(keys)}::uuid[])`)
}

export async function selectDisputes(db: Queryable, names: RowKey[]): Promise<DisputeRow[]> {
  return db.rows(sql`
    select disputes.account_id, disputes.id, transaction_id, provider, provider_dispute_id, amount,
      currency, reason, status, due_at, updated_at
    from ${rowKeys(names)}
    join disputes
      on disputes.account_id = it.account_id and disputes.id = it.id
    where disputes.account_id = any(${accountsOf(names)}::uuid[])`)
}

/** For admins and platforms, who identify a dispute without its account. */
export async function selectDisputesById(db: Queryable, ids: string[]): Promise<DisputeRow[]> {
  return db.rows(sql`
    select ${columns}
    from disputes
    where id = any(${ids}::uuid[])`)
}

interface DisputeFilter {
  /** Undefined for all accounts. */
  account_id: string | undefined
  statuses?: readonly string[] | undefined
  transaction_id?: string | undefined
  last_id?: string | undefined
}

export async function selectDisputePage(
  db: Queryable,
  filter: DisputeFilter,
  range: CursorRange,
): Promise<DisputeRow[]> {
  return db.rows(sql`
    select ${columns}
    from disputes
    where true
      ${conditions(filter)}
      ${keyPageClause(filter, range)}
    limit ${range.limit}`)
}

function conditions({ statuses, transaction_id }: DisputeFilter): Sql {
  return sql`${statuses === undefined ? nothing : sql`and status = any(${[...statuses]}::text[])`}
      ${transaction_id === undefined ? nothing : sql`and transaction_id = ${transaction_id}`}`
}

const newRows = sqlRows(`
  account_id uuid, id uuid, transaction_id uuid, provider text, provider_dispute_id text,
  amount bigint, currency text, reason text, status text, due_at timestamptz,
  updated_at timestamptz`)

export function sendNewDisputes(tx: Tx, rows: DisputeRow[]): void {
  tx.send(sql`insert into disputes ${newRows.insertByAccount(rows, tx)}`)
}

const changedRows = sqlRows(`
  account_id uuid, id uuid, status text, due_at timestamptz, updated_at timestamptz`)

export function sendDisputeChanges(tx: Tx, rows: DisputeRow[]): void {
  tx.send(sql`
    update disputes
    set status = it.status, due_at = it.due_at, updated_at = it.updated_at
    from ${changedRows.from(rows)}
    where disputes.account_id = it.account_id and disputes.id = it.id
      and disputes.account_id = any(${accountsOf(rows)}::uuid[])`)
}

// The predicate of the partial index disputes_due.
const due_rows = {
  columns: sql`account_id, id`,
  source: sql`from disputes
      where provider = 'sandbox' and status in ('needs_response', 'under_review')`,
  at: sql`due_at`,
}

/** Sandbox disputes without a response in time. Providers decide about all others. */
export function selectDueDisputes(
  db: Queryable,
  due: Omit<OpenDueSearch, 'except_account_ids'>,
): Promise<DueRowKey[]> {
  return selectDueRows(db, due_rows, due)
}
