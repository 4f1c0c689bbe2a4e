import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { mentions, type ReplacedTable, replaced } from '../postgres/replace-text.ts'
import { countRows } from '../postgres/search.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, sqlRows } from '../postgres/sql-rows.ts'
import type { OldAccountRows } from '../postgres/sweep.ts'
import type { EventRow, NumberedEvent } from './event.ts'

export async function insertEvent(tx: Tx, event: NumberedEvent): Promise<void> {
  await tx.count(sql`
    insert into events (account_id, sequence, id, type, object_id, at, data)
    values (${event.account_id}, ${event.sequence}, ${event.id}, ${event.type},
      ${event.object_id}, ${event.at}, ${event.data})`)
}

const newEvents = sqlRows(
  `account_id uuid, sequence bigint, id uuid, type text, object_id uuid, at timestamptz,
  data text`,
  ['type', 'at'],
)

export function sendEvents(tx: Tx, events: NumberedEvent[]): void {
  tx.send(sql`insert into events ${newEvents.insertByAccount(events, tx)}`)
}

const shown = sql`account_id, sequence, id, type, at, data`

interface EventPage {
  account_id: string
  types: readonly string[] | undefined
  /** Smaller numbers, descending. */
  before: number | undefined
  /** Greater numbers, ascending. */
  after: number | undefined
  /** Only events of this object, which are all within these numbers. */
  about?: { object_id: string; first: number; last: number } | undefined
  limit: number
}

export function countEvents(
  db: Queryable,
  { account_id, types }: Pick<EventPage, 'account_id' | 'types'>,
  limit: number,
): Promise<number> {
  return countRows(db, sql`from events where account_id = ${account_id} ${ofTypes(types)}`, limit)
}

function ofTypes(types: EventPage['types']): Sql {
  return types === undefined ? nothing : sql`and type = any(${types}::text[])`
}

export async function selectEventPage(db: Queryable, page: EventPage): Promise<EventRow[]> {
  const { types, before, after, about } = page
  const edge =
    after !== undefined
      ? sql`and sequence > ${after} order by sequence`
      : before !== undefined
        ? sql`and sequence < ${before} order by sequence desc`
        : sql`order by sequence desc`
  return db.rows(sql`
    select ${shown}
    from events
    where account_id = ${page.account_id}
      ${ofTypes(types)}
      ${about === undefined ? nothing : sql`and object_id = ${about.object_id}`}
      ${about === undefined ? nothing : sql`and sequence between ${about.first} and ${about.last}`}
      ${edge}
    limit ${page.limit}`)
}

export async function selectEvent(
  db: Queryable,
  account_id: string,
  sequence: number,
): Promise<EventRow | undefined> {
  return db.row(sql`
    select account_id, sequence, id, type, at, data
    from events
    where account_id = ${account_id} and sequence = ${sequence}`)
}

export interface EventCursor {
  account_id: string
  after: number
}

export interface FollowingEvent extends EventRow {
  /** The number of the cursor that it follows. */
  cursor: number
  /** Total size of the data of this event and the earlier ones at its cursor. */
  bytes: number
}

/**
 * The events after each of many cursors of one shard, in one statement. Numbers are assigned under
 * the account lock, which is held until COMMIT, so the visible events never have gaps. The result
 * of a cursor ends with the event that reaches the byte limit, so an event of any size can be read.
 */
export async function selectFollowing(
  db: Queryable,
  cursors: (EventCursor & { cursor: number })[],
  limit: { events: number; bytes: number },
): Promise<FollowingEvent[]> {
  // octet_length of a TOASTed text does not read the text.
  return db.rows(sql`
    select cursor, followed.account_id, sequence, id, type, at, data, bytes
    from unnest(${cursors.map(({ account_id }) => account_id)}::uuid[],
      ${cursors.map(({ after }) => after)}::bigint[],
      ${cursors.map(({ cursor }) => cursor)}::int[]) as it (account_id, after, cursor)
    cross join lateral (
      select account_id, sequence, id, type, at, data,
        sum(octet_length(data)) over (order by sequence rows unbounded preceding) as bytes
      from events
      where events.account_id = it.account_id and sequence > it.after
        and events.account_id = any(${accountsOf(cursors)}::uuid[])
      order by sequence
      limit ${limit.events}
    ) as followed
    where bytes - octet_length(data) < ${limit.bytes}
    order by cursor, sequence`)
}

// Times do not decrease within an account. There is no index on time, because every payment would
// have to write to it.
export const oldEvents = (before: Date): OldAccountRows => ({
  rows: sql`from events as stored`,
  key: sql`sequence`,
  is_old: sql`at < ${before}`,
})

export interface EventFacts {
  account_id: string
  events: number
  first_sequence: number
  last_sequence: number
  last_at: Date
  /** How many are inconsistent with the event before them, or with their id. */
  broken: number
}

const numbered = (which: Sql) => sql`
    with numbered as (
      select account_id, sequence, id, at,
        lag(sequence) over account + 1 as sequence_expected,
        lag(at) over account as at_before
      from events
      where ${which}
      window account as (partition by account_id order by sequence)
    )`

// The first retained event has no predecessor to compare: earlier ones may have been pruned.
const broken = sql`(
    sequence <> sequence_expected or at < at_before
    or right(id::text, 10) <> lpad(to_hex(sequence), 10, '0'))`

export async function selectEventFacts(db: Queryable, range: AccountRange): Promise<EventFacts[]> {
  const which = sql`account_id > ${range.after} and account_id <= ${range.through}`
  return db.rows(sql`
    ${numbered(which)}
    select account_id, count(*) as events, min(sequence) as first_sequence,
      max(sequence) as last_sequence, max(at) as last_at,
      count(*) filter (where ${broken}) as broken
    from numbered
    group by account_id`)
}

export interface BrokenEvent {
  id: string
  sequence: number
  /** Null for the first retained event, as is `at_before`. */
  sequence_expected: number | null
  at: Date
  at_before: Date | null
}

export async function selectBrokenEvents(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<BrokenEvent[]> {
  return db.rows(sql`
    ${numbered(sql`account_id = ${account_id}`)}
    select id, sequence, sequence_expected, at, at_before
    from numbered
    where ${broken}
    order by sequence
    limit ${limit}`)
}

export interface EventKey {
  account_id: string
  sequence: number
}

export interface EventRange {
  account_id: string
  /** Exclusive. */
  after: number
  /** Inclusive. */
  through: number
}

export interface EventHead extends Pick<NumberedEvent, 'sequence' | 'id' | 'type'> {
  /** The index of its range, starting at 0. */
  range: number
}

export async function selectEventHeads(
  db: Queryable,
  ranges: EventRange[],
  limit: number,
): Promise<EventHead[]> {
  return db.rows(sql`
    select it.n - 1 as range, head.sequence, head.id, head.type
    from unnest(
      ${ranges.map(({ account_id }) => account_id)}::uuid[],
      ${ranges.map(({ after }) => after)}::bigint[],
      ${ranges.map(({ through }) => through)}::bigint[])
      with ordinality as it (account_id, after, through, n)
    cross join lateral (
      select sequence, id, type
      from events
      where events.account_id = it.account_id
        and events.account_id = any(${accountsOf(ranges)}::uuid[])
        and sequence > it.after and sequence <= it.through
      order by sequence
      limit ${limit}) as head
    order by it.n, head.sequence`)
}

export async function selectEvents(db: Queryable, keys: EventKey[]): Promise<NumberedEvent[]> {
  return db.rows(sql`
    select events.account_id, events.sequence, id, type, object_id, at, data
    from unnest(
      ${keys.map(({ account_id }) => account_id)}::uuid[],
      ${keys.map(({ sequence }) => sequence)}::bigint[]) as it (account_id, sequence)
    join events on events.account_id = it.account_id and events.sequence = it.sequence
    where events.account_id = any(${accountsOf(keys)}::uuid[])`)
}

// Binary search: within an account, times never decrease and numbers have no gaps. There is no
// index on time; a million events take 20 lookups by primary key.
export async function selectLastEventBefore(
  db: Queryable,
  account_id: string,
  at: Date,
): Promise<number> {
  const found = await db.row<{ sequence: number }>(sql`
    with recursive halved (low, high) as (
      select min(sequence) - 1, max(sequence)
      from events
      where account_id = ${account_id}
      union all
      select
        case when middle.at < ${at} then middle.sequence else low end,
        case when middle.at < ${at} then high else middle.sequence - 1 end
      from halved
      join lateral (
        select sequence, at
        from events
        where account_id = ${account_id} and sequence = (low + high + 1) / 2
      ) as middle on true
      where low < high
    )
    select low as sequence
    from halved
    where low = high`)
  return found?.sequence ?? 0
}

/** Events contain objects as they were, with the customer's address. */
export const erased_events: ReplacedTable = {
  table: sql`events`,
  account: sql`account_id`,
  key: sql`sequence`,
  key_type: sql`bigint`,
  first: '-1',
  change: (replacement) => sql`data = ${replaced(sql`data`, replacement)}`,
  where: (replacement) => mentions(sql`data`, replacement),
}
