import type { Queryable } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import { accountsOf } from '../../postgres/sql-rows.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import { endpoint_columns } from '../queries.ts'

interface SubscribedAccount {
  account_id: string
  /** The cursor of the endpoint that is furthest behind. */
  event_sequence: number
  /** Whether any delivery is pending, due or not. */
  has_pending: boolean
}

/** Accounts with enabled endpoints in these slots. The last hex digit of the id is the slot. */
export async function selectSubscribedAccounts(
  db: Queryable,
  slots: number[],
): Promise<SubscribedAccount[]> {
  // Reads the index of enabled endpoints, and one entry of the index of pending deliveries for each
  // account, however many it has. Without the order of the index, the planner scans all deliveries
  // if most are of one account.
  return db.rows(sql`
    select subscribed.account_id, subscribed.event_sequence,
      pending.found is not null as has_pending
    from (
      select account_id, min(event_sequence) as event_sequence
      from webhook_endpoints
      where status = 'enabled' and right(account_id::text, 1) = any(${digitsOf(slots)}::text[])
      group by account_id) as subscribed
    left join lateral (
      select true as found
      from webhook_deliveries
      where webhook_deliveries.account_id = subscribed.account_id and status = 'pending'
      order by endpoint_id, next_at
      limit 1) as pending on true`)
}

/** The enabled endpoints of these accounts with due deliveries. */
export async function selectDueEndpoints(
  db: Queryable,
  account_ids: string[],
): Promise<EndpointName[]> {
  // One index lookup per endpoint, however many deliveries wait for a retry.
  return db.rows(sql`
    select webhook_endpoints.account_id, webhook_endpoints.id
    from webhook_endpoints
    cross join lateral (
      select 1
      from webhook_deliveries
      where webhook_deliveries.account_id = webhook_endpoints.account_id
        and endpoint_id = webhook_endpoints.id
        and webhook_deliveries.status = 'pending'
        and next_at <= now()
      order by next_at
      limit 1) as due
    where webhook_endpoints.account_id = any(${account_ids}::uuid[])
      and webhook_endpoints.status = 'enabled'`)
}

// Three statements instead of one with UNION ALL: Citus would store the result of each part on
// every node, and usually only the first is needed.
/** Enabled endpoints with a replay or a final event. */
export async function selectReplayingEndpoints(
  db: Queryable,
  slots: number[],
): Promise<EndpointRow[]> {
  return db.rows(sql`
    select ${endpoint_columns}
    from webhook_endpoints
    where status = 'enabled' and (replay_after is not null or final_sequence is not null)
      and right(account_id::text, 1) = any(${digitsOf(slots)}::text[])`)
}

/** The enabled endpoints of these accounts. */
export async function selectEndpointsOf(
  db: Queryable,
  account_ids: string[],
): Promise<EndpointRow[]> {
  return db.rows(sql`
    select ${endpoint_columns}
    from webhook_endpoints
    where status = 'enabled' and account_id = any(${account_ids}::uuid[])`)
}

/** Those of these endpoints that are enabled and in one of the slots. */
export async function selectNamedEndpoints(
  db: Queryable,
  slots: number[],
  names: EndpointName[],
): Promise<EndpointRow[]> {
  return db.rows(sql`
    select ${endpoint_columns}
    from webhook_endpoints
    where status = 'enabled'
      and id = any(${names.map(({ id }) => id)}::uuid[])
      and account_id = any(${accountsOf(names)}::uuid[])
      and right(account_id::text, 1) = any(${digitsOf(slots)}::text[])`)
}

function digitsOf(slots: number[]): string[] {
  return slots.map((slot) => slot.toString(16))
}
