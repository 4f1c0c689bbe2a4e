// The same for webhooks. The seeded database has none, so each statement makes its own first.

import type { Corruption } from './corruptions.ts'

/** An endpoint of the busiest account that has seen all of its events, unless told otherwise. */
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

/** A delivery to it of the account's last event, unless told otherwise. */
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
    what: 'nothing wrong with an endpoint that is well',
    sql: endpoint() + delivery({ status: 'pending' }),
    rules: [],
  },
  {
    what: 'an endpoint that has seen what never happened',
    sql: endpoint({ event_sequence: 'event_sequence + 3' }),
    rules: ['endpoints_follow_events'],
    says: /^we_\w+: found event \d+, expected \d+ or less$/,
  },
  {
    what: 'a delivery that waits at a disabled endpoint',
    sql: endpoint({ status: 'disabled' }) + delivery({ status: 'pending' }),
    rules: ['disabled_endpoints_rest'],
    says: /^we_\w+: found 1 pending deliveries, expected none$/,
  },
  {
    what: 'a delivery that waits for an endpoint which is gone',
    sql: delivery({ status: 'pending' }),
    rules: ['deliveries_have_an_endpoint'],
  },
  {
    what: 'a delivery of an event that never happened',
    sql:
      endpoint() +
      delivery({ event_id: numbered('events.sequence + 1'), sequence: 'events.sequence + 1' }),
    rules: ['deliveries_follow_events'],
    says: /^webhook deliveries: found one of event \d+, expected \d+ or less$/,
  },
  {
    what: 'a delivery that names another event than its own',
    sql: endpoint() + delivery({ event_id: numbered('255') }),
    rules: ['deliveries_name_their_event'],
    says: /^wd_\w+: found event 255, expected event \d+$/,
  },
  {
    what: 'a try of no delivery',
    sql: `insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms)
      select account_id, '00000000-0000-7000-8000-000000000003', now(), 'https://example.com/', 1
      from balances
      order by posting_sequence desc
      limit 1`,
    rules: ['attempts_have_a_delivery'],
    says: /^wd_\w+: found 1 attempts without a delivery, expected none$/,
  },
  {
    what: 'a delivery that counts fewer attempts than it made',
    sql: `${endpoint() + delivery()}
      insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms)
      select account_id, id, now(), 'https://example.com/', 1 from webhook_deliveries`,
    rules: ['attempts_are_counted'],
    says: /^wd_\w+: found 0 attempts, expected at least the 1 recorded$/,
  },
  {
    what: 'an endpoint of a closed account that never ends',
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
    what: 'an event that is there twice under two numbers',
    sql: `insert into events (account_id, sequence, id, type, object_id, at, data)
      select account_id, sequence + 1, id, type, object_id, at, data from events
      where (account_id, sequence) =
        (select account_id, event_sequence from balances order by posting_sequence desc limit 1)`,
    rules: ['event_ids_carry_their_number', 'event_sequence_matches'],
  },
]
