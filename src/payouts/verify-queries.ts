import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { fingerprint } from '../postgres/fingerprint.ts'
import { sql } from '../postgres/sql.ts'

export interface PayoutFacts {
  account_id: string
  last_at: Date
  newest_id: string
  /** The minimum and the maximum. */
  currencies: [string, string]
  /** Of the postings that the payouts must have. */
  fingerprint: string
}

// The movement after payout_hold; a returned payout was paid before.
const second = sql`case
          when status in ('paid', 'returned') then 'payout_pay'
          when status in ('failed', 'canceled') then 'payout_release' end`

export async function selectPayoutFacts(
  db: Queryable,
  range: AccountRange,
): Promise<PayoutFacts[]> {
  const held = fingerprint(sql`id`, sql`'payout_hold'`, sql`amount`)
  const ended = fingerprint(sql`id`, second, sql`amount`)
  const returned = fingerprint(sql`id`, sql`'payout_return'`, sql`amount`)
  return db.rows(sql`
    select account_id, max(updated_at) as last_at, max(id::text collate "C") as newest_id,
      array[min(currency), max(currency)] as currencies,
      (sum(${held}) + coalesce(sum(${ended}), 0)
        + coalesce(sum(${returned}) filter (where status = 'returned'), 0))::text as fingerprint
    from payouts
    where account_id > ${range.after} and account_id <= ${range.through}
    group by account_id`)
}

interface PayoutState {
  id: string
  status: string
  amount: number
}

export async function selectPayoutStates(
  db: Queryable,
  account_id: string,
): Promise<PayoutState[]> {
  return db.rows(sql`
    select id, status, amount
    from payouts
    where account_id = ${account_id}`)
}

export async function existPayouts(db: Queryable): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from payouts
    limit 1`)
  return found !== undefined
}

/** What the ledger has paid out, and the bank entries that show it. */
export interface PaidPayout {
  account_id: string
  id: string
  amount: number
  currency: string
  status: 'paid' | 'returned'
  paid_entry_id: string | null
  returned_entry_id: string | null
  updated_at: Date
}

export async function selectPaidPayouts(db: Queryable, range: AccountRange): Promise<PaidPayout[]> {
  return db.rows(sql`
    select account_id, id, amount, currency, status, paid_entry_id, returned_entry_id, updated_at
    from payouts
    where account_id > ${range.after} and account_id <= ${range.through}
      and status in ('paid', 'returned')`)
}

/** Refunds by transfer that a bank entry shows. */
export type ShownRefund = Omit<PaidPayout, 'status' | 'updated_at'>

export async function selectShownRefunds(
  db: Queryable,
  range: AccountRange,
): Promise<ShownRefund[]> {
  return db.rows(sql`
    select account_id, id, amount, currency, paid_entry_id, returned_entry_id
    from exported_refunds
    where account_id > ${range.after} and account_id <= ${range.through}
      and (paid_entry_id is not null or returned_entry_id is not null)`)
}

/** Payouts or refunds of one payment file. */
export interface ExportedSum {
  export_id: string
  n: number
  amount: number
  /** The minimum and the maximum. */
  currencies: string[]
}

export async function sumExportedPayouts(db: Queryable): Promise<ExportedSum[]> {
  return db.rows(sql`
    select export_id, count(*) as n, sum(amount)::bigint as amount,
      array[min(currency), max(currency)] as currencies
    from payouts
    where export_id is not null
    group by export_id`)
}

export async function sumExportedRefunds(db: Queryable): Promise<ExportedSum[]> {
  return db.rows(sql`
    select export_id, count(*) as n, sum(amount)::bigint as amount,
      array[min(currency), max(currency)] as currencies
    from exported_refunds
    group by export_id`)
}

export interface CheckedExport {
  id: string
  currency: string
  payouts: number
  refunds: number
  amount: number
  /** Null if the file has none. */
  control_sum: string | null
}

export async function selectCheckedExports(db: Queryable): Promise<CheckedExport[]> {
  // The control sum is at the start. Not more is read, because a file has up to a megabyte.
  return db.rows(sql`
    select id, currency, payouts, refunds, amount,
      substring(substring(file for 1000) from '<CtrlSum>([0-9.]*)</CtrlSum>') as control_sum
    from payout_exports
    order by id`)
}
