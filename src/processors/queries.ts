import type { Lease } from '../outbox/lease.ts'
import type { Queryable } from '../postgres/database.ts'
import { countWaiting, type QueueDepth } from '../postgres/search.ts'
import { sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { OldRows } from '../postgres/sweep.ts'
import type { Notice, ProviderName } from './provider.ts'

const newEvents = sqlRows('provider text, event_id text, provider_id text')

/**
 * An event is stored once. A provider without event ids sends its object's id instead, so a row
 * with such an id becomes due again. Its lease ends: the worker may have fetched an older state.
 */
export async function insertEvents(
  db: Queryable,
  provider: ProviderName,
  notices: Notice[],
): Promise<void> {
  await db.count(sql`
    insert into provider_events (provider, event_id, provider_id, state, received_at, next_at)
    select provider, event_id, provider_id, 'due', now(), now()
    from ${newEvents.from(notices.map((notice) => ({ provider, ...notice })))}
    on conflict (provider, event_id) do update
    set state = 'due', received_at = excluded.received_at, next_at = excluded.next_at,
      attempts = 0, lease_id = null
    where provider_events.event_id = excluded.provider_id`)
}

export interface ClaimedEvent extends Notice {
  provider: ProviderName
  attempts: number
}

export async function claimEvents(
  db: Queryable,
  lease: Lease,
  providers: ProviderName[],
  limit: number,
): Promise<ClaimedEvent[]> {
  return db.rows(sql`
    with due as materialized (
      select provider, event_id
      from provider_events
      where state = 'due' and next_at <= now() and provider = any(${providers}::text[])
      order by next_at
      limit ${limit}
      for update skip locked
    )
    update provider_events as events
    set attempts = attempts + 1, lease_id = ${lease.id},
      next_at = now() + ${lease.for_ms} * interval '1 millisecond'
    from due
    where events.provider = due.provider and events.event_id = due.event_id
    returning events.provider, events.event_id, provider_id, attempts`)
}

export interface EventOutcome {
  state: 'due' | 'done' | 'unmatched'
  /** The delay of a retry. */
  wait_ms?: number
  /** The payment that belongs to no checkout. */
  unmatched?: { provider_id: string; amount: number; currency: string }
}

// Requires the lease: after it has ended, another worker or a new message decides.
export async function recordEvent(
  db: Queryable,
  { provider, event_id, provider_id }: ClaimedEvent,
  lease_id: string,
  { state, wait_ms, unmatched }: EventOutcome,
): Promise<void> {
  await db.count(sql`
    update provider_events
    set state = ${state}, lease_id = null,
      next_at = now() + ${wait_ms ?? null} * interval '1 millisecond',
      provider_id = ${unmatched?.provider_id ?? provider_id},
      amount = ${unmatched?.amount ?? null}, currency = ${unmatched?.currency ?? null}
    where provider = ${provider} and event_id = ${event_id} and lease_id = ${lease_id}`)
}

// The row is the same for all messages, so it is written every ten seconds at most.
export async function recordWebhook(db: Queryable, provider: ProviderName): Promise<void> {
  await db.count(sql`
    insert into provider_states (provider, last_webhook_at)
    values (${provider}, now())
    on conflict (provider) do update
    set last_webhook_at = excluded.last_webhook_at
    where coalesce(
      excluded.last_webhook_at - provider_states.last_webhook_at > interval '10 seconds', true)`)
}

export async function recordSweep(
  db: Queryable,
  provider: ProviderName,
  cursor: string,
): Promise<void> {
  await db.count(sql`
    insert into provider_states (provider, cursor, last_sweep_at)
    values (${provider}, ${cursor}, now())
    on conflict (provider) do update
    set cursor = excluded.cursor, last_sweep_at = excluded.last_sweep_at`)
}

export async function recordError(
  db: Queryable,
  provider: ProviderName,
  error: string,
): Promise<void> {
  await db.count(sql`
    insert into provider_states (provider, last_error, last_error_at)
    values (${provider}, ${error}, now())
    on conflict (provider) do update
    set last_error = excluded.last_error, last_error_at = excluded.last_error_at`)
}

export interface ProviderStateRow {
  cursor: string | null
  last_webhook_at: Date | null
  /** When the changes at the provider were last listed successfully. */
  last_sweep_at: Date | null
  last_error: string | null
  last_error_at: Date | null
}

export async function selectState(
  db: Queryable,
  provider: ProviderName,
): Promise<ProviderStateRow | undefined> {
  return db.row(sql`
    select cursor, last_webhook_at, last_sweep_at, last_error, last_error_at
    from provider_states
    where provider = ${provider}`)
}

export interface EventBacklog {
  backlog: number
  oldest_backlog_at: Date | null
}

/** The events that are not processed yet, counted up to a limit. */
export async function countBacklog(
  db: Queryable,
  provider: ProviderName,
  limit: number,
): Promise<EventBacklog> {
  const found = await db.row<EventBacklog>(sql`
    select count(*) as backlog, min(received_at) as oldest_backlog_at
    from (
      select received_at
      from provider_events
      where state = 'due' and provider = ${provider}
      order by next_at
      limit ${limit}) as waiting`)
  return found!
}

export interface UnmatchedPayment extends Notice {
  amount: number
  currency: string
  received_at: Date
}

/** Several events can be about one payment: the newest of each, newest first. */
export async function selectUnmatched(
  db: Queryable,
  provider: ProviderName,
  limit: number,
): Promise<UnmatchedPayment[]> {
  return db.rows(sql`
    select *
    from (
      select distinct on (provider_id) event_id, provider_id, amount, currency, received_at
      from provider_events
      where state = 'unmatched' and provider = ${provider}
      order by provider_id, received_at desc) as payments
    order by received_at desc, event_id
    limit ${limit}`)
}

/** Up to 1,000: another program may use the same key, and its payments are all unmatched. */
export async function countUnmatched(db: Queryable, provider: ProviderName): Promise<number> {
  const found = await db.row<{ count: number }>(sql`
    select count(distinct provider_id) as count
    from (
      select provider_id
      from provider_events
      where state = 'unmatched' and provider = ${provider}
      order by received_at desc
      limit 1000) as newest`)
  return found!.count
}

/** The number of events that are not processed yet and of due ones, counted up to a limit. */
export function countQueuedEvents(db: Queryable, limit: number): Promise<QueueDepth> {
  return countWaiting(db, sql`from provider_events where state = 'due' order by next_at`, limit)
}

/** Processed events. Those of unmatched payments stay. */
export const oldEvents = (before: Date): OldRows => ({
  rows: sql`from provider_events where state = 'done' and received_at < ${before}`,
  key: sql`ctid`,
  oldest_first: sql`received_at`,
})
