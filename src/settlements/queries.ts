import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { idPageClause } from '../postgres/page-clause.ts'
import { nothing, sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { ProviderName } from '../processors/provider.ts'
import type { SettlementCandidate } from './match-bank-entry.ts'
import type { BalanceEntryRow, EntrySum, SettlementRow } from './settlement.ts'

export async function selectImportedUntil(
  db: Queryable,
  provider: ProviderName,
): Promise<Date | undefined> {
  const found = await db.row<{ complete_until: Date }>(sql`
    select complete_until
    from balance_imports
    where provider = ${provider}`)
  return found?.complete_until
}

export async function selectImports(
  db: Queryable,
): Promise<{ provider: ProviderName; complete_until: Date }[]> {
  return db.rows(sql`
    select provider, complete_until
    from balance_imports`)
}

/** Never moves back: a slower import may end after a newer one. */
export async function recordImport(
  db: Queryable,
  provider: ProviderName,
  until: Date,
): Promise<void> {
  await db.count(sql`
    insert into balance_imports (provider, complete_until)
    values (${provider}, ${until})
    on conflict (provider) do update
    set complete_until = greatest(balance_imports.complete_until, excluded.complete_until)`)
}

const entryRows = sqlRows(`
  id uuid, provider text, provider_id text, kind text, source_id text, charge_id text,
  account_id uuid, amount bigint, fee bigint, currency text, charged_amount bigint,
  charged_fee bigint, charged_currency text, at timestamptz, settlement_id text`)

/**
 * Entries never change, except that a settlement pays them out. Returns the number of new or
 * changed rows. Rows must be in the order of provider_id: two imports may run.
 */
export function insertEntries(db: Queryable, rows: BalanceEntryRow[]): Promise<number> {
  return db.count(sql`
    insert into balance_entries ${entryRows.insert(rows)}
    on conflict (provider, provider_id) do update
    set settlement_id = excluded.settlement_id
    where excluded.settlement_id is not null
      and balance_entries.settlement_id is distinct from excluded.settlement_id`)
}

/** Refunds and disputes get the account of their charge. */
export async function attributeEntries(db: Queryable, provider: ProviderName): Promise<void> {
  await db.count(sql`
    update balance_entries as entries
    set account_id = charged.account_id
    from balance_entries as charged
    where entries.provider = ${provider}
      and entries.account_id is null
      and entries.charge_id is not null
      and charged.provider = ${provider}
      and charged.source_id = entries.charge_id
      and charged.kind = 'charge'
      and charged.account_id is not null`)
}

const settlementRows = sqlRows(`
  id uuid, provider text, provider_id text, amount bigint, currency text, status text,
  grouping text, created_at timestamptz, arrives_at timestamptz, reference_lines text`)

export type ListedSettlement = Omit<
  SettlementRow,
  'has_entries' | 'bank_entry_id' | 'returned_entry_id'
>

export function upsertSettlements(db: Queryable, rows: ListedSettlement[]): Promise<number> {
  return db.count(sql`
    insert into settlements ${settlementRows.insert(rows)}
    on conflict (provider, provider_id) do update
    set amount = excluded.amount, status = excluded.status, grouping = excluded.grouping,
      arrives_at = excluded.arrives_at, reference_lines = excluded.reference_lines
    where (settlements.amount, settlements.status, settlements.grouping, settlements.arrives_at,
        settlements.reference_lines)
      is distinct from (excluded.amount, excluded.status, excluded.grouping, excluded.arrives_at,
        excluded.reference_lines)`)
}

/** The creation time of the oldest settlement that may still change. */
export async function selectOldestOpen(
  db: Queryable,
  provider: ProviderName,
): Promise<Date | null> {
  const found = await db.row<{ created_at: Date | null }>(sql`
    select min(created_at) as created_at
    from settlements
    where provider = ${provider}
      and (status in ('pending', 'in_transit') or (grouping <> 'none' and not has_entries))`)
  return found!.created_at
}

/** The creation time of the newest settlement whose entries are stored. */
export async function selectSettledUntil(
  db: Queryable,
  provider: ProviderName,
): Promise<Date | null> {
  const found = await db.row<{ created_at: Date | null }>(sql`
    select max(created_at) as created_at
    from settlements
    where provider = ${provider} and has_entries`)
  return found!.created_at
}

/** Settlements whose entries are not all stored, oldest first. */
export async function selectWithoutEntries(
  db: Queryable,
  provider: ProviderName,
): Promise<Pick<SettlementRow, 'provider_id' | 'grouping'>[]> {
  return db.rows(sql`
    select provider_id, grouping
    from settlements
    where provider = ${provider} and grouping <> 'none' and not has_entries
    order by created_at, provider_id`)
}

export async function recordEntriesOf(
  db: Queryable,
  provider: ProviderName,
  provider_id: string,
): Promise<void> {
  await db.count(sql`
    update settlements
    set has_entries = true
    where provider = ${provider} and provider_id = ${provider_id}`)
}

/** What the provider has for one charge, refund or dispute of an account. */
export interface ProviderMovement {
  account_id: string
  provider: ProviderName
  kind: 'charge' | 'refund' | 'dispute'
  source_id: string
  amount: number
  fee: number
  currency: string
  /** The last entry. */
  at: Date
}

export async function selectProviderMovements(
  db: Queryable,
  range: AccountRange,
): Promise<ProviderMovement[]> {
  return db.rows(sql`
    select account_id, provider, kind, source_id, charged_currency as currency,
      sum(charged_amount)::bigint as amount, sum(charged_fee)::bigint as fee, max(at) as at
    from balance_entries
    where account_id > ${range.after} and account_id <= ${range.through}
      and kind in ('charge', 'refund', 'dispute') and source_id is not null
    group by account_id, provider, kind, source_id, charged_currency`)
}

export interface BalanceSum {
  provider: ProviderName
  currency: string
  /** What is left at the provider. */
  balance: number
  /**
   * Entries that no account of Florin caused, and fees other than those of charges. The operator
   * pays or receives them.
   */
  other: number
}

export async function selectBalanceSums(db: Queryable): Promise<BalanceSum[]> {
  return db.rows(sql`
    select provider, currency, sum(amount - fee)::bigint as balance,
      coalesce(sum(case
        when kind = 'settlement' then -fee
        when account_id is null then amount - fee
        when kind = 'charge' then 0
        else -fee
      end), 0)::bigint as other
    from balance_entries
    group by provider, currency
    order by provider, currency`)
}

export interface SettlementWithSums extends SettlementRow {
  sums: EntrySum[]
}

const columns = sql`id, settlements.provider, provider_id, amount, currency, status, grouping,
      has_entries, created_at, arrives_at, reference_lines, bank_entry_id,
      returned_entry_id, coalesce(entries.sums, '[]') as sums`

const sums = sql`left join lateral (
      select json_agg(json_build_object(
        'kind', kind, 'entries', entries, 'amount', amount, 'fee', fee) order by kind) as sums
      from (
        select kind, count(*) as entries, sum(amount)::bigint as amount, sum(fee)::bigint as fee
        from balance_entries
        where provider = settlements.provider and settlement_id = settlements.provider_id
        group by kind) as by_kind) as entries on true`

/** After this id, in id order. */
export async function selectSettlementsAfter(
  db: Queryable,
  after_id: string,
  limit: number,
): Promise<SettlementWithSums[]> {
  return db.rows(sql`
    select ${columns}
    from settlements
    ${sums}
    where id > ${after_id}
    order by id
    limit ${limit}`)
}

export async function selectSettlements(
  db: Queryable,
  ids: string[],
): Promise<SettlementWithSums[]> {
  return db.rows(sql`
    select ${columns}
    from settlements
    ${sums}
    where id = any(${ids}::uuid[])`)
}

export interface SettlementFilter {
  provider?: ProviderName | undefined
  status?: SettlementRow['status'] | undefined
  amount?: number | undefined
  currency?: string | undefined
}

export async function selectSettlementPage(
  db: Queryable,
  { provider, status, amount, currency }: SettlementFilter,
  range: CursorRange,
): Promise<SettlementWithSums[]> {
  return db.rows(sql`
    select ${columns}
    from settlements
    ${sums}
    where true
      ${provider === undefined ? nothing : sql`and settlements.provider = ${provider}`}
      ${status === undefined ? nothing : sql`and status = ${status}`}
      ${amount === undefined ? nothing : sql`and settlements.amount = ${amount}`}
      ${currency === undefined ? nothing : sql`and settlements.currency = ${currency}`}
      ${idPageClause(range)}
    limit ${range.limit}`)
}

const entryColumns = sql`id, provider, provider_id, kind, source_id, charge_id, account_id, amount,
      fee, currency, charged_amount, charged_fee, charged_currency, at, settlement_id`

type PaidOutBy = Pick<SettlementRow, 'provider' | 'provider_id'>

export async function selectEntriesOf(
  db: Queryable,
  { provider, provider_id }: PaidOutBy,
  ids: string[],
): Promise<BalanceEntryRow[]> {
  return db.rows(sql`
    select ${entryColumns}
    from balance_entries
    where id = any(${ids}::uuid[]) and provider = ${provider} and settlement_id = ${provider_id}`)
}

/** Without the entry of the settlement itself. */
export async function selectEntryPage(
  db: Queryable,
  { provider, provider_id }: PaidOutBy,
  range: CursorRange,
): Promise<BalanceEntryRow[]> {
  return db.rows(sql`
    select ${entryColumns}
    from balance_entries
    where provider = ${provider} and settlement_id = ${provider_id} and kind <> 'settlement'
      ${idPageClause(range)}
    limit ${range.limit}`)
}

export async function selectReconciliation(
  db: Queryable,
): Promise<{ compared_at: Date; result: string } | undefined> {
  return db.row(sql`
    select compared_at, result
    from reconciliations
    where id = 1`)
}

/** Never replaces a newer one. */
export async function upsertReconciliation(
  db: Queryable,
  compared_at: Date,
  result: string,
): Promise<void> {
  await db.count(sql`
    insert into reconciliations (id, compared_at, result)
    values (1, ${compared_at}, ${result})
    on conflict (id) do update
    set compared_at = excluded.compared_at, result = excluded.result
    where reconciliations.compared_at < excluded.compared_at`)
}

/** The settlement that this entry of a bank statement shows or takes back. */
export async function selectSettlementOf(
  db: Queryable,
  bank_entry_id: string,
): Promise<{ id: string } | undefined> {
  return db.row(sql`
    select id
    from settlements
    where bank_entry_id = ${bank_entry_id} or returned_entry_id = ${bank_entry_id}`)
}

/** The settlements with this amount that no entry of a bank statement shows yet. */
export async function selectCandidates(
  db: Queryable,
  amount: number,
  currency: string,
): Promise<SettlementCandidate[]> {
  return db.rows(sql`
    select id, provider, amount, currency, arrives_at, reference_lines
    from settlements
    where bank_entry_id is null and amount = ${amount} and currency = ${currency}
      and status in ('pending', 'in_transit', 'paid')`)
}

/** Returns false if another entry shows it already. */
export async function updateBankEntry(
  db: Queryable,
  id: string,
  bank_entry_id: string,
): Promise<boolean> {
  const changed = await db.count(sql`
    update settlements
    set bank_entry_id = ${bank_entry_id}
    where id = ${id} and bank_entry_id is null`)
  return changed === 1
}

/** Returns false if no entry shows it yet, or if another one takes it back already. */
export async function updateReturnedEntry(
  db: Queryable,
  id: string,
  returned_entry_id: string,
): Promise<boolean> {
  const changed = await db.count(sql`
    update settlements
    set returned_entry_id = ${returned_entry_id}
    where id = ${id} and bank_entry_id is not null and returned_entry_id is null`)
  return changed === 1
}

export async function selectUnseenAmounts(
  db: Queryable,
): Promise<{ amount: number; currency: string }[]> {
  return db.rows(sql`
    select distinct amount, currency
    from settlements
    where bank_entry_id is null and status in ('pending', 'in_transit', 'paid')`)
}
