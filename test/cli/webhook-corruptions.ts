// Corruptions of webhook data. The seeded database has no webhooks, so each one creates them first.

import type { Corruption } from './corruptions.ts'

/** An endpoint of the busiest account. By default it has processed all events. */
const endpoint = (columns: { status?: string; event_sequence?: string } = {}) => `
  insert into webhook_endpoints (account_id, id, url, events, status, disabled_reason, secret,
    event_sequence, updated_at)
  select account_id, '00000000-0000-7000-8000-000000000001', 'https://example.com/', '{*}',
    '${columns.status ?? 'enabled'}',
    ${columns.status === 'disabled' ? `'manual'` : 'null'}, 'whsec_',
    ${columns.event_sequence ?? 'event_sequence'}, now()
  from balances
  order by posting_sequence desc
  limit 1;`

/** A delivery to that endpoint. By default it is of the account's last event. */
const delivery = (columns: { status?: string; event_id?: string; sequence?: string } = {}) => `
  insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type,
    event_sequence, status, next_at)
  select events.account_id, '00000000-0000-7000-8000-000000000002',
    '00000000-0000-7000-8000-000000000001', ${columns.event_id ?? 'events.id'}, events.type,
    ${columns.sequence ?? 'events.sequence'}, '${columns.status ?? 'succeeded'}',
    ${columns.status === 'pending' ? 'now()' : 'null'}
  from (select * from balances order by posting_sequence desc limit 1) as busiest
  join events on events.account_id = busiest.account_id
    and events.sequence = busiest.event_sequence;`

const numbered = (sequence: string) =>
  `(left(events.id::text, 26) || lpad(to_hex(${sequence}), 10, '0'))::uuid`

export const webhook_corruptions: Corruption[] = [
  {
    what: 'no difference in a valid endpoint',
    sql: endpoint() + delivery({ status: 'pending' }),
    rules: [],
  },
  {
    what: 'an endpoint past the last event',
    sql: endpoint({ event_sequence: 'event_sequence + 3' }),
    rules: ['endpoints_follow_events'],
    shows: /^we_\w+: found event \d+, expected \d+ or less$/,
  },
  {
    what: 'a pending delivery of a disabled endpoint',
    sql: endpoint({ status: 'disabled' }) + delivery({ status: 'pending' }),
    rules: ['disabled_endpoints_have_no_pending'],
    shows: /^we_\w+: found 1 pending deliveries, expected none$/,
  },
  {
    what: 'a pending delivery of a deleted endpoint',
    sql: delivery({ status: 'pending' }),
    rules: ['deliveries_have_an_endpoint'],
  },
  {
    what: 'a delivery of an event that does not exist',
    sql:
      endpoint() +
      delivery({ event_id: numbered('events.sequence + 1'), sequence: 'events.sequence + 1' }),
    rules: ['deliveries_follow_events'],
    shows: /^webhook deliveries: found one of event \d+, expected \d+ or less$/,
  },
  {
    what: 'a delivery with the id of another event',
    sql: endpoint() + delivery({ event_id: numbered('255') }),
    rules: ['deliveries_name_their_event'],
    shows: /^wd_\w+: found event 255, expected event \d+$/,
  },
  {
    what: 'an attempt without a delivery',
    sql: `insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms)
      select account_id, '00000000-0000-7000-8000-000000000003', now(), 'https://example.com/', 1
      from balances
      order by posting_sequence desc
      limit 1`,
    rules: ['attempts_have_a_delivery'],
    shows: /^wd_\w+: found 1 attempts without a delivery, expected none$/,
  },
  {
    what: 'a delivery that counts too few attempts',
    sql: `${endpoint() + delivery()}
      insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms)
      select account_id, id, now(), 'https://example.com/', 1 from webhook_deliveries`,
    rules: ['attempts_are_counted'],
    shows: /^wd_\w+: found 0 attempts, expected at least the 1 recorded$/,
  },
  {
    what: 'an enabled endpoint of a closed account',
    sql: `${endpoint()}
      update balances set status = 'closed'
        where account_id = (select account_id from webhook_endpoints);
      update accounts set status = 'closed', closed_at = now()
        where id = (select account_id from webhook_endpoints)`,
    rules: [
      'closed_accounts_end_webhooks',
      'closed_accounts_have_no_users',
      'counts_match',
      'counts_match',
    ],
  },
  {
    what: 'an event stored under two sequence numbers',
    sql: `insert into events (account_id, sequence, id, type, object_id, at, data)
      select account_id, sequence + 1, id, type, object_id, at, data from events
      where (account_id, sequence) =
        (select account_id, event_sequence from balances order by posting_sequence desc limit 1)`,
    rules: ['event_ids_carry_their_number', 'event_sequence_matches'],
  },
]
