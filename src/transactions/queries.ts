import type { TransactionStatus, TransactionType } from '../ledger/posting-rules.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { TransactionRow } from './transaction.ts'
import type { RefundTotal } from './working-set.ts'

const columns = sql`account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata`

export interface RowName {
  account_id: string
  id: string
}

export async function selectTransactions(
  db: Queryable,
  names: RowName[],
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select transactions.account_id, transactions.id, status, amount, currency, type, refund_of,
      due_at, updated_at, reference, metadata
    from unnest(${names.map((name) => name.account_id)}::uuid[],
      ${names.map((name) => name.id)}::uuid[]) as it (account_id, id)
    join transactions on transactions.account_id = it.account_id and transactions.id = it.id`)
}

/** For admins and platforms, who name a transaction without its account. */
export async function selectTransactionsById(
  db: Queryable,
  ids: string[],
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata
    from transactions
    where id = any(${ids}::uuid[])`)
}

export async function selectRefundTotals(db: Queryable, names: RowName[]): Promise<RefundTotal[]> {
  return db.rows(sql`
    select refund_totals.account_id, payment_id, amount
    from unnest(${names.map((name) => name.account_id)}::uuid[],
      ${names.map((name) => name.id)}::uuid[]) as it (account_id, id)
    join refund_totals
      on refund_totals.account_id = it.account_id and refund_totals.payment_id = it.id`)
}

export function sendInserts(tx: Tx, rows: TransactionRow[]): void {
  tx.send(sql`
    insert into transactions (account_id, id, status, amount, currency, type, refund_of, due_at,
      updated_at, reference, metadata)
    select account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      account_id uuid, id uuid, status text, amount bigint, currency text, type text,
      refund_of uuid, due_at timestamptz, updated_at timestamptz, reference text,
      metadata text)`)
}

export interface StoredChange extends TransactionRow {
  stored_status: TransactionStatus
}

export function sendChanges(tx: Tx, rows: StoredChange[]): void {
  tx.send(sql`
    update transactions
    set status = it.status, due_at = it.due_at, updated_at = it.updated_at,
      reference = it.reference, metadata = it.metadata
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      account_id uuid, id uuid, stored_status text, status text, due_at timestamptz,
      updated_at timestamptz, reference text, metadata text)
    where transactions.account_id = it.account_id
      and transactions.id = it.id
      and transactions.status = it.stored_status`)
}

export function sendRefundTotals(tx: Tx, totals: RefundTotal[]): void {
  tx.send(sql`
    insert into refund_totals (account_id, payment_id, amount)
    select account_id, payment_id, amount
    from json_to_recordset(${JSON.stringify(totals)}) as it (
      account_id uuid, payment_id uuid, amount bigint)
    on conflict (account_id, payment_id) do update
    set amount = excluded.amount`)
}

export interface TransactionFilter {
  account_id: string | undefined
  status: TransactionStatus | undefined
  type: TransactionType | undefined
  first_id: string | undefined
  last_id: string | undefined
}

export async function selectTransactionPage(
  db: Queryable,
  filter: TransactionFilter,
  range: CursorRange,
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select ${columns}
    from transactions
    where true
      ${conditions(filter)}
      ${edge(range)}
    limit ${range.limit}`)
}

function edge(range: CursorRange): Sql {
  if (range.after !== null) return sql`and id > ${range.after} order by id`
  if (range.before !== null) return sql`and id < ${range.before} order by id desc`
  return sql`order by id desc`
}

// Status and type are written into the text, not passed as values: only then does the planner leave
// other partitions out, and use the index of the few that are not payments.
const statusTexts: Record<TransactionStatus, Sql> = {
  pending: sql`and status = 'pending'`,
  succeeded: sql`and status = 'succeeded'`,
  failed: sql`and status = 'failed'`,
  canceled: sql`and status = 'canceled'`,
}

const typeTexts: Record<TransactionType, Sql> = {
  payment: sql`and type = 'payment'`,
  credit: sql`and type = 'credit'`,
  refund: sql`and type = 'refund'`,
}

function conditions(filter: TransactionFilter): Sql {
  const { account_id, status, type, first_id, last_id } = filter
  return sql`${account_id === undefined ? nothing : sql`and account_id = ${account_id}`}
      ${status === undefined ? nothing : statusTexts[status]}
      ${type === undefined ? nothing : typeTexts[type]}
      ${first_id === undefined ? nothing : sql`and id >= ${first_id}`}
      ${last_id === undefined ? nothing : sql`and id <= ${last_id}`}`
}

/** Pending transactions whose time has come, of the accounts in one slot of sixteen. */
export async function selectDue(
  db: Queryable,
  due: { by: Date; slot: number; limit: number },
): Promise<TransactionRow[]> {
  return db.rows(sql`
    select account_id, id, status, amount, currency, type, refund_of, due_at, updated_at,
      reference, metadata
    from transactions
    where status = 'pending'
      and due_at <= ${due.by}
      and right(account_id::text, 1) = ${due.slot.toString(16)}
    order by due_at
    limit ${due.limit}`)
}
