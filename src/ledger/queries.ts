import { column, timeColumn, timeOf } from '../postgres/column.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { fingerprint, timeOfId } from '../postgres/fingerprint.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { AccountRange } from '../primitives/difference.ts'
import { toIso } from '../primitives/time.ts'
import type { AccountLock, AccountStatus } from './lock-row.ts'
import type { Posting } from './post.ts'
import type { Movement, Place } from './posting-rules.ts'

export async function insertBalance(
  tx: Tx,
  balance: { account_id: string; currency: string; at: Date },
): Promise<void> {
  await tx.count(sql`
    insert into balances (account_id, currency, status, available, incoming, held,
      posting_sequence, event_sequence, last_transaction_id, last_at)
    values (${balance.account_id}, ${balance.currency}, 'active', 0, 0, 0, 0, 0,
      '00000000-0000-0000-0000-000000000000', ${balance.at})`)
}

// Reads balances only: a statement's snapshot is older than the lock it waited for, so a joined
// column could be stale while the locked row is not.
export async function lockBalance(tx: Tx, account_id: string): Promise<AccountLock | undefined> {
  return tx.row(sql`
    select account_id, currency, status, available, incoming, held, posting_sequence,
      event_sequence, last_transaction_id, last_at
    from balances
    where account_id = ${account_id}
    for update`)
}

// In one order for everyone: an unordered lock over many rows gave 163 deadlocks in 600 batches.
export async function lockBalances(tx: Tx, account_ids: string[]): Promise<AccountLock[]> {
  return tx.rows(sql`
    select account_id, currency, status, available, incoming, held, posting_sequence,
      event_sequence, last_transaction_id, last_at
    from balances
    where account_id = any(${account_ids}::uuid[])
    order by account_id
    for update`)
}

export function sendBalances(tx: Tx, locks: AccountLock[]): void {
  tx.send(sql`
    update balances
    set available = it.available, incoming = it.incoming, held = it.held,
      posting_sequence = it.posting_sequence, event_sequence = it.event_sequence,
      last_transaction_id = it.last_transaction_id, last_at = it.last_at
    from json_to_recordset(${JSON.stringify(locks)}) as it (
      account_id uuid, available bigint, incoming bigint, held bigint, posting_sequence bigint,
      event_sequence bigint, last_transaction_id uuid, last_at timestamptz)
    where balances.account_id = it.account_id`)
}

export function sendPostings(tx: Tx, postings: Posting[]): void {
  tx.send(sql`
    insert into postings (account_id, sequence, transaction_id, movement, amount,
      available_after, at)
    select account_id, sequence, transaction_id, movement, amount, available_after, at
    from json_to_recordset(${records(postings)}) as it (
      account_id uuid, sequence bigint, transaction_id uuid, movement text, amount bigint,
      available_after bigint, at timestamptz)`)
}

export async function updateStanding(
  tx: Tx,
  account_id: string,
  standing: { status: AccountStatus; currency: string },
): Promise<void> {
  await tx.count(sql`
    update balances
    set status = ${standing.status}, currency = ${standing.currency}
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

// Written by hand: it is done for every posting, and JSON.stringify took three times as long.
function records(postings: Posting[]): string {
  return `[${postings.map(record).join(',')}]`
}

function record(posting: Posting): string {
  return (
    `{"account_id":"${posting.account_id}","sequence":${posting.sequence}` +
    `,"transaction_id":"${posting.transaction_id}","movement":"${posting.movement}"` +
    `,"amount":${posting.amount},"available_after":${posting.available_after}` +
    `,"at":"${toIso(posting.at)}"}`
  )
}

export async function selectBalanceExists(db: Queryable, account_id: string): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from balances
    where account_id = ${account_id}`)
  return found !== undefined
}

export interface BalanceRow {
  account_id: string
  currency: string
  available: number
  incoming: number
  held: number
  /** When money last moved; null when it never has. */
  moved_at: Date | null
}

export async function selectBalances(db: Queryable, account_ids: string[]): Promise<BalanceRow[]> {
  return db.rows(sql`
    select balances.account_id, currency, available, incoming, held, postings.at as moved_at
    from balances
    left join postings
      on postings.account_id = balances.account_id and postings.sequence = posting_sequence
    where balances.account_id = any(${account_ids}::uuid[])`)
}

/** How many postings the account has; undefined when it has no books. */
export async function selectPostingSequence(
  db: Queryable,
  account_id: string,
): Promise<number | undefined> {
  const found = await db.row<{ posting_sequence: number }>(sql`
    select posting_sequence
    from balances
    where account_id = ${account_id}`)
  return found?.posting_sequence
}

// Times never run back within an account and sequences have no gaps, so halving the range finds a
// time by its sequence: twenty look-ups by primary key among a million postings, where a filter on
// the time alone walked them all, and an index on it would cost every posting forty bytes.
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

export interface PostingRange extends CursorRange {
  account_id: string
  /** Inclusive. */
  first: number
  last: number
}

export type StatementPosting = Omit<Posting, 'account_id'>

export async function selectStatementPostings(
  db: Queryable,
  range: PostingRange,
  movements: Movement[],
): Promise<StatementPosting[]> {
  const edge =
    range.after !== null
      ? sql`and sequence > ${range.after} order by sequence`
      : range.before !== null
        ? sql`and sequence < ${range.before} order by sequence desc`
        : sql`order by sequence desc`
  return db.rows(sql`
    select sequence, transaction_id, movement, amount, available_after, at
    from postings
    where account_id = ${range.account_id}
      and sequence between ${range.first} and ${range.last}
      and movement = any(${movements})
      ${edge}
    limit ${range.limit}`)
}

/** Whole rows at once, for books that nobody has seen yet. */
export function sendNewBalances(tx: Tx, locks: AccountLock[]): void {
  tx.send(sql`
    insert into balances (account_id, currency, status, available, incoming, held,
      posting_sequence, event_sequence, last_transaction_id, last_at)
    select account_id, currency, status, available, incoming, held, posting_sequence,
      event_sequence, last_transaction_id, last_at
    from json_to_recordset(${JSON.stringify(locks)}) as it (
      account_id uuid, currency text, status text, available bigint, incoming bigint, held bigint,
      posting_sequence bigint, event_sequence bigint, last_transaction_id uuid,
      last_at timestamptz)`)
}

export function sendManyPostings(tx: Tx, postings: Posting[]): void {
  tx.send(sql`
    insert into postings (account_id, sequence, transaction_id, movement, amount,
      available_after, at)
    select account_id, sequence, transaction_id, movement, amount, available_after,
      ${timeOf(sql`at_ms`)}
    from unnest(
      ${column(postings.map((posting) => posting.account_id))}::uuid[],
      ${column(postings.map((posting) => posting.sequence))}::bigint[],
      ${column(postings.map((posting) => posting.transaction_id))}::uuid[],
      ${column(postings.map((posting) => posting.movement))},
      ${column(postings.map((posting) => posting.amount))}::bigint[],
      ${column(postings.map((posting) => posting.available_after))}::bigint[],
      ${timeColumn(postings.map((posting) => posting.at))}) as it (
        account_id, sequence, transaction_id, movement, amount, available_after, at_ms)`)
}

/** The next accounts, in the order of their ids, for whoever looks at all of them. */
export async function selectLocksAfter(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<AccountLock[]> {
  return db.rows(sql`
    select account_id, currency, status, available, incoming, held, posting_sequence,
      event_sequence, last_transaction_id, last_at
    from balances
    where account_id > ${account_id}
    order by account_id
    limit ${limit}`)
}

export async function sumPostingSequences(db: Queryable): Promise<number> {
  const found = await db.row<{ postings: number }>(sql`
    select coalesce(sum(posting_sequence), 0)::bigint as postings
    from balances`)
  return found!.postings
}

/** What a movement does to each place, and whether a transaction begins with it. */
export interface MovementEffect extends Record<Place, 1 | -1 | 0> {
  movement: Movement
  begins: boolean
}

export interface PostingFacts extends Record<Place, number> {
  account_id: string
  postings: number
  last_sequence: number
  last_at: Date
  fingerprint: string
  lowest_incoming: number
  lowest_available: number
  lowest_held: number
  /** How many disagree with the posting before them, or with their transaction's id. */
  broken: number
}

// Each posting beside the one before it. In the order of the primary key, so nothing is kept: a
// million postings of one account need no more memory than ten.
const lines = (which: Sql, effects: MovementEffect[]) => sql`
    with effect as (
      select *
      from json_to_recordset(${JSON.stringify(effects)}) as it (
        movement text, begins boolean, external int, incoming int, available int, held int)
    ),
    line as (
      select account_id, sequence, transaction_id, movement, amount, available_after, at,
        begins, external, incoming, available, held,
        lag(sequence, 1, 0::bigint) over account + 1 as sequence_expected,
        lag(available_after, 1, 0::bigint) over account + available * amount
          as available_expected,
        sum(incoming * amount) over account as incoming_after,
        sum(held * amount) over account as held_after,
        lag(at, 1, '-infinity') over account as at_before,
        ${timeOfId(sql`transaction_id`)} as began_at
      from postings
      join effect using (movement)
      where ${which}
      window account as (partition by account_id order by sequence)
    )`

const broken = sql`(sequence <> sequence_expected
        or available_after <> available_expected
        or at < at_before
        or at < began_at
        or (begins and at <> began_at))`

export async function selectPostingFacts(
  db: Queryable,
  range: AccountRange,
  effects: MovementEffect[],
): Promise<PostingFacts[]> {
  const which = sql`account_id > ${range.after} and account_id <= ${range.through}`
  return db.rows(sql`
    ${lines(which, effects)}
    select account_id, count(*) as postings, max(sequence) as last_sequence, max(at) as last_at,
      sum(external * amount)::bigint as external, sum(incoming * amount)::bigint as incoming,
      sum(available * amount)::bigint as available, sum(held * amount)::bigint as held,
      sum(${fingerprint(sql`transaction_id`, sql`movement`, sql`amount`)})::text as fingerprint,
      min(incoming_after)::bigint as lowest_incoming, min(available_after) as lowest_available,
      min(held_after)::bigint as lowest_held,
      count(*) filter (where ${broken}) as broken
    from line
    group by account_id`)
}

export interface BrokenPosting {
  sequence: number
  sequence_expected: number
  available_after: number
  available_expected: number
  at: Date
  /** Null before the first. */
  at_before: Date | null
  /** When its transaction was created. */
  began_at: Date
  begins: boolean
}

export async function selectBrokenPostings(
  db: Queryable,
  account_id: string,
  effects: MovementEffect[],
  limit: number,
): Promise<BrokenPosting[]> {
  return db.rows(sql`
    ${lines(sql`account_id = ${account_id}`, effects)}
    select sequence, sequence_expected, available_after, available_expected, at,
      nullif(at_before, '-infinity') as at_before, began_at, begins
    from line
    where ${broken}
    order by sequence
    limit ${limit}`)
}

// The last two digits of an id are as good as random: 256 parts of about the same size.
const part = sql`right(transaction_id::text, 2)`

export async function selectPostingParts(
  db: Queryable,
  account_id: string,
): Promise<{ part: string; fingerprint: string }[]> {
  return db.rows(sql`
    select ${part} as part,
      sum(${fingerprint(sql`transaction_id`, sql`movement`, sql`amount`)})::text as fingerprint
    from postings
    where account_id = ${account_id}
    group by 1`)
}

export interface TransactionMovements {
  transaction_id: string
  /** In order, each with its amount. */
  movements: string[]
}

export async function selectMovementsOfPart(
  db: Queryable,
  account_id: string,
  of_part: string,
): Promise<TransactionMovements[]> {
  return db.rows(sql`
    select transaction_id, array_agg(movement || ' ' || amount order by sequence) as movements
    from postings
    where account_id = ${account_id} and ${part} = ${of_part}
    group by transaction_id`)
}
