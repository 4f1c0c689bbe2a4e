import { jsonColumn } from '../postgres/column.ts'
import { idEdge } from '../postgres/cursor-edge.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { nothing, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { KeptLetter, LetterState } from './kept-letter.ts'
import type { Letter } from './letter.ts'

// Whether it waits to be sent or is kept is for the database to say, for all processes alike.
export function sendNewLetters(tx: Tx, letters: Letter[], ids: string[]): void {
  tx.send(sql`
    insert into letters (account_id, cause, id, state, kind, recipient, content, next_at)
    select account_id, cause, id, case when leaves then 'queued' else 'kept' end, kind, recipient,
      content, case when leaves then now() end
    from unnest(
      ${letters.map((letter) => letter.account_id)}::uuid[],
      ${letters.map((letter) => letter.cause)}::text[],
      ${ids}::uuid[],
      ${letters.map((letter) => letter.kind)}::text[],
      ${letters.map((letter) => letter.to)}::text[],
      string_to_array(${jsonColumn(letters.map(contentOf))}, E'\\x1f', E'\\x1e')) as it (
        account_id, cause, id, kind, recipient, content)
    cross join mail_route
    on conflict (account_id, cause) do nothing`)
}

function contentOf({ language, timezone, facts }: Letter): string {
  return JSON.stringify({ language, timezone, facts })
}

export interface Writer {
  account_id: string
  /** Whether one of its letters is to go now; else it waits for another try, or is in hand. */
  is_due: boolean
}

/** The accounts that have letters waiting, in the order of their ids, behind this one. */
export async function selectWriters(
  db: Queryable,
  after: string,
  limit: number,
): Promise<Writer[]> {
  // From account to account in the index, however many letters each has; and not a step where
  // nothing at all is due, as in most looks.
  return db.rows(sql`
    with recursive writers as (
      (select account_id, next_at, 1 as place
      from letters
      where state = 'queued'
        and account_id > ${after}
        and exists (select 1 from letters where state = 'queued' and next_at <= now())
      order by account_id, next_at
      limit 1)
      union all
      select next.account_id, next.next_at, writers.place + 1
      from writers
      cross join lateral (
        select account_id, next_at
        from letters
        where state = 'queued' and account_id > writers.account_id
        order by account_id, next_at
        limit 1) as next
      where writers.place < ${limit}
    )
    select account_id, next_at <= now() as is_due
    from writers
    order by place`)
}

/** Taken by one worker at a time: others pass over what one has locked, and what it has leased. */
export async function claimDue(
  db: Queryable,
  lease: { id: string; for_ms: number },
  account_ids: string[],
  places: { each: number; all: number },
): Promise<KeptLetter[]> {
  return db.rows(sql`
    with due as materialized (
      select it.account_id, one.cause
      from unnest(${account_ids}::uuid[]) as it (account_id)
      cross join lateral (
        select cause
        from letters
        where letters.account_id = it.account_id and state = 'queued' and next_at <= now()
        order by next_at
        limit ${places.each}
        for update skip locked) as one
      limit ${places.all}
    )
    update letters
    set attempts = attempts + 1, lease_id = ${lease.id},
      next_at = now() + ${lease.for_ms} * interval '1 millisecond'
    from due
    where letters.account_id = due.account_id and letters.cause = due.cause
    returning letters.account_id, letters.cause, id, state, kind, recipient, content, attempts,
      sent_at, error`)
}

export interface LetterEnd {
  state: 'sent' | 'failed' | 'withheld'
  error: string | null
}

type LetterName = Pick<KeptLetter, 'account_id' | 'cause'>

// Only by whoever holds the lease: another that followed knows better.
export async function endLetter(
  db: Queryable,
  letter: LetterName,
  lease_id: string,
  end: LetterEnd,
): Promise<void> {
  await db.count(sql`
    update letters
    set state = ${end.state}, error = ${end.error}, next_at = null, lease_id = null,
      sent_at = case when ${end.state} = 'sent' then now() end
    where account_id = ${letter.account_id}
      and cause = ${letter.cause}
      and lease_id = ${lease_id}`)
}

export async function postponeLetter(
  db: Queryable,
  letter: LetterName,
  lease_id: string,
  { wait_ms, error }: { wait_ms: number; error: string },
): Promise<void> {
  await db.count(sql`
    update letters
    set error = ${error}, lease_id = null,
      next_at = now() + ${wait_ms} * interval '1 millisecond'
    where account_id = ${letter.account_id}
      and cause = ${letter.cause}
      and lease_id = ${lease_id}`)
}

/** Not tried: it waits, and is judged once more. False when it has waited for a day already. */
export async function holdLetter(
  db: Queryable,
  letter: LetterName,
  lease_id: string,
  { wait_ms, error }: { wait_ms: number; error: string },
): Promise<boolean> {
  const held = await db.count(sql`
    update letters
    set error = ${error}, lease_id = null, attempts = attempts - 1,
      held_since = coalesce(held_since, now()),
      next_at = now() + ${wait_ms} * interval '1 millisecond'
    where account_id = ${letter.account_id}
      and cause = ${letter.cause}
      and lease_id = ${lease_id}
      and (held_since is null or held_since > now() - interval '1 day')`)
  return held > 0
}

// Counts and adds in one statement under the row's lock. A key that is full adds nothing.
export async function countLetter(
  db: Queryable,
  key_hash: Buffer,
  limit: { hour_max: number; day_max: number },
): Promise<boolean> {
  const counted = await db.count(sql`
    insert into inbox_counts (key_hash, sent_at, kept_until)
    values (${key_hash}, array[now()], now() + interval '1 day')
    on conflict (key_hash) do update
    set sent_at = array(
        select moment
        from unnest(inbox_counts.sent_at) as moment
        where moment > now() - interval '1 day'
      ) || excluded.sent_at,
      kept_until = excluded.kept_until
    where (
        select count(*)
        from unnest(inbox_counts.sent_at) as moment
        where moment > now() - interval '1 day'
      ) < ${limit.day_max}
      and (
        select count(*)
        from unnest(inbox_counts.sent_at) as moment
        where moment > now() - interval '1 hour'
      ) < ${limit.hour_max}`)
  return counted > 0
}

/** Whether the account has been paid by the inbox within a year, under a hash of both. */
export async function selectIsKnown(tx: Tx, key_hash: Buffer): Promise<boolean> {
  const found = await tx.row(sql`
    select 1
    from inbox_counts
    where key_hash = ${key_hash} and kept_until > now()`)
  return found !== undefined
}

export async function insertKnown(tx: Tx, key_hash: Buffer): Promise<void> {
  await tx.count(sql`
    insert into inbox_counts (key_hash, sent_at, kept_until)
    values (${key_hash}, '{}', now() + interval '1 year')
    on conflict (key_hash) do update
    set kept_until = excluded.kept_until`)
}

// The keys as an array, here and below: a limit that is not known when the statement is planned
// seems to let a tenth of the table through, and a join with so many may read the whole table.
export async function deleteOldCounts(db: Queryable, limit: number): Promise<number> {
  return db.count(sql`
    delete from inbox_counts
    where key_hash = any(array(
        select key_hash
        from inbox_counts
        where kept_until < now()
        order by kept_until
        limit ${limit}))
      and kept_until < now()`)
}

/** Letters that have ended, older than this id. */
export async function deleteOldLetters(
  db: Queryable,
  before_id: string,
  limit: number,
): Promise<number> {
  return db.count(sql`
    delete from letters
    where id = any(array(
        select id
        from letters
        where id < ${before_id} and state <> 'queued'
        order by id
        limit ${limit}))
      and state <> 'queued'`)
}

export async function updateRoute(db: Queryable, leaves: boolean): Promise<void> {
  await db.count(sql`
    update mail_route
    set leaves = ${leaves}
    where leaves <> ${leaves}`)
}

export async function keepQueued(db: Queryable, limit: number): Promise<number> {
  return db.count(sql`
    update letters
    set state = 'kept', next_at = null, lease_id = null
    where id = any(array(
        select id
        from letters
        where state = 'queued'
        order by next_at
        limit ${limit}))
      and state = 'queued'`)
}

const columns = sql`account_id, cause, id, state, kind, recipient, content, attempts, sent_at,
      error`

export async function selectLetter(db: Queryable, id: string): Promise<KeptLetter | undefined> {
  return db.row(sql`
    select account_id, cause, id, state, kind, recipient, content, attempts, sent_at, error
    from letters
    where id = ${id}`)
}

export interface LetterFilter {
  account_id: string | undefined
  state: LetterState | undefined
  /** Already escaped for LIKE: addresses are compared without regard to case. */
  to: string | undefined
  causes?: string[] | undefined
  before_id: string | undefined
}

export async function selectLetterPage(
  db: Queryable,
  filter: LetterFilter,
  range: CursorRange,
): Promise<KeptLetter[]> {
  return db.rows(sql`
    select ${columns}
    from letters
    where true
      ${filter.state === undefined ? nothing : sql`and state = ${filter.state}`}
      ${filter.to === undefined ? nothing : sql`and recipient ilike ${filter.to}`}
      ${filter.causes === undefined ? nothing : sql`and cause = any(${filter.causes}::text[])`}
      ${filter.before_id === undefined ? nothing : sql`and id < ${filter.before_id}`}
      ${filter.account_id === undefined ? nothing : sql`and account_id = ${filter.account_id}`}
      ${idEdge(range)}
    limit ${range.limit}`)
}

/** Letters that wait, and how many of them are due, counted up to a limit. */
export async function countQueuedLetters(
  db: Queryable,
  limit: number,
): Promise<{ waiting: number; due: number }> {
  const counted = await db.row<{ waiting: number; due: number }>(sql`
    select count(*) as waiting, count(*) filter (where next_at <= now()) as due
    from (
      select next_at
      from letters
      where state = 'queued'
      order by next_at
      limit ${limit}) as queued`)
  return counted!
}
