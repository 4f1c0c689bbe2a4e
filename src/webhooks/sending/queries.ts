import type { Lease } from '../../outbox/lease.ts'
import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import { accountsOf } from '../../postgres/sql-rows.ts'
import type { DeliveryStatus } from '../delivery.ts'
import type { EndpointName } from '../endpoint.ts'

// The statements of this file that lock or write take rows of one shard: `split` of
// postgres/shards.ts. Each table is also restricted by `account_id = any(…)`, from which Citus
// finds the shard.

/** The keys alone: other columns contain secrets. */
function keysOf(endpoints: EndpointName[]): string {
  return JSON.stringify(endpoints.map(({ account_id, id }) => ({ account_id, id })))
}

export interface EndpointCursor extends EndpointName {
  events: string[]
  event_sequence: number
  replay_after: number | null
  replay_through: number | null
  final_sequence: number | null
  pending: number
}

// Pending deliveries are counted only for failing endpoints. Counting up to 5,000 index entries for
// every endpoint took longer than the rest of the poll.
//
// Skips endpoints that another transaction has locked. The next step includes them.
export async function lockEndpointCursors(
  tx: Tx,
  names: EndpointName[],
  pending_max: number,
): Promise<EndpointCursor[]> {
  return tx.rows(sql`
    select account_id, id, events, event_sequence, replay_after, replay_through, final_sequence,
      case when failing_since is null then 0 else (
        select count(*)
        from (
          select 1
          from webhook_deliveries
          where webhook_deliveries.account_id = webhook_endpoints.account_id
            and webhook_deliveries.account_id = any(${accountsOf(names)}::uuid[])
            and endpoint_id = webhook_endpoints.id
            and webhook_deliveries.status = 'pending'
          limit ${pending_max}) as waiting
      ) end as pending
    from webhook_endpoints
    where (account_id, id) in (
        select account_id, id
        from json_to_recordset(${keysOf(names)}) as it (account_id uuid, id uuid))
      and account_id = any(${accountsOf(names)}::uuid[])
      and status = 'enabled'
    order by account_id, id
    for update skip locked`)
}

export interface NewDelivery {
  account_id: string
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  event_sequence: number
}

// Joined with its endpoint for the key: Citus would copy rows with a key from the parameters
// through the coordinator, with two-phase commit.
export function sendNewDeliveries(tx: Tx, rows: NewDelivery[]): void {
  tx.send(sql`
    insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type,
      event_sequence, status, next_at)
    select webhook_endpoints.account_id, it.id, endpoint_id, event_id, event_type,
      it.event_sequence, 'pending', now()
    from json_to_recordset(${JSON.stringify(rows)}) as it (account_id uuid, id uuid,
      endpoint_id uuid, event_id uuid, event_type text, event_sequence bigint)
    join webhook_endpoints
      on webhook_endpoints.account_id = it.account_id and webhook_endpoints.id = it.endpoint_id
    where webhook_endpoints.account_id = any(${accountsOf(rows)}::uuid[])`)
}

export type Cursors = Pick<
  EndpointCursor,
  'account_id' | 'id' | 'event_sequence' | 'replay_after' | 'replay_through'
>

export function sendCursors(tx: Tx, rows: Cursors[]): void {
  tx.send(sql`
    update webhook_endpoints
    set event_sequence = it.event_sequence, replay_after = it.replay_after,
      replay_through = it.replay_through
    from json_to_recordset(${JSON.stringify(rows)}) as it (account_id uuid, id uuid,
      event_sequence bigint, replay_after bigint, replay_through bigint)
    where webhook_endpoints.account_id = it.account_id and webhook_endpoints.id = it.id
      and webhook_endpoints.account_id = any(${accountsOf(rows)}::uuid[])`)
}

/** Disables endpoints of closed accounts that have no deliveries left. */
export async function disableFinishedEndpoints(
  db: Queryable,
  names: EndpointName[],
): Promise<number> {
  return db.count(sql`
    with ended as materialized (
      select account_id, id
      from webhook_endpoints
      where (account_id, id) in (
          select account_id, id
          from json_to_recordset(${keysOf(names)}) as it (account_id uuid, id uuid))
        and account_id = any(${accountsOf(names)}::uuid[])
        and event_sequence >= final_sequence
        and replay_after is null
        and not exists (
          select 1
          from webhook_deliveries
          where webhook_deliveries.account_id = webhook_endpoints.account_id
            and webhook_deliveries.account_id = any(${accountsOf(names)}::uuid[])
            and endpoint_id = webhook_endpoints.id
            and webhook_deliveries.status = 'pending')
      order by account_id, id
      for update
    )
    update webhook_endpoints
    set status = 'disabled', disabled_reason = 'closed', updated_at = now()
    from ended
    where webhook_endpoints.account_id = ended.account_id and webhook_endpoints.id = ended.id
      and webhook_endpoints.account_id = any(${accountsOf(names)}::uuid[])`)
}

export interface ClaimedDelivery {
  account_id: string
  id: string
  endpoint_id: string
  event_id: string
  event_sequence: number | null
  test_body: string | null
  attempts: number
  /** The time of the previous attempt. */
  attempted_at: Date | null
}

export interface AccountCapacity {
  account_id: string
  /** How many more deliveries to claim for all its endpoints. */
  capacity: number
  /** In the order in which they are served, each with its own limit. */
  endpoints: { id: string; capacity: number }[]
}

/**
 * Claims due deliveries in the order of the capacities, up to the limit. Skips deliveries that
 * another worker has locked or leased.
 */
export async function claimDue(
  db: Queryable,
  lease: Lease,
  capacities: AccountCapacity[],
  limit: number,
): Promise<ClaimedDelivery[]> {
  if (capacities.length === 0 || limit <= 0) return []
  const endpoints = capacities.map((account) => account.endpoints)
  // Grouped by account, so that the account's limit applies to what its endpoints actually have.
  // Endpoint arrays are passed as text, because PostgreSQL requires nested arrays of equal length;
  // slicing one long array took three times as long.
  return db.rows(sql`
    with due as materialized (
      select account.account_id, one.id
      from unnest(
        ${capacities.map(({ account_id }) => account_id)}::uuid[],
        ${capacities.map(({ capacity }) => capacity)}::integer[],
        ${endpoints.map((some) => arrayText(some.map(({ id }) => id)))}::text[],
        ${endpoints.map((some) => arrayText(some.map(({ capacity }) => capacity)))}::text[])
        as account (account_id, capacity, endpoint_ids, endpoint_capacities)
      cross join lateral (
        select delivery.id
        from unnest(account.endpoint_ids::uuid[], account.endpoint_capacities::integer[]) as it (
          endpoint_id, capacity)
        cross join lateral (
          select id
          from webhook_deliveries
          where webhook_deliveries.account_id = account.account_id
            and webhook_deliveries.account_id = any(${accountsOf(capacities)}::uuid[])
            and webhook_deliveries.endpoint_id = it.endpoint_id
            and status = 'pending'
            and next_at <= now()
          order by next_at
          limit it.capacity
          for update skip locked) as delivery
        limit account.capacity) as one
      limit ${limit}
    )
    update webhook_deliveries
    set attempts = attempts + 1, lease_id = ${lease.id},
      next_at = now() + ${lease.for_ms} * interval '1 millisecond'
    from due
    where webhook_deliveries.account_id = due.account_id and webhook_deliveries.id = due.id
      and webhook_deliveries.account_id = any(${accountsOf(capacities)}::uuid[])
    returning webhook_deliveries.account_id, webhook_deliveries.id, endpoint_id, event_id,
      event_sequence, test_body, attempts, attempted_at`)
}

/** A PostgreSQL array literal of items that need no quoting. */
function arrayText(items: (string | number)[]): string {
  return `{${items.join(',')}}`
}

// Deliveries are looked up with `unnest`, here and below. With json_to_recordset, a plan made while
// the table is still empty scans it sequentially, and a connection keeps it until the next ANALYZE.
/** Undoes a claim without using up an attempt. Requires the lease. */
export async function releaseClaimed(
  db: Queryable,
  rows: Pick<DeliveryOutcome, 'account_id' | 'id' | 'lease_id'>[],
): Promise<void> {
  await db.count(sql`
    with claimed as materialized (
      select webhook_deliveries.account_id, webhook_deliveries.id
      from webhook_deliveries
      join unnest(
        ${rows.map((row) => row.account_id)}::uuid[],
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.lease_id)}::uuid[]) as it (account_id, id, lease_id)
        on webhook_deliveries.account_id = it.account_id
        and webhook_deliveries.id = it.id
        and webhook_deliveries.lease_id = it.lease_id
      where status = 'pending'
        and webhook_deliveries.account_id = any(${accountsOf(rows)}::uuid[])
      order by webhook_deliveries.account_id, webhook_deliveries.id
      for update of webhook_deliveries
    )
    update webhook_deliveries
    set attempts = attempts - 1, lease_id = null, next_at = now()
    from claimed
    where webhook_deliveries.account_id = claimed.account_id
      and webhook_deliveries.account_id = any(${accountsOf(rows)}::uuid[])
      and webhook_deliveries.id = claimed.id`)
}

export interface DeliveryOutcome {
  account_id: string
  id: string
  endpoint_id: string
  lease_id: string
  status: DeliveryStatus
  /** The delay until the next attempt; null if there is none. */
  wait_ms: number | null
  attempted_at: Date
  url: string
  duration_ms: number
  response_status: number | null
  response_body: Buffer | null
  error: string | null
}

/** Moves the previous attempt from the delivery row into the history. Requires the lease. */
export function sendPastAttempts(tx: Tx, rows: DeliveryOutcome[]): void {
  tx.send(sql`
    insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms,
      response_status, response_body, error)
    select account_id, id, attempted_at, url, duration_ms, response_status, response_body, error
    from webhook_deliveries
    where (account_id, id, lease_id) in (
        select account_id, id, lease_id
        from unnest(
          ${rows.map((row) => row.account_id)}::uuid[],
          ${rows.map((row) => row.id)}::uuid[],
          ${rows.map((row) => row.lease_id)}::uuid[]) as it (account_id, id, lease_id))
      and account_id = any(${accountsOf(rows)}::uuid[])
      and attempted_at is not null
    order by account_id, id
    for update
    on conflict do nothing`)
}

// Locks the rows in id order, as cancelDeliveries does. Outcomes arrive in any order, and updating
// them unsorted deadlocked with the transaction that disables the endpoint.
export function sendDeliveryLocks(
  tx: Tx,
  rows: Pick<DeliveryOutcome, 'account_id' | 'id'>[],
): void {
  tx.send(sql`
    select 1
    from webhook_deliveries
    where (account_id, id) in (
        select account_id, id
        from unnest(
          ${rows.map((row) => row.account_id)}::uuid[],
          ${rows.map((row) => row.id)}::uuid[]) as it (account_id, id))
      and account_id = any(${accountsOf(rows)}::uuid[])
    order by account_id, id
    for update`)
}

// Requires the lease: after it expires, another worker may have recorded a newer outcome. Citus
// evaluates now() before it sends the statement to a shard, so it cannot be added to a column or be
// part of a CASE.
export function sendOutcomes(tx: Tx, rows: DeliveryOutcome[]): void {
  tx.send(sql`
    update webhook_deliveries
    set status = it.status, lease_id = null, attempted_at = it.attempted_at, url = it.url,
      next_at = to_timestamp(extract(epoch from now()) + it.wait_ms / 1000.0),
      duration_ms = it.duration_ms, response_status = it.response_status,
      response_body = it.response_body, error = it.error
    from unnest(
      ${rows.map((row) => row.account_id)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.lease_id)}::uuid[],
      ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.wait_ms)}::bigint[],
      ${rows.map((row) => row.attempted_at)}::timestamptz[],
      ${rows.map((row) => row.url)}::text[],
      ${rows.map((row) => row.duration_ms)}::integer[],
      ${rows.map((row) => row.response_status)}::smallint[],
      ${rows.map((row) => row.response_body)}::bytea[],
      ${rows.map((row) => row.error)}::text[]) as it (account_id, id, lease_id, status, wait_ms,
        attempted_at, url, duration_ms, response_status, response_body, error)
    where webhook_deliveries.account_id = it.account_id
      and webhook_deliveries.account_id = any(${accountsOf(rows)}::uuid[])
      and webhook_deliveries.id = it.id
      and webhook_deliveries.lease_id = it.lease_id`)
}

export interface EndpointFailureState extends EndpointName {
  url: string
  failing_since: Date | null
  url_changed_at: Date | null
}

export async function lockEndpointFailures(
  tx: Tx,
  names: EndpointName[],
): Promise<EndpointFailureState[]> {
  return tx.rows(sql`
    select account_id, id, url, failing_since, url_changed_at
    from webhook_endpoints
    where (account_id, id) in (
      select account_id, id
      from json_to_recordset(${keysOf(names)}) as it (account_id uuid, id uuid))
      and account_id = any(${accountsOf(names)}::uuid[])
    order by account_id, id
    for update`)
}

export async function updateFailing(tx: Tx, failure_states: EndpointFailureState[]): Promise<void> {
  await tx.count(sql`
    update webhook_endpoints
    set failing_since = it.failing_since
    from json_to_recordset(${JSON.stringify(failure_states)}) as it (
      account_id uuid, id uuid, failing_since timestamptz)
    where webhook_endpoints.account_id = it.account_id and webhook_endpoints.id = it.id
      and webhook_endpoints.account_id = any(${accountsOf(failure_states)}::uuid[])`)
}

/**
 * Called when an endpoint recovers: makes deliveries due that wait for a retry. Excludes leased
 * ones and those that failed with a response other than 429, 502, 503 or 504: they would fail
 * again.
 */
export async function makeDeliveriesDue(tx: Tx, { account_id, id }: EndpointName): Promise<void> {
  await tx.count(sql`
    with late as materialized (
      select id
      from webhook_deliveries
      where account_id = ${account_id} and endpoint_id = ${id} and status = 'pending'
        and lease_id is null and next_at > now()
        and (response_status is null or response_status in (429, 502, 503, 504))
      order by id
      for update
    )
    update webhook_deliveries
    set next_at = now()
    from late
    where account_id = ${account_id} and webhook_deliveries.id = late.id`)
}
