import type { Queryable } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import { endpoint_columns } from '../queries.ts'

interface SubscribedAccount {
  account_id: string
  /** The cursor of the endpoint that is furthest behind. */
  event_sequence: number
}

/** Accounts with enabled endpoints in these slots. The last hex digit of the id is the slot. */
export async function selectSubscribedAccounts(
  db: Queryable,
  slots: number[],
): Promise<SubscribedAccount[]> {
  // A loose index scan: one lookup per account, however many endpoints it has.
  return db.rows(sql`
    select subscribed.account_id, subscribed.event_sequence
    from unnest(${slots.map((slot) => slot.toString(16))}::text[]) as it (slot)
    cross join lateral (
      with recursive first as (
        (select account_id, event_sequence
        from webhook_endpoints
        where status = 'enabled' and right(account_id::text, 1) = it.slot
        order by account_id, event_sequence
        limit 1)
        union all
        select next.account_id, next.event_sequence
        from first
        cross join lateral (
          select account_id, event_sequence
          from webhook_endpoints
          where status = 'enabled' and right(account_id::text, 1) = it.slot
            and account_id > first.account_id
          order by account_id, event_sequence
          limit 1) as next
      )
      select account_id, event_sequence
      from first) as subscribed`)
}

/** The endpoints with due deliveries. */
export async function selectDueEndpoints(db: Queryable, slots: number[]): Promise<EndpointName[]> {
  // A loose index scan: one lookup per endpoint with pending deliveries.
  return db.rows(sql`
    with recursive waiting as (
      (select account_id, endpoint_id, next_at
      from webhook_deliveries
      where status = 'pending'
      order by account_id, endpoint_id, next_at
      limit 1)
      union all
      select next.account_id, next.endpoint_id, next.next_at
      from waiting
      cross join lateral (
        select account_id, endpoint_id, next_at
        from webhook_deliveries
        where status = 'pending'
          and (account_id, endpoint_id) > (waiting.account_id, waiting.endpoint_id)
        order by account_id, endpoint_id, next_at
        limit 1) as next
    )
    select account_id, endpoint_id as id
    from waiting
    where next_at <= now()
      and right(account_id::text, 1) = any(${slots.map((slot) => slot.toString(16))}::text[])`)
}

/** Enabled endpoints of these accounts, with these names, or with a replay or final event. */
export async function selectEndpointRows(
  db: Queryable,
  slots: number[],
  account_ids: string[],
  names: EndpointName[],
): Promise<EndpointRow[]> {
  const digits = slots.map((slot) => slot.toString(16))
  return db.rows(sql`
    select ${endpoint_columns}
    from webhook_endpoints
    where status = 'enabled' and account_id = any(${account_ids}::uuid[])
    union all
    select ${endpoint_columns}
    from webhook_endpoints
    where status = 'enabled' and (replay_after is not null or final_sequence is not null)
      and right(account_id::text, 1) = any(${digits}::text[])
    union all
    select endpoint.*
    from unnest(${names.map(({ account_id }) => account_id)}::uuid[],
      ${names.map(({ id }) => id)}::uuid[]) as it (account_id, id)
    cross join lateral (
      select ${endpoint_columns}
      from webhook_endpoints
      where status = 'enabled'
        and webhook_endpoints.account_id = it.account_id and webhook_endpoints.id = it.id
        and right(webhook_endpoints.account_id::text, 1) = any(${digits}::text[])) as endpoint`)
}
