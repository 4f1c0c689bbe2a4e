import type { DueRowKey, DueSearch } from '../jobs/due-work.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { selectDueRows } from '../postgres/due-rows.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { OldRows } from '../postgres/sweep.ts'
import { type AccountRow, type AccountType, searchText } from './account.ts'

const columns = sql`id, owner_id, type, status, email, name, currency, timezone, language,
      updated_at, closed_at`

/** With the time of its first weekly summary. */
type NewAccountRow = AccountRow & { summary_due_at: Date }

export async function insertAccount(tx: Tx, account: NewAccountRow): Promise<void> {
  await tx.count(sql`
    insert into accounts (id, owner_id, type, status, email, name, currency, timezone, language,
      search, updated_at, summary_due_at)
    values (${account.id}, ${account.owner_id}, ${account.type}, ${account.status},
      ${account.email}, ${account.name}, ${account.currency}, ${account.timezone},
      ${account.language}, ${searchText(account)}, ${account.updated_at},
      ${account.summary_due_at})`)
}

export async function selectAccounts(db: Queryable, ids: string[]): Promise<AccountRow[]> {
  return db.rows(sql`
    select id, owner_id, type, status, email, name, currency, timezone, language, updated_at,
      closed_at
    from accounts
    where id = any(${ids}::uuid[])`)
}

export interface AccountFilter {
  status?: string | undefined
  type?: AccountType | undefined
  /** A range of creation times is a range of ids. */
  first_id?: string | undefined
  last_id?: string | undefined
  /** Already folded and escaped for LIKE. */
  like?: string | undefined
}

export async function selectAccountPage(
  db: Queryable,
  filter: AccountFilter,
  page: { offset: number; limit: number },
): Promise<AccountRow[]> {
  if (filter.like !== undefined) return searchAccounts(db, filter, page)
  return db.rows(sql`
    select ${columns}
    from accounts
    where true
      ${conditions(filter)}
    order by id
    limit ${page.limit}
    offset ${page.offset}`)
}

// Materialized, because the planner would otherwise scan the primary key (see users/queries.ts).
async function searchAccounts(
  db: Queryable,
  filter: AccountFilter,
  page: { offset: number; limit: number },
): Promise<AccountRow[]> {
  return db.rows(sql`
    with matching as materialized (
      select id
      from accounts
      where true
        ${conditions(filter)}
    )
    select ${columns}
    from accounts
    where id in (
      select id
      from matching
      order by id
      limit ${page.limit}
      offset ${page.offset}
    )
    order by id`)
}

/** How many accounts were created in each range of ids. */
export async function countNewAccounts(
  db: Queryable,
  ranges: { first_id: string; last_id: string }[],
): Promise<number[]> {
  const rows = await db.rows<{ n: number; created: number }>(sql`
    select it.n, count(*) as created
    from unnest(
      ${ranges.map(({ first_id }) => first_id)}::uuid[],
      ${ranges.map(({ last_id }) => last_id)}::uuid[]) with ordinality as it (first_id, last_id, n)
    join accounts on accounts.id between it.first_id and it.last_id
    group by it.n`)
  const created_in = new Map(rows.map(({ n, created }) => [n, created]))
  return ranges.map((_, at) => created_in.get(at + 1) ?? 0)
}

export async function selectNewestAccounts(db: Queryable, limit: number): Promise<AccountRow[]> {
  return db.rows(sql`
    select ${columns}
    from accounts
    order by id desc
    limit ${limit}`)
}

export async function countAccounts(db: Queryable, filter: AccountFilter): Promise<number> {
  const found = await db.row<{ n: number }>(sql`
    select count(*) as n
    from accounts
    where true
      ${conditions(filter)}`)
  return found!.n
}

function conditions(filter: AccountFilter): Sql {
  const { status, type, first_id, last_id, like } = filter
  return sql`${like === undefined ? nothing : sql`and search like ${like}`}
      ${status === undefined ? nothing : sql`and status = ${status}`}
      ${type === undefined ? nothing : sql`and type = ${type}`}
      ${first_id === undefined ? nothing : sql`and id >= ${first_id}`}
      ${last_id === undefined ? nothing : sql`and id <= ${last_id}`}`
}

export async function updateAccountRow(tx: Tx, account: AccountRow): Promise<void> {
  await tx.count(sql`
    update accounts
    set status = ${account.status}, email = ${account.email}, name = ${account.name},
      currency = ${account.currency}, timezone = ${account.timezone},
      language = ${account.language}, search = ${searchText(account)},
      updated_at = ${account.updated_at}, closed_at = ${account.closed_at}
    where id = ${account.id}`)
}

const newRows = sqlRows(`
  id uuid, owner_id uuid, type text, status text, email text, name text, currency text,
  timezone text, language text, search text, updated_at timestamptz,
  summary_due_at timestamptz`)

export function sendNewAccounts(tx: Tx, accounts: NewAccountRow[]): void {
  const rows = accounts.map((account) => ({ ...account, search: searchText(account) }))
  tx.send(sql`insert into accounts ${newRows.insert(rows)}`)
}

export type AccountFacts = Pick<AccountRow, 'id' | 'owner_id' | 'status' | 'email' | 'currency'>

export async function selectAccountFacts(
  db: Queryable,
  range: AccountRange,
): Promise<AccountFacts[]> {
  return db.rows(sql`
    select id, owner_id, status, email, currency
    from accounts
    where id > ${range.after} and id <= ${range.through}`)
}

export async function countByStatusAndType(
  db: Queryable,
): Promise<{ status: string; type: string; n: number }[]> {
  return db.rows(sql`
    select status, type, count(*) as n
    from accounts
    group by status, type`)
}

interface EmailChange {
  account_id: string
  email: string
  token_hash: Buffer
  password_fingerprint: Buffer
  expires_at: Date
}

export async function upsertEmailChange(tx: Tx, change: EmailChange): Promise<void> {
  await tx.count(sql`
    insert into email_changes (account_id, email, token_hash, password_fingerprint, expires_at)
    values (${change.account_id}, ${change.email}, ${change.token_hash},
      ${change.password_fingerprint}, ${change.expires_at})
    on conflict (account_id) do update
    set email = excluded.email, token_hash = excluded.token_hash,
      password_fingerprint = excluded.password_fingerprint, expires_at = excluded.expires_at`)
}

export async function selectEmailChange(
  db: Queryable,
  token_hash: Buffer,
  at: Date,
): Promise<EmailChange | undefined> {
  return db.row(sql`
    select account_id, email, token_hash, password_fingerprint, expires_at
    from email_changes
    where token_hash = ${token_hash} and expires_at > ${at}`)
}

export async function deleteEmailChange(tx: Tx, account_id: string): Promise<void> {
  await tx.count(sql`
    delete from email_changes
    where account_id = ${account_id}`)
}

export const old_email_changes: OldRows = {
  rows: sql`from email_changes where expires_at < now()`,
  key: sql`account_id`,
  oldest_first: sql`expires_at`,
  is_sharded: true,
}

export async function selectReturnOrigins(
  db: Queryable,
  account_ids: string[],
): Promise<{ account_id: string; origin: string }[]> {
  return db.rows(sql`
    select account_id, origin
    from return_origins
    where account_id = any(${account_ids}::uuid[])
    order by account_id, origin`)
}

export async function insertReturnOrigin(
  tx: Tx,
  account_id: string,
  origin: string,
): Promise<void> {
  await tx.count(sql`
    insert into return_origins (account_id, origin)
    values (${account_id}, ${origin})`)
}

/** Returns the number of deleted rows: one or zero. */
export async function deleteReturnOrigin(
  tx: Tx,
  account_id: string,
  origin: string,
): Promise<number> {
  return tx.count(sql`
    delete from return_origins
    where account_id = ${account_id} and origin = ${origin}`)
}

const due_summaries = {
  columns: sql`account_id, id`,
  source: sql`from (
        select id, id as account_id, summary_due_at
        from accounts
        where status <> 'closed') as due_accounts
      where true`,
  at: sql`summary_due_at`,
}

export function selectDueSummaries(db: Queryable, due: DueSearch): Promise<DueRowKey[]> {
  return selectDueRows(db, due_summaries, due)
}

export async function selectSummaryDue(
  db: Queryable,
  account_id: string,
): Promise<Date | undefined> {
  const found = await db.row<{ summary_due_at: Date }>(sql`
    select summary_due_at
    from accounts
    where id = ${account_id}`)
  return found?.summary_due_at
}

export async function updateSummaryDue(tx: Tx, account_id: string, due_at: Date): Promise<void> {
  await tx.count(sql`
    update accounts
    set summary_due_at = ${due_at}
    where id = ${account_id}`)
}
