import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { idPageClause } from '../postgres/page-clause.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { EntryRow, EntryStatus } from './bank-entry.ts'
import type { ListedStatement, StatementRow } from './bank-statement.ts'

const accounts = sqlRows('number text')

/** In the order of the numbers, so that two imports cannot deadlock. */
export async function lockBankAccounts(tx: Tx, numbers: string[]): Promise<void> {
  const rows = [...new Set(numbers)].sort().map((number) => ({ number }))
  await tx.count(sql`
    insert into bank_accounts (number)
    select number from ${accounts.from(rows)} order by number
    on conflict (number) do update
    set created_at = bank_accounts.created_at`)
}

const newStatements = sqlRows(`
  id uuid, bank_account text, digest bytea, format text, bank_id text, sequence text,
  currency text, opening_amount bigint, opening_on text, closing_amount bigint, closing_on text,
  entry_count integer, new_count integer, pending_count integer`)

/** The ids of those that were not stored before. */
export async function insertStatements(tx: Tx, rows: StatementRow[]): Promise<string[]> {
  const inserted = await tx.rows<{ id: string }>(sql`
    insert into bank_statements ${newStatements.insert(rows)}
    on conflict (bank_account, digest) do nothing
    returning id`)
  return inserted.map(({ id }) => id)
}

const counts = sqlRows('id uuid, new_count integer')

export async function updateNewCounts(
  tx: Tx,
  rows: Pick<StatementRow, 'id' | 'new_count'>[],
): Promise<void> {
  await tx.count(sql`
    update bank_statements
    set new_count = it.new_count
    from ${counts.from(rows)}
    where bank_statements.id = it.id`)
}

// The closing balance of another statement is the opening balance: then nothing is missing between
// them, in whichever order they were imported.
const continues = sql`exists (
        select 1
        from bank_statements as before
        where before.bank_account = bank_statements.bank_account
          and before.currency = bank_statements.currency
          and before.closing_amount = bank_statements.opening_amount
          and before.closing_on <= bank_statements.closing_on
          and before.id <> bank_statements.id)`

const starts_on = sql`coalesce(bank_statements.opening_on, bank_statements.closing_on)`

// Another statement that starts before it and ends after its start has what was before it: a month
// next to its days, or the same statement in another format.
const overlaps = sql`exists (
        select 1
        from (
          select *, coalesce(opening_on, closing_on) as starts_on
          from bank_statements) as other
        where other.bank_account = bank_statements.bank_account
          and other.currency = bank_statements.currency
          and (
            (other.starts_on < ${starts_on}
              and (other.closing_on > ${starts_on}
                or other.closing_on >= bank_statements.closing_on))
            or (other.starts_on = ${starts_on} and other.id < bank_statements.id
              and (other.closing_on > ${starts_on}
                or other.opening_amount = bank_statements.opening_amount))))`

const listed = sql`id, bank_account, digest, format, bank_id, sequence, currency, opening_amount,
      opening_on, closing_amount, closing_on, entry_count, new_count, pending_count,
      case when opening_amount is not null and not ${continues} and not ${overlaps}
      then (
        select before.closing_amount
        from bank_statements as before
        where before.bank_account = bank_statements.bank_account
          and before.currency = bank_statements.currency
          and (before.closing_on, before.id) < (bank_statements.closing_on, bank_statements.id)
          and before.closing_on <= ${starts_on}
          and before.closing_amount is not null
        order by before.closing_on desc, before.id desc
        limit 1) end as previous_amount`

/** Statements that continue no other one, with the one before them. */
export async function selectGaps(db: Queryable): Promise<ListedStatement[]> {
  // The first condition is repeated, so that it is one join for all statements.
  const rows = await db.rows<ListedStatement>(sql`
    select ${listed}
    from bank_statements
    where opening_amount is not null and not ${continues}
    order by bank_account, closing_on, id`)
  return rows.filter(({ previous_amount }) => previous_amount !== null)
}

const digests = sqlRows('bank_account text, digest bytea')

export async function selectStatementsByDigest(
  db: Queryable,
  keys: Pick<StatementRow, 'bank_account' | 'digest'>[],
): Promise<ListedStatement[]> {
  return db.rows(sql`
    select ${listed}
    from bank_statements
    where (bank_account, digest) in (
      select it.bank_account, it.digest from ${digests.from(keys)})`)
}

export async function selectStatements(db: Queryable, ids: string[]): Promise<ListedStatement[]> {
  return db.rows(sql`
    select ${listed}
    from bank_statements
    where id = any(${ids}::uuid[])`)
}

export async function selectStatementPage(
  db: Queryable,
  range: CursorRange,
): Promise<ListedStatement[]> {
  return db.rows(sql`
    select ${listed}
    from bank_statements
    where true
      ${idPageClause(range)}
    limit ${range.limit}`)
}

const newEntries = sqlRows(
  `id uuid, statement_id uuid, bank_account text, fingerprint text, occurrence integer,
  part integer, amount bigint, currency text, direction text, is_reversal boolean,
  is_complete boolean, booked_on text, value_on text, bank_reference text, description text,
  end_to_end_id text, payment_information_id text, creditor_reference text,
  counterparty_name text, counterparty_account text, remittance text, return_reason text,
  status text, next_at timestamptz, updated_at timestamptz`,
  ['bank_account', 'statement_id'],
)

/** The statements of the entries that were not stored before. */
export async function insertEntries(
  tx: Tx,
  rows: (EntryRow & { next_at: Date | null })[],
): Promise<{ statement_id: string }[]> {
  return tx.rows(sql`
    insert into bank_entries ${newEntries.insert(rows)}
    on conflict (bank_account, fingerprint, occurrence, part) do nothing
    returning statement_id`)
}

const entryKeys = sqlRows('bank_account text, fingerprint text, occurrence integer')

export type StoredPart = Pick<
  EntryRow,
  'id' | 'bank_account' | 'fingerprint' | 'occurrence' | 'part' | 'status'
>

/** What is stored of these entries of a statement. */
export async function selectStoredParts(
  tx: Tx,
  keys: Pick<EntryRow, 'bank_account' | 'fingerprint' | 'occurrence'>[],
): Promise<StoredPart[]> {
  return tx.rows(sql`
    select id, bank_account, fingerprint, occurrence, part, status
    from bank_entries
    where (bank_account, fingerprint, occurrence) in (
      select it.bank_account, it.fingerprint, it.occurrence from ${entryKeys.from(keys)})`)
}

/** False if the entry has been decided meanwhile. */
export async function ignoreUndecided(tx: Tx, id: string, note: string): Promise<boolean> {
  const changed = await tx.count(sql`
    update bank_entries
    set status = 'ignored', note = ${note}, next_at = null, updated_at = now()
    where id = ${id} and status in ('new', 'open')`)
  return changed === 1
}

const columns = sql`id, statement_id, bank_account, fingerprint, occurrence, part, amount, currency,
      direction, is_reversal, is_complete, booked_on, value_on, bank_reference, description,
      end_to_end_id, payment_information_id, creditor_reference, counterparty_name,
      counterparty_account, remittance, return_reason, status, reason, proposals, account_id,
      payment_id, accepts, late, note, target, settles, updated_at`

export async function selectEntries(db: Queryable, ids: string[]): Promise<EntryRow[]> {
  return db.rows(sql`
    select ${columns}
    from bank_entries
    where id = any(${ids}::uuid[])`)
}

export async function lockEntry(tx: Tx, id: string): Promise<EntryRow | undefined> {
  return tx.row(sql`
    select ${columns}
    from bank_entries
    where id = ${id}
    for update`)
}

interface EntryFilter {
  status?: EntryStatus | undefined
  statement_id?: string | undefined
  payment_id?: string | undefined
}

export async function selectEntryPage(
  db: Queryable,
  filter: EntryFilter,
  range: CursorRange,
): Promise<EntryRow[]> {
  return db.rows(sql`
    select ${columns}
    from bank_entries
    where true
      ${conditions(filter)}
      ${idPageClause(range)}
    limit ${range.limit}`)
}

function conditions({ status, statement_id, payment_id }: EntryFilter): Sql {
  return sql`${status === undefined ? nothing : sql`and status = ${status}`}
      ${statement_id === undefined ? nothing : sql`and statement_id = ${statement_id}`}
      ${payment_id === undefined ? nothing : sql`and payment_id = ${payment_id}`}`
}

/** Entries that the worker has to match or to settle. */
export async function selectDueEntries(db: Queryable, limit: number): Promise<EntryRow[]> {
  return db.rows(sql`
    select ${columns}
    from bank_entries
    where next_at <= now()
    order by next_at, id
    limit ${limit}`)
}

/** What the matching or a person has decided. */
export type EntryChange = Partial<
  Pick<
    EntryRow,
    | 'reason'
    | 'proposals'
    | 'account_id'
    | 'payment_id'
    | 'accepts'
    | 'late'
    | 'note'
    | 'target'
    | 'settles'
  >
> & { status: EntryStatus }

/** The changed entry. Undefined if another transaction has changed the status meanwhile. */
export async function updateEntry(
  db: Queryable,
  before: EntryRow,
  change: EntryChange,
): Promise<EntryRow | undefined> {
  const row = { ...before, ...change }
  // Citus rejects now() in CASE. The product with null is null.
  const wait_ms = row.status === 'new' || row.status === 'settling' ? 0 : null
  const changed = await db.row<Pick<EntryRow, 'updated_at'>>(sql`
    update bank_entries
    set status = ${row.status}, reason = ${row.reason}, proposals = ${row.proposals},
      account_id = ${row.account_id}, payment_id = ${row.payment_id}, accepts = ${row.accepts},
      late = ${row.late}, note = ${row.note}, target = ${row.target}, settles = ${row.settles},
      updated_at = now(), next_at = now() + ${wait_ms} * interval '1 millisecond'
    where id = ${row.id} and status = ${before.status}
      and payment_id is not distinct from ${before.payment_id}
      and target is not distinct from ${before.target}
    returning updated_at`)
  return changed && { ...row, ...changed }
}

export async function postponeEntry(db: Queryable, id: string, wait_ms: number): Promise<void> {
  await db.count(sql`
    update bank_entries
    set next_at = now() + ${wait_ms} * interval '1 millisecond'
    where id = ${id} and next_at is not null`)
}

export interface PayingEntry {
  account_id: string
  id: string
  amount: number
  status: 'settling' | 'settled'
}

/** The entries that pay requests of these accounts. */
export async function selectPayingEntries(
  db: Queryable,
  range: AccountRange,
): Promise<PayingEntry[]> {
  return db.rows(sql`
    select account_id, id, amount, status
    from bank_entries
    where status in ('settling', 'settled')
      and account_id > ${range.after} and account_id <= ${range.through}`)
}

export interface ColumnMapRow {
  name: string
  /** JSON. */
  column_map: string
  updated_at: Date
}

export async function selectColumnMaps(db: Queryable): Promise<ColumnMapRow[]> {
  return db.rows(sql`
    select name, column_map, updated_at
    from bank_column_maps
    order by name`)
}

export async function upsertColumnMap(
  tx: Tx,
  { name, column_map, updated_at }: ColumnMapRow,
): Promise<void> {
  await tx.count(sql`
    insert into bank_column_maps (name, column_map, updated_at)
    values (${name}, ${column_map}, ${updated_at})
    on conflict (name) do update
    set column_map = excluded.column_map, updated_at = excluded.updated_at`)
}

export async function deleteColumnMap(tx: Tx, name: string): Promise<boolean> {
  return (await tx.count(sql`delete from bank_column_maps where name = ${name}`)) === 1
}
