// Charges, and the refunds that providers pay out.

import type { OpenDueSearch } from '../jobs/due-work.ts'
import type { RowKey } from '../lanes/row-set.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { selectDueRows } from '../postgres/due-rows.ts'
import { nothing, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../postgres/sql-rows.ts'
import type { ChargeRow, ProviderRefundRow } from './charge.ts'

/** A charge as the provider names it. */
export type ChargeKey = Pick<ChargeRow, 'account_id' | 'provider' | 'charge_id'>

/** The charges that paid these transactions. */
export async function selectCharges(db: Queryable, payments: RowKey[]): Promise<ChargeRow[]> {
  return db.rows(sql`
    select charges.account_id, transaction_id, provider, charge_id, checkout_id, provider_id,
      amount, fee, is_disputed, is_late, card_brand, card_last4
    from ${rowKeys(payments)}
    join charges on charges.account_id = it.account_id and charges.transaction_id = it.id
    where charges.account_id = any(${accountsOf(payments)}::uuid[])`)
}

const chargeKeys = sqlRows('account_id uuid, provider text, charge_id text')

export async function selectChargesByKey(db: Queryable, keys: ChargeKey[]): Promise<ChargeRow[]> {
  return db.rows(sql`
    select charges.account_id, transaction_id, charges.provider, charges.charge_id, checkout_id,
      provider_id, amount, fee, is_disputed, is_late, card_brand, card_last4
    from ${chargeKeys.from(keys)}
    join charges
      on charges.account_id = it.account_id
      and charges.provider = it.provider
      and charges.charge_id = it.charge_id
    where charges.account_id = any(${accountsOf(keys)}::uuid[])`)
}

/** The refunds at the provider of the payments with these charges. */
export async function selectRefundsOfCharges(
  db: Queryable,
  keys: ChargeKey[],
): Promise<ProviderRefundRow[]> {
  return db.rows(sql`
    select refunds.account_id, refunds.id, payment_id, refunds.provider, provider_refund_id, state,
      submitted_at, next_at, attempts, credit_id
    from ${chargeKeys.from(keys)}
    join charges
      on charges.account_id = it.account_id
      and charges.provider = it.provider
      and charges.charge_id = it.charge_id
    join provider_refunds as refunds
      on refunds.account_id = charges.account_id
      and refunds.payment_id = charges.transaction_id
    where charges.account_id = any(${accountsOf(keys)}::uuid[])
      and refunds.account_id = any(${accountsOf(keys)}::uuid[])`)
}

export async function selectProviderRefunds(
  db: Queryable,
  refunds: RowKey[],
): Promise<ProviderRefundRow[]> {
  return db.rows(sql`
    select refunds.account_id, refunds.id, payment_id, provider, provider_refund_id, state,
      submitted_at, next_at, attempts, credit_id
    from ${rowKeys(refunds)}
    join provider_refunds as refunds
      on refunds.account_id = it.account_id and refunds.id = it.id
    where refunds.account_id = any(${accountsOf(refunds)}::uuid[])`)
}

/** The late payments of an account from this id on, newest first. */
export async function selectLatePayments(
  db: Queryable,
  account_id: string,
  first_id: string,
  limit: number,
): Promise<{ transaction_id: string }[]> {
  return db.rows(sql`
    select transaction_id
    from charges
    where account_id = ${account_id} and transaction_id >= ${first_id} and is_late
    order by transaction_id desc
    limit ${limit}`)
}

export async function selectDisputedCharges(
  db: Queryable,
  range: AccountRange,
): Promise<{ account_id: string; transaction_id: string }[]> {
  return db.rows(sql`
    select account_id, transaction_id
    from charges
    where account_id > ${range.after} and account_id <= ${range.through} and is_disputed`)
}

/** What bank transfers have paid. */
export async function selectTransferCharges(
  db: Queryable,
  range: AccountRange,
): Promise<Pick<ChargeRow, 'account_id' | 'charge_id' | 'amount'>[]> {
  return db.rows(sql`
    select account_id, charge_id, amount
    from charges
    where account_id > ${range.after} and account_id <= ${range.through}
      and provider = 'bank_transfer'`)
}

const chargeRows = sqlRows(`
  account_id uuid, transaction_id uuid, provider text, charge_id text, checkout_id uuid,
  provider_id text, amount bigint, fee bigint, is_disputed boolean, is_late boolean,
  card_brand text, card_last4 text`)

/** Inserts new charges and updates the others. */
export function sendCharges(tx: Tx, charges: ChargeRow[]): void {
  tx.send(sql`
    insert into charges ${chargeRows.insertByAccount(charges, tx)}
    on conflict (account_id, transaction_id) do update
    set fee = excluded.fee, is_disputed = excluded.is_disputed`)
}

const refundRows = sqlRows(`
  account_id uuid, id uuid, payment_id uuid, provider text, provider_refund_id text, state text,
  submitted_at timestamptz, next_at timestamptz, attempts smallint, credit_id uuid`)

/** Inserts new refunds and updates the others. */
export function sendProviderRefunds(tx: Tx, refunds: ProviderRefundRow[]): void {
  tx.send(sql`
    insert into provider_refunds ${refundRows.insertByAccount(refunds, tx)}
    on conflict (account_id, id) do update
    set provider_refund_id = excluded.provider_refund_id, state = excluded.state,
      submitted_at = excluded.submitted_at, next_at = excluded.next_at,
      attempts = excluded.attempts, credit_id = excluded.credit_id`)
}

export type DueRefund = Pick<
  ProviderRefundRow,
  'account_id' | 'id' | 'payment_id' | 'provider' | 'provider_refund_id' | 'submitted_at'
>

/** The number of refunds whose outcome a provider has not determined, up to a limit. */
export async function countPendingRefunds(db: Queryable, limit: number): Promise<number> {
  const counted = await db.row<{ count: number }>(sql`
    select count(*) as count
    from (select 1 from provider_refunds where next_at is not null limit ${limit}) as pending`)
  return counted!.count
}

/** Refunds to send to one of these providers, or to ask it about. */
export function selectDueRefunds(
  db: Queryable,
  due: OpenDueSearch,
  providers: string[],
): Promise<DueRefund[]> {
  const columns = sql`account_id, id, payment_id, provider, provider_refund_id, submitted_at`
  const source = sql`
      from provider_refunds
      where next_at is not null and provider = any(${providers}::text[])`
  return selectDueRows(db, { columns, source, at: sql`next_at` }, due)
}

const toTransfer = sql`provider = 'bank_transfer' and attempts = 0
      and state in ('queued', 'submitted')`

export interface TransferRefund {
  account_id: string
  id: string
  amount: number
  currency: string
  /** Of the charge that it refunds. */
  charge_id: string
}

/** Refunds by transfer of all accounts that no payment file has, in the common lock order. */
export async function selectRefundsToTransfer(
  db: Queryable,
  currency: string,
  after: RowKey,
  limit: number,
): Promise<TransferRefund[]> {
  return db.rows(sql`
    select refunds.account_id, refunds.id, transactions.amount, currency, charge_id
    from (
      select account_id, id, payment_id
      from provider_refunds
      where (account_id, id) > (${after.account_id}::uuid, ${after.id}::uuid)
        and ${toTransfer}) as refunds
    join transactions
      on transactions.account_id = refunds.account_id and transactions.id = refunds.id
    join charges
      on charges.account_id = refunds.account_id
      and charges.transaction_id = refunds.payment_id
    where currency = ${currency}
    order by refunds.account_id, refunds.id
    limit ${limit}`)
}

/**
 * Those that no payment file has, oldest first. One of a closed account that is pending counts as
 * canceled: a slice will end it (docs/decisions/0018).
 */
export async function selectUnsentRefunds(
  tx: Tx,
  { account_id, status }: Pick<AccountLock, 'account_id' | 'status'>,
  ids: string[],
): Promise<string[]> {
  const ended = status === 'closed' ? sql`and transactions.status <> 'pending'` : nothing
  const rows = await tx.rows<{ id: string }>(sql`
    select refunds.id
    from (
      select account_id, id
      from provider_refunds
      where account_id = ${account_id} and id = any(${ids}::uuid[]) and ${toTransfer}) as refunds
    join transactions
      on transactions.account_id = refunds.account_id and transactions.id = refunds.id
    where refunds.account_id = ${account_id} ${ended}
    order by refunds.id`)
  return rows.map(({ id }) => id)
}

/** From now on they cannot be canceled. */
export async function submitRefunds(
  tx: Tx,
  account_id: string,
  ids: string[],
  at: Date,
): Promise<void> {
  await tx.count(sql`
    update provider_refunds
    set state = 'submitted', submitted_at = coalesce(submitted_at, ${at}), attempts = 1
    where account_id = ${account_id} and id = any(${ids}::uuid[])`)
}

export interface WeekSums {
  payments: number
  volume: number
  refunds: number
  fees: number
  failed: number
}

/** Ids contain the creation time, so each part is a range of a primary key. */
export async function selectWeekSums(
  db: Queryable,
  account_id: string,
  { first_id, last_id }: { first_id: string; last_id: string },
): Promise<WeekSums> {
  const within = sql`account_id = ${account_id} and id between ${first_id} and ${last_id}`
  const found = await db.row<WeekSums>(sql`
    select paid.n as payments, paid.amount_in as volume, paid.amount_out as refunds,
      charged.fees as fees, failed.n as failed
    from (
      select count(*) filter (where type = 'payment') as n,
        coalesce(sum(amount) filter (where type <> 'refund'), 0)::bigint as amount_in,
        coalesce(sum(amount) filter (where type = 'refund'), 0)::bigint as amount_out
      from transactions_succeeded
      where ${within}) as paid
    cross join (
      select count(*) as n
      from transactions_failed
      where ${within}) as failed
    cross join (
      select coalesce(sum(fee), 0)::bigint as fees
      from charges
      where account_id = ${account_id}
        and transaction_id between ${first_id} and ${last_id}) as charged`)
  return found!
}
