import type { Queryable, Tx } from '../postgres/database.ts'
import {
  accountPageClause,
  indexPageClause,
  keyBounds,
  keyPageClause,
  ofAccount,
} from '../postgres/page-clause.ts'
import { mentions, type ReplacedTable, replaced } from '../postgres/replace-text.ts'
import { countRows, countWaiting, type QueueDepth } from '../postgres/search.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, rowKeys } from '../postgres/sql-rows.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import { nil_uuid } from '../primitives/ids.ts'
import type { AttemptRow, DeliveryRow, ShownStatus } from './delivery.ts'
import type { DisabledReason, EndpointHealth, EndpointName, EndpointRow } from './endpoint.ts'

export const endpoint_columns = sql`account_id, id, url, events, status, disabled_reason, secret,
      previous_secret, previous_secret_until, event_sequence, replay_after, replay_through,
      final_sequence, failing_since, url_changed_at, updated_at`

export async function insertEndpoint(tx: Tx, row: EndpointRow): Promise<void> {
  await tx.count(sql`
    insert into webhook_endpoints (account_id, id, url, events, status, secret, event_sequence,
      updated_at)
    values (${row.account_id}, ${row.id}, ${row.url}, ${row.events}::text[], ${row.status},
      ${row.secret}, ${row.event_sequence}, ${row.updated_at})`)
}

/** In ascending order. */
export async function selectEndpointIds(tx: Tx, account_id: string): Promise<string[]> {
  const found = await tx.rows<{ id: string }>(sql`
    select id
    from webhook_endpoints
    where account_id = ${account_id}
    order by id`)
  return found.map(({ id }) => id)
}

export async function selectEndpoint(
  db: Queryable,
  { account_id, id }: EndpointName,
): Promise<EndpointRow | undefined> {
  return db.row(sql`
    select ${endpoint_columns}
    from webhook_endpoints
    where account_id = ${account_id} and id = ${id}`)
}

/** Take the account lock first. Workers lock endpoints without it. */
export async function lockEndpoint(
  tx: Tx,
  { account_id, id }: EndpointName,
): Promise<EndpointRow | undefined> {
  return tx.row(sql`
    select ${endpoint_columns}
    from webhook_endpoints
    where account_id = ${account_id} and id = ${id}
    for update`)
}

export async function selectEndpointPage(
  db: Queryable,
  account_id: string,
  health: EndpointHealth | undefined,
  range: CursorRange,
): Promise<EndpointRow[]> {
  return db.rows(sql`
    select ${endpoint_columns}
    from webhook_endpoints
    where ${ofAccount(account_id)}
      ${health === undefined ? nothing : healthConditions[health]}
      ${accountPageClause(range)}
    limit ${range.limit}`)
}

const healthConditions: Record<EndpointHealth, Sql> = {
  failing: sql`and status = 'enabled' and failing_since is not null`,
  disabled: sql`and disabled_reason in ('gone', 'failing')`,
}

export async function updateEndpointRow(tx: Tx, row: EndpointRow): Promise<void> {
  await tx.count(sql`
    update webhook_endpoints
    set url = ${row.url}, events = ${row.events}::text[], status = ${row.status},
      disabled_reason = ${row.disabled_reason}, secret = ${row.secret},
      previous_secret = ${row.previous_secret},
      previous_secret_until = ${row.previous_secret_until},
      event_sequence = ${row.event_sequence}, replay_after = ${row.replay_after},
      replay_through = ${row.replay_through}, failing_since = ${row.failing_since},
      url_changed_at = ${row.url_changed_at}, updated_at = ${row.updated_at}
    where account_id = ${row.account_id} and id = ${row.id}`)
}

export async function disableEndpointRow(
  tx: Tx,
  { account_id, id }: EndpointName,
  { reason, at }: { reason: DisabledReason; at: Date },
): Promise<void> {
  await tx.count(sql`
    update webhook_endpoints
    set status = 'disabled', disabled_reason = ${reason}, replay_after = null,
      replay_through = null, updated_at = ${at}
    where account_id = ${account_id} and id = ${id}`)
}

export async function deleteEndpointRow(tx: Tx, { account_id, id }: EndpointName): Promise<void> {
  await tx.count(sql`
    delete from webhook_endpoints
    where account_id = ${account_id} and id = ${id}`)
}

export async function endEndpoints(
  tx: Tx,
  account_id: string,
  final_sequence: number,
): Promise<void> {
  // Locks in id order, as workers do when they record attempts, to prevent deadlocks.
  await tx.count(sql`
    with ending as materialized (
      select id
      from webhook_endpoints
      where account_id = ${account_id}
      order by id
      for update
    )
    update webhook_endpoints
    set final_sequence = ${final_sequence}
    from ending
    where account_id = ${account_id} and webhook_endpoints.id = ending.id`)
}

/**
 * Also cancels leased deliveries: without its lease, a worker cannot record an outcome. The last
 * attempt moves to the history, because `error` now holds the reason for the cancellation.
 */
export async function cancelDeliveries(
  tx: Tx,
  { account_id, id }: EndpointName,
  reason: string,
): Promise<void> {
  // Locks in id order, as workers do. No delivery is added: the caller has locked the endpoint.
  await tx.rows(sql`
    select id
    from webhook_deliveries
    where account_id = ${account_id} and endpoint_id = ${id} and status = 'pending'
    order by id
    for update`)
  await tx.count(sql`
    insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms,
      response_status, response_body, error)
    select account_id, id, attempted_at, url, duration_ms, response_status, response_body, error
    from webhook_deliveries
    where account_id = ${account_id} and endpoint_id = ${id} and status = 'pending'
      and attempted_at is not null
    on conflict do nothing`)
  await tx.count(sql`
    update webhook_deliveries
    set status = 'canceled', next_at = null, lease_id = null, error = ${reason},
      attempts = attempts - (lease_id is not null)::integer
    where account_id = ${account_id} and endpoint_id = ${id} and status = 'pending'`)
}

// The total number of attempts. The column `attempts` is the position in the retry schedule: a
// resend resets it, and it includes an attempt that a worker has claimed but not recorded.
const attempts_made = sql`earlier_attempts + attempts - (lease_id is not null)::integer as attempts`

const delivery_columns = sql`account_id, id, endpoint_id, event_id, event_type, event_sequence,
      test_body, status, ${attempts_made}, next_at, attempted_at, url, duration_ms, response_status,
      response_body, error`

/** Counts a test of the endpoint. Returns false if the hourly limit is reached. */
export async function countTest(
  tx: Tx,
  { account_id, id }: EndpointName,
  hour_max: number,
): Promise<boolean> {
  // Two statements: Citus rejects now() in a CASE.
  await tx.count(sql`
    update webhook_endpoints
    set tests = 0, tests_since = now()
    where account_id = ${account_id} and id = ${id}
      and (tests_since is null or tests_since <= now() - interval '1 hour')`)
  const counted = await tx.count(sql`
    update webhook_endpoints
    set tests = tests + 1
    where account_id = ${account_id} and id = ${id} and tests < ${hour_max}`)
  return counted > 0
}

export async function insertTestDelivery(tx: Tx, row: DeliveryRow): Promise<void> {
  await tx.count(sql`
    insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type,
      event_sequence, test_body, status, next_at)
    values (${row.account_id}, ${row.id}, ${row.endpoint_id}, ${row.event_id}, ${row.event_type},
      null, ${row.test_body}, 'pending', now())`)
}

export async function selectDelivery(
  db: Queryable,
  account_id: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  return db.row(sql`
    select ${delivery_columns}
    from webhook_deliveries
    where account_id = ${account_id} and id = ${id}`)
}

export async function lockDelivery(
  tx: Tx,
  account_id: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  return tx.row(sql`
    select ${delivery_columns}
    from webhook_deliveries
    where account_id = ${account_id} and id = ${id}
    for update`)
}

/** All attempts except the last, newest first. */
export async function selectAttempts(
  db: Queryable,
  account_id: string,
  delivery_id: string,
  limit: number,
): Promise<AttemptRow[]> {
  return db.rows(sql`
    select attempted_at, url, duration_ms, response_status, response_body, error
    from webhook_attempts
    where account_id = ${account_id} and delivery_id = ${delivery_id}
    order by attempted_at desc
    limit ${limit}`)
}

/** Makes the delivery due immediately and restarts the retry schedule. */
export async function reopenDelivery(tx: Tx, account_id: string, id: string): Promise<void> {
  await tx.count(sql`
    update webhook_deliveries
    set status = 'pending', next_at = now(), lease_id = null, attempts = 0,
      earlier_attempts = earlier_attempts + attempts - (lease_id is not null)::integer
    where account_id = ${account_id} and id = ${id}`)
}

interface DeliveryFilter {
  account_id: string
  endpoint_id: string | undefined
  event_id: string | undefined
  /** Empty means all. */
  statuses: ShownStatus[]
  before_id: string | undefined
}

// Omits response bodies, which could add up to megabytes per page.
export async function selectDeliveryPage(
  db: Queryable,
  filter: DeliveryFilter,
  range: CursorRange,
): Promise<DeliveryRow[]> {
  // Open deliveries are few and have a partial index, which a key range would prevent.
  const is_open =
    filter.statuses.length > 0 && filter.statuses.every((one) => open_statuses.includes(one))
  const pageClause = is_open ? indexPageClause : keyPageClause
  return db.rows(sql`
    select account_id, id, endpoint_id, event_id, event_type, event_sequence, null as test_body,
      status, ${attempts_made}, next_at, attempted_at, url, duration_ms, response_status,
      null as response_body, error
    ${listedRows(filter)}
      ${pageClause({ account_id: filter.account_id, last_id: filter.before_id }, range)}
    limit ${range.limit}`)
}

export function countDeliveries(db: Queryable, filter: DeliveryFilter, limit: number) {
  const { account_id, before_id } = filter
  const bounds = keyBounds({ account_id, last_id: before_id })
  return countRows(db, sql`${listedRows(filter)} ${bounds}`, limit)
}

function listedRows({ endpoint_id, event_id, statuses }: DeliveryFilter): Sql {
  return sql`from webhook_deliveries
    where true
      ${endpoint_id === undefined ? nothing : sql`and endpoint_id = ${endpoint_id}`}
      ${event_id === undefined ? nothing : sql`and event_id = ${event_id}`}
      ${statuses.length === 0 ? nothing : sql`and (${anyOf(statuses)})`}`
}

const open_statuses: ShownStatus[] = ['pending', 'retrying']

// Must match shownStatus in delivery.ts.
const last_attempt_failed = sql`(attempted_at is not null
        and coalesce(response_status not between 200 and 299, true))`

// Literals instead of parameters, so the planner can use the partial index of pending deliveries.
const statusConditions: Record<ShownStatus, Sql> = {
  pending: sql`(status = 'pending' and not ${last_attempt_failed})`,
  retrying: sql`(status = 'pending' and ${last_attempt_failed})`,
  delivered: sql`status = 'succeeded'`,
  failed: sql`status = 'failed'`,
  canceled: sql`status = 'canceled'`,
}

function anyOf(statuses: ShownStatus[]): Sql {
  return statuses
    .map((status) => statusConditions[status])
    .reduce((one, other) => sql`${one} or ${other}`)
}

export interface DeliveryKey {
  account_id: string
  id: string
}

/** The oldest finished deliveries with smaller ids. */
export async function selectOldDeliveries(
  db: Queryable,
  before_id: string,
  limit: number,
): Promise<DeliveryKey[]> {
  return db.rows(sql`
    select account_id, id
    from webhook_deliveries
    where id < ${before_id} and status <> 'pending'
    order by id
    limit ${limit}`)
}

// By id, which has an index; the accounts show Citus the shard. The status is checked again,
// because a retry can reopen the delivery concurrently.
/** Deletes those of these deliveries of one shard that are still finished. */
export async function deleteDeliveries(tx: Tx, keys: DeliveryKey[]): Promise<DeliveryKey[]> {
  return tx.rows(sql`
    delete from webhook_deliveries
    where id = any(${keys.map(({ id }) => id)}::uuid[])
      and account_id = any(${accountsOf(keys)}::uuid[])
      and status <> 'pending'
    returning account_id, id`)
}

export function sendEndOfAttempts(tx: Tx, deliveries: DeliveryKey[]): void {
  tx.send(sql`
    delete from webhook_attempts
    using ${rowKeys(deliveries)}
    where webhook_attempts.account_id = it.account_id
      and webhook_attempts.account_id = any(${accountsOf(deliveries)}::uuid[])
      and webhook_attempts.delivery_id = it.id`)
}

/** For admins, who can address an endpoint by id alone. */
export async function findEndpointOwner(
  db: Queryable,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return db.row(sql`
    select account_id
    from webhook_endpoints
    where id = ${id}`)
}

export async function findDeliveryOwner(
  db: Queryable,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return db.row(sql`
    select account_id
    from webhook_deliveries
    where id = ${id}`)
}

/** The number of pending deliveries and of due ones, counted up to a limit. */
export function countPendingDeliveries(db: Queryable, limit: number): Promise<QueueDepth> {
  return countWaiting(db, sql`from webhook_deliveries where status = 'pending'`, limit)
}

// A receiver may return what it was sent.
const response_text = sql`encode(response_body, 'escape')`

export const erased_deliveries: ReplacedTable = {
  table: sql`webhook_deliveries`,
  account: sql`account_id`,
  key: sql`id`,
  key_type: sql`uuid`,
  first: nil_uuid,
  change: (replacement) => sql`response_body = null, error = ${replaced(sql`error`, replacement)}`,
  where: (replacement) => sql`${mentions(response_text, replacement)}
      or ${mentions(sql`error`, replacement)}`,
}

export const erased_attempts: ReplacedTable = {
  ...erased_deliveries,
  table: sql`webhook_attempts`,
  key: sql`delivery_id`,
}
