import type { Queryable, Tx } from '../postgres/database.ts'
import { sequencePageClause } from '../postgres/page-clause.ts'
import { sql } from '../postgres/sql.ts'
import { accountsOf, sqlRows } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import { nil_uuid } from '../primitives/ids.ts'
import type { AccountLock, AccountStatus } from './lock-row.ts'
import type { Posting } from './post.ts'
import { type Bucket, effectOn, type Movement, movements, ofTransactions } from './posting-rules.ts'

export async function insertBalance(
  tx: Tx,
  balance: { account_id: string; currency: string; at: Date },
): Promise<void> {
  await tx.count(sql`
    insert into balances (account_id, currency, status, available, incoming, held, owed,
      posting_sequence, event_sequence, last_transaction_id, last_at)
    values (${balance.account_id}, ${balance.currency}, 'active', 0, 0, 0, 0, 0, 0,
      ${nil_uuid}, ${balance.at})`)
}

// Reads balances only: a statement's snapshot is older than the lock it waited for, so columns of a
// joined table could be stale while the locked row is current.
export async function selectBalanceForUpdate(
  tx: Queryable,
  account_id: string,
): Promise<AccountLock | undefined> {
  return tx.row(sql`
    select account_id, currency, status, available, incoming, held, owed, posting_sequence,
      event_sequence, last_transaction_id, last_at, metadata_day, metadata_day_bytes,
      open_subscriptions
    from balances
    where account_id = ${account_id}
    for update`)
}

// Locks in id order: without an order, 600 concurrent batches caused 163 deadlocks.
export async function selectBalancesForUpdate(
  tx: Tx,
  account_ids: string[],
): Promise<AccountLock[]> {
  return tx.rows(sql`
    select account_id, currency, status, available, incoming, held, owed, posting_sequence,
      event_sequence, last_transaction_id, last_at, metadata_day, metadata_day_bytes,
      open_subscriptions
    from balances
    where account_id = any(${account_ids}::uuid[])
    order by account_id
    for update`)
}

// Needs no lock order: a statement that never waits cannot deadlock. The column list is repeated
// because statements with nested fragments are not prepared; they are planned on every call.
export async function selectBalancesSkipLocked(
  tx: Tx,
  account_ids: string[],
): Promise<AccountLock[]> {
  return tx.rows(sql`
    select account_id, currency, status, available, incoming, held, owed, posting_sequence,
      event_sequence, last_transaction_id, last_at, metadata_day, metadata_day_bytes,
      open_subscriptions
    from balances
    where account_id = any(${account_ids}::uuid[])
    for update skip locked`)
}

const changedBalances = sqlRows(
  `account_id uuid, available bigint, incoming bigint, held bigint, owed bigint,
  posting_sequence bigint, event_sequence bigint, last_transaction_id uuid, last_at timestamptz,
  metadata_day integer, metadata_day_bytes bigint, open_subscriptions integer`,
  ['owed', 'last_at', 'metadata_day', 'metadata_day_bytes', 'open_subscriptions'],
)

export function sendBalances(tx: Tx, locks: AccountLock[]): void {
  tx.send(sql`
    update balances
    set available = it.available, incoming = it.incoming, held = it.held,
      owed = it.owed, posting_sequence = it.posting_sequence, event_sequence = it.event_sequence,
      last_transaction_id = it.last_transaction_id, last_at = it.last_at,
      metadata_day = it.metadata_day, metadata_day_bytes = it.metadata_day_bytes,
      open_subscriptions = it.open_subscriptions
    from ${changedBalances.from(locks)}
    where balances.account_id = it.account_id
      and balances.account_id = any(${accountsOf(locks)}::uuid[])`)
}

const newPostings = sqlRows(
  `account_id uuid, sequence bigint, transaction_id uuid, movement text, amount bigint,
  available_after bigint, at timestamptz`,
  ['movement', 'at'],
)

export function sendPostings(tx: Tx, postings: Posting[]): void {
  tx.send(sql`insert into postings ${newPostings.insertByAccount(postings, tx)}`)
}

export async function updateBalanceStatus(
  tx: Tx,
  account_id: string,
  row: { status: AccountStatus; currency: string; last_at: Date },
): Promise<void> {
  await tx.count(sql`
    update balances
    set status = ${row.status}, currency = ${row.currency}, last_at = ${row.last_at}
    where account_id = ${account_id}`)
}

export async function advanceEventSequence(tx: Tx, account_id: string, at: Date): Promise<number> {
  const row = await tx.row<{ event_sequence: number }>(sql`
    update balances
    set event_sequence = event_sequence + 1, last_at = ${at}
    where account_id = ${account_id}
    returning event_sequence`)
  return row!.event_sequence
}

export async function selectBalanceExists(db: Queryable, account_id: string): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from balances
    where account_id = ${account_id}`)
  return found !== undefined
}

export async function selectExistingAccountIds(
  db: Queryable,
  account_ids: string[],
): Promise<{ account_id: string }[]> {
  return db.rows(sql`
    select account_id
    from balances
    where account_id = any(${account_ids}::uuid[])`)
}

export interface EventEnd {
  status: AccountLock['status']
  event_sequence: number
}

export async function selectEventEnd(
  db: Queryable,
  account_id: string,
): Promise<EventEnd | undefined> {
  return db.row(sql`
    select status, event_sequence
    from balances
    where account_id = ${account_id}`)
}

export async function selectEventSequences(
  db: Queryable,
  account_ids: string[],
): Promise<{ account_id: string; event_sequence: number }[]> {
  return db.rows(sql`
    select account_id, event_sequence
    from balances
    where account_id = any(${account_ids}::uuid[])`)
}

export interface BalanceRow {
  account_id: string
  currency: string
  status: AccountStatus
  last_at: Date
  available: number
  incoming: number
  held: number
  owed: number
  /** The time of the last posting; null when there is none. */
  moved_at: Date | null
}

export async function selectBalances(db: Queryable, account_ids: string[]): Promise<BalanceRow[]> {
  return db.rows(sql`
    select balances.account_id, currency, status, last_at, available, incoming, held, owed,
      postings.at as moved_at
    from balances
    left join postings
      on postings.account_id = balances.account_id and postings.sequence = posting_sequence
    where balances.account_id = any(${account_ids}::uuid[])`)
}

export type AccountState = Pick<AccountLock, 'account_id' | 'status' | 'currency'>

export async function selectAccountStates(
  db: Queryable,
  account_ids: string[],
): Promise<AccountState[]> {
  return db.rows(sql`
    select account_id, status, currency
    from balances
    where account_id = any(${account_ids}::uuid[])`)
}

type LedgerState = Pick<AccountLock, 'posting_sequence' | 'status' | 'incoming' | 'held'>

/** The posting count and the pending amounts; undefined when the account has no balance row. */
export async function selectLedgerState(
  db: Queryable,
  account_id: string,
): Promise<LedgerState | undefined> {
  return db.row(sql`
    select posting_sequence, status, incoming, held
    from balances
    where account_id = ${account_id}`)
}

// Binary search by time: within an account, times never decrease and sequences have no gaps. Takes
// twenty primary-key lookups for a million postings. A filter on the time would scan them all, and
// an index on it would cost forty bytes for every posting.
export async function selectLastSequenceBefore(
  db: Queryable,
  account_id: string,
  at: Date,
): Promise<number | undefined> {
  const found = await db.row<{ sequence: number }>(sql`
    with recursive halved (low, high) as (
      select 0::bigint, posting_sequence
      from balances
      where account_id = ${account_id}
      union all
      select
        case when middle.at < ${at} then middle.sequence else low end,
        case when middle.at < ${at} then high else middle.sequence - 1 end
      from halved
      join lateral (
        select sequence, at
        from postings
        where account_id = ${account_id} and sequence = (low + high + 1) / 2
      ) as middle on true
      where low < high
    )
    select low as sequence
    from halved
    where low = high`)
  return found?.sequence
}

interface PostingRange extends CursorRange {
  account_id: string
  /** Inclusive. */
  first: number
  last: number
}

export type StatementPosting = Omit<Posting, 'account_id'>

// The list of movements must match the predicate of the partial index postings_on_statement.
export async function selectStatementPostings(
  db: Queryable,
  range: PostingRange,
): Promise<StatementPosting[]> {
  return db.rows(sql`
    select sequence, transaction_id, movement, amount, available_after, at
    from postings
    where account_id = ${range.account_id}
      and sequence between ${range.first} and ${range.last}
      and movement not in ('arrive', 'return', 'pay_out', 'payout_pay')
      ${sequencePageClause(range)}
    limit ${range.limit}`)
}

const newBalances = sqlRows(`
  account_id uuid, currency text, status text, available bigint, incoming bigint, held bigint,
  owed bigint, posting_sequence bigint, event_sequence bigint, last_transaction_id uuid,
  last_at timestamptz, metadata_day integer, metadata_day_bytes bigint, open_subscriptions integer`)

/** Inserts complete rows for accounts that are new in this transaction. */
export function sendNewBalances(tx: Tx, locks: AccountLock[]): void {
  tx.send(sql`insert into balances ${newBalances.insert(locks)}`)
}

/** The postings of a transaction's status changes within the sequence ranges, oldest first. */
export async function selectPostingsOf(
  db: Queryable,
  transaction: { account_id: string; transaction_id: string },
  ranges: { first: number; last: number }[],
): Promise<StatementPosting[]> {
  return db.rows(sql`
    select posting.sequence, transaction_id, movement, amount, available_after, at
    from unnest(
      ${ranges.map(({ first }) => first)}::bigint[],
      ${ranges.map(({ last }) => last)}::bigint[]) as it (first, last)
    cross join lateral (
      select sequence, transaction_id, movement, amount, available_after, at
      from postings
      where account_id = ${transaction.account_id}
        and sequence between it.first and it.last
        and transaction_id = ${transaction.transaction_id}
        and movement = any(${ofTransactions}::text[])) as posting
    order by posting.sequence`)
}

/** Every posting of the range, oldest first. */
export async function selectPostings(
  db: Queryable,
  range: { account_id: string; first: number; last: number; limit: number },
): Promise<StatementPosting[]> {
  return db.rows(sql`
    select sequence, transaction_id, movement, amount, available_after, at
    from postings
    where account_id = ${range.account_id}
      and sequence between ${range.first} and ${range.last}
    order by sequence
    limit ${range.limit}`)
}

/** Balances of the buckets within an account. A debt is a negative `owed`. */
export type BucketBalances = Record<Exclude<Bucket, 'external'>, number>

const allMovements = Object.keys(movements) as Movement[]

/** What the postings of the range change. A sum per movement could exceed what is exact. */
export async function sumPostings(
  db: Queryable,
  range: { account_id: string; first: number; last: number },
): Promise<BucketBalances> {
  const effects = (bucket: Bucket) => allMovements.map((movement) => effectOn(bucket, movement))
  const summed = await db.row<BucketBalances>(sql`
    select coalesce(sum(amount * effect.available), 0)::bigint as available,
      coalesce(sum(amount * effect.incoming), 0)::bigint as incoming,
      coalesce(sum(amount * effect.held), 0)::bigint as held,
      coalesce(sum(amount * effect.owed), 0)::bigint as owed
    from postings
    join unnest(${allMovements}::text[], ${effects('available')}::integer[],
        ${effects('incoming')}::integer[], ${effects('held')}::integer[],
        ${effects('owed')}::integer[]) as effect (name, available, incoming, held, owed)
      on effect.name = movement
    where account_id = ${range.account_id}
      and sequence between ${range.first} and ${range.last}`)
  return summed!
}

/** The balances now, and the number of the last posting. */
export async function selectBucketBalances(
  db: Queryable,
  account_id: string,
): Promise<(BucketBalances & { posting_sequence: number }) | undefined> {
  return db.row(sql`
    select posting_sequence, available, incoming, held, -owed as owed
    from balances
    where account_id = ${account_id}`)
}
