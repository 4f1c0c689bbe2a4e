import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { fingerprint, timeOfId } from '../postgres/fingerprint.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import type { AccountLock } from './lock-row.ts'
import { type Bucket, type Movement, ofTransactions } from './posting-rules.ts'

/** The next page of accounts, in id order. */
export async function selectLocksAfter(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<AccountLock[]> {
  return db.rows(sql`
    select account_id, currency, status, available, incoming, held, owed, posting_sequence,
      event_sequence, last_transaction_id, last_at, metadata_day, metadata_day_bytes,
      open_subscriptions
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

/**
 * A movement's effect on each bucket, whether it is made by a transaction's change of status, and
 * whether it is the first of a transaction.
 */
export interface MovementEffect extends Record<Bucket, 1 | -1 | 0> {
  movement: Movement
  of_transaction: boolean
  begins: boolean
}

export interface PostingFacts extends Record<Bucket, number> {
  account_id: string
  postings: number
  last_sequence: number
  last_at: Date
  /** Of the postings of status changes. */
  fingerprint: string
  /** Of withdrawals and reinstatements; null without any. */
  dispute_fingerprint: string | null
  /** Of the postings of payouts; null without any. */
  payout_fingerprint: string | null
  /** The sum of all fees. */
  fees: number
  lowest_incoming: number
  lowest_available: number
  lowest_held: number
  /** The balance of the bucket, which a debt makes negative. */
  highest_owed: number
  /** How many postings contradict the previous one, or the time in their transaction's id. */
  broken: number
}

// unnest() is immutable, unlike json_to_recordset(): Citus can evaluate it on every shard.
function effectRows(effects: MovementEffect[]): Sql {
  const of = (bucket: Bucket) => sql`${effects.map((effect) => effect[bucket])}::int[]`
  return sql`unnest(${effects.map(({ movement }) => movement)}::text[],
        ${effects.map(({ of_transaction }) => of_transaction)}::boolean[],
        ${effects.map(({ begins }) => begins)}::boolean[], ${of('external')}, ${of('incoming')},
        ${of('available')}, ${of('held')}, ${of('owed')}) as it (
          movement, of_transaction, begins, external, incoming, available, held, owed)`
}

// Each posting next to the previous one. Reads in primary key order without sorting, so a million
// postings of one account need no more memory than ten.
const lines = (which: Sql, effects: MovementEffect[]) => sql`
    with line as (
      select account_id, sequence, transaction_id, movement, amount, available_after, at,
        of_transaction, begins, external, incoming, available, held, owed,
        lag(sequence, 1, 0::bigint) over account + 1 as sequence_expected,
        lag(available_after, 1, 0::bigint) over account + available * amount
          as available_expected,
        sum(incoming * amount) over account as incoming_after,
        sum(held * amount) over account as held_after,
        sum(owed * amount) over account as owed_after,
        lag(movement, 1, '') over account as movement_before,
        lag(transaction_id) over account as transaction_before,
        lag(at, 1, '-infinity') over account as at_before,
        ${timeOfId(sql`transaction_id`)} as began_at
      from postings
      join ${effectRows(effects)} using (movement)
      where ${which}
      window account as (partition by account_id order by sequence)
    )`

// Both are positive only between two postings: the next one spends what was lent, or repays.
const repaid_late = sql`(available_after > 0 and owed_after < 0
        and available_after - available * amount > 0 and owed_after - owed * amount < 0)`

const without_cause = sql`((movement = 'repay' or movement_before = 'overdraw')
        and transaction_id is distinct from transaction_before)`

const broken = sql`(sequence <> sequence_expected
        or available_after <> available_expected
        or at < at_before
        or at < began_at
        or (begins and at <> began_at)
        or ${repaid_late}
        or ${without_cause})`

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
      sum(owed * amount)::bigint as owed,
      (sum(${fingerprint(sql`transaction_id`, sql`movement`, sql`amount`)})
        filter (where of_transaction))::text as fingerprint,
      (sum(${fingerprint(sql`transaction_id`, sql`movement`, sql`amount`)})
        filter (where movement in ('withdraw', 'reinstate')))::text as dispute_fingerprint,
      (sum(${fingerprint(sql`transaction_id`, sql`movement`, sql`amount`)})
        filter (where starts_with(movement, 'payout_')))::text as payout_fingerprint,
      coalesce(sum(amount) filter (where movement = 'fee'), 0)::bigint as fees,
      min(incoming_after)::bigint as lowest_incoming, min(available_after) as lowest_available,
      min(held_after)::bigint as lowest_held, max(owed_after)::bigint as highest_owed,
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
  /** Null for the first posting. */
  at_before: Date | null
  /** When the transaction was created. */
  began_at: Date
  begins: boolean
  /** Money was available while the account owed some. */
  repaid_late: boolean
  /** An overdraw or a repayment that belongs to a different transaction than its cause. */
  without_cause: boolean
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
      nullif(at_before, '-infinity') as at_before, began_at, begins,
      ${repaid_late} as repaid_late, ${without_cause} as without_cause
    from line
    where ${broken}
    order by sequence
    limit ${limit}`)
}

// The last two digits of an id are random: 256 parts of about the same size.
const part = sql`right(transaction_id::text, 2)`

export async function selectPostingParts(
  db: Queryable,
  account_id: string,
): Promise<{ part: string; fingerprint: string }[]> {
  return db.rows(sql`
    select ${part} as part,
      sum(${fingerprint(sql`transaction_id`, sql`movement`, sql`amount`)})::text as fingerprint
    from postings
    where account_id = ${account_id} and movement = any(${ofTransactions}::text[])
    group by 1`)
}

export interface TransactionMovements {
  transaction_id: string
  /** In order, each with its amount, such as "settle 500". */
  movements: string[]
}

/** Withdrawals and reinstatements of an account, sorted by name and amount. */
export async function selectDisputeMovements(
  db: Queryable,
  account_id: string,
): Promise<TransactionMovements[]> {
  return db.rows(sql`
    select transaction_id,
      array_agg(movement || ' ' || amount order by movement, amount) as movements
    from postings
    where account_id = ${account_id} and movement in ('withdraw', 'reinstate')
    group by transaction_id`)
}

/** The movements of payouts, each with its amount, in order. */
export async function selectPayoutMovements(
  db: Queryable,
  account_id: string,
): Promise<TransactionMovements[]> {
  return db.rows(sql`
    select transaction_id, array_agg(movement || ' ' || amount order by sequence) as movements
    from postings
    where account_id = ${account_id} and starts_with(movement, 'payout_')
    group by transaction_id`)
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
      and movement = any(${ofTransactions}::text[])
    group by transaction_id`)
}
