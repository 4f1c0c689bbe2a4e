import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { sql } from '../postgres/sql.ts'
import type { EndpointName } from './endpoint.ts'

export interface EndpointFacts extends EndpointName {
  status: string
  event_sequence: number
  final_sequence: number | null
  pending: number
}

/** Includes a row with null status for pending deliveries without an endpoint. */
export async function selectEndpointFacts(
  db: Queryable,
  range: AccountRange,
): Promise<(EndpointFacts | (EndpointName & { status: null; pending: number }))[]> {
  return db.rows(sql`
    with pending_deliveries as (
      select account_id, endpoint_id as id, count(*) as pending
      from webhook_deliveries
      where status = 'pending' and account_id > ${range.after} and account_id <= ${range.through}
      group by account_id, endpoint_id
    ), endpoints as (
      select account_id, id, status, event_sequence, final_sequence
      from webhook_endpoints
      where account_id > ${range.after} and account_id <= ${range.through}
    )
    select account_id, id, status, event_sequence, final_sequence, coalesce(pending, 0) as pending
    from endpoints
    full join pending_deliveries using (account_id, id)
    order by account_id, id`)
}

export interface OrphanedAttempts {
  account_id: string
  delivery_id: string
  attempts: number
}

/** Attempts without a delivery. */
export async function selectOrphanedAttempts(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<OrphanedAttempts[]> {
  return db.rows(sql`
    select account_id, delivery_id, count(*) as attempts
    from webhook_attempts
    where account_id > ${range.after} and account_id <= ${range.through}
      and not exists (
        select 1
        from webhook_deliveries
        where webhook_deliveries.account_id = webhook_attempts.account_id
          and webhook_deliveries.id = webhook_attempts.delivery_id)
    group by account_id, delivery_id
    order by account_id, delivery_id
    limit ${limit}`)
}

export interface MiscountedDelivery {
  account_id: string
  id: string
  attempts: number
  recorded: number
}

/** Deliveries that count fewer attempts than are recorded. */
export async function selectMiscounted(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<MiscountedDelivery[]> {
  return db.rows(sql`
    with past as (
      select account_id, delivery_id, count(*) as n, max(attempted_at) as last_at
      from webhook_attempts
      where account_id > ${range.after} and account_id <= ${range.through}
      group by account_id, delivery_id
    ), counted as (
      select delivery.account_id, delivery.id,
        n + (attempted_at is not null and attempted_at <> last_at)::integer as recorded,
        earlier_attempts + attempts - (lease_id is not null)::integer as attempts
      from past
      join webhook_deliveries as delivery
        on delivery.account_id = past.account_id and delivery.id = past.delivery_id
    )
    select account_id, id, attempts, recorded
    from counted
    where recorded > attempts
    order by account_id, id
    limit ${limit}`)
}

export interface FurthestDelivery {
  account_id: string
  event_sequence: number
}

/** The highest event sequence among each account's deliveries. */
export async function selectFurthestDeliveries(
  db: Queryable,
  range: AccountRange,
): Promise<FurthestDelivery[]> {
  return db.rows(sql`
    select account_id, max(event_sequence) as event_sequence
    from webhook_deliveries
    where account_id > ${range.after} and account_id <= ${range.through}
      and event_sequence is not null
    group by account_id`)
}

export interface NumberedDelivery {
  account_id: string
  id: string
  event_id: string
  event_sequence: number
}

/** Deliveries whose event id encodes a different sequence. */
export async function selectMisnamed(
  db: Queryable,
  range: AccountRange,
  limit: number,
): Promise<NumberedDelivery[]> {
  return db.rows(sql`
    select account_id, id, event_id, event_sequence
    from webhook_deliveries
    where account_id > ${range.after} and account_id <= ${range.through}
      and right(event_id::text, 10) <> lpad(to_hex(event_sequence), 10, '0')
    order by account_id, id
    limit ${limit}`)
}
