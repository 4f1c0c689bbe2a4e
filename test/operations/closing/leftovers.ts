// Accounts with more rows than one request can end. The rows are inserted by SQL, as the API would
// leave them.

import assert from 'node:assert/strict'
import pg from 'pg'
import { cleanUpSlice } from '../../../src/operations/clean-up.ts'
import type { Db } from '../../../src/postgres/database.ts'
import { findUuid, newUuid, toTypeId } from '../../../src/primitives/ids.ts'
import type { SubscriptionFixtures } from '../../subscriptions/subscription-fixtures.ts'
import type { Florin } from '../../support/florin.ts'
import type { Shop } from '../../transactions/transaction-fixtures.ts'

/** Adds members who never logged in; their emails start with `name`. */
export async function addMembers(
  { db }: Florin,
  account_uuid: string,
  count: number,
  name: string,
): Promise<void> {
  const ids = Array.from({ length: count }, () => newUuid(Date.now()))
  const emails = ids.map((_, at) => `${name}-${at}@example.com`)
  await db.pool.query(
    `with added as (
       insert into users (id, account_id, role, status, email, email_canonical, name,
         password_hash, search, updated_at)
       select id, $1, 'member', 'active', email, email, null, 'no hash', email, now()
       from unnest($2::uuid[], $3::text[]) as it (id, email)
       returning id, email
     ), claimed as (
       insert into email_claims (email_canonical, user_id) select email, id from added
     )
     insert into list_counts (list, status, type, slot, n)
     select 'users', 'active', '', ('x' || right(id::text, 1))::bit(4)::int, count(*)
     from added group by right(id::text, 1)
     on conflict (list, status, type, slot) do update set n = list_counts.n + excluded.n`,
    [account_uuid, ids, emails],
  )
}

/** Adds copies of a paused subscription with a canceled request, including all their rows. */
export async function addPaused(
  plans: SubscriptionFixtures,
  shop: Shop,
  count: number,
): Promise<void> {
  const id = await plans.createSubscription(shop)
  await plans.patchSubscription(shop, id, { status: 'paused' })
  const pool = plans.florin.db.pool
  const request = await pool.query(
    `select payment_id from subscription_periods where account_id = $1
     order by subscription_id desc limit 1`,
    [shop.uuid],
  )
  const { payment_id } = request.rows[0]
  const canceled = await plans.florin.call('GET', '/v1/payments', { token: shop.token })
  await plans.cancelPayment(shop, canceled.body.data[0].id)
  const first = findUuid('subscription', id)!
  const names = Array.from({ length: count }, (_, at) => {
    const copy = first.slice(0, 24) + (at + 1).toString(16).padStart(12, '0')
    return toTypeId('subscription', copy)
  })
  await inTransaction(plans.florin, async (client) => {
    await client.query(requestsText, [shop.uuid, payment_id, names, id])
    for (const text of copyTexts) await client.query(text, [shop.uuid, payment_id, count])
  })
}

async function inTransaction(
  { connection }: Florin,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

// A copy has the id of the original, with its number in the last twelve digits.
const copyOf = (id: string) => `(left(${id}::text, 24) || lpad(to_hex(n), 12, '0'))::uuid`
const copies = `cross join generate_series(1, $3::int) as n`
const period = `(
  select * from subscription_periods where account_id = $1 and payment_id = $2) as p`

const requestsText = `
  insert into payment_requests (account_id, id, status, amount, currency, customer_email, token,
     declines, sends, transaction_id, expires_at, due_at, updated_at, reference, metadata)
   select r.account_id, ${copyOf('r.id')}, r.status, amount, currency, customer_email,
     left(token, 31) || lpad(to_hex(n), 12, '0'), declines, sends, transaction_id, expires_at,
     due_at, updated_at, reference, replace(metadata, $4, name)
   from payment_requests as r cross join unnest($3::text[]) with ordinality as it (name, n)
   where r.account_id = $1 and r.id = $2`

const copyTexts = [
  `insert into payment_links (token, account_id, payment_id)
   select left(token, 31) || lpad(to_hex(n), 12, '0'), account_id, ${copyOf('payment_id')}
   from payment_links ${copies} where account_id = $1 and payment_id = $2`,
  `insert into subscriptions (account_id, id, status, customer_email, amount, currency,
     interval_unit, interval_count, next_period, next_at, updated_at, reference, metadata)
   select s.account_id, ${copyOf('s.id')}, status, customer_email, amount, currency,
     interval_unit, interval_count, next_period, next_at, updated_at, reference, metadata
   from subscriptions as s join ${period} on p.subscription_id = s.id ${copies}
   where s.account_id = $1`,
  `insert into events (account_id, sequence, id, type, object_id, at, data)
   select account_id, sequence,
     (left(id::text, 26) || lpad(to_hex(sequence), 10, '0'))::uuid, type, object_id, at, data
   from (
     select e.account_id, e.id, type, ${copyOf('object_id')} as object_id, event_end.at, data,
       event_sequence + row_number() over (order by n, e.sequence) as sequence
     from events as e
     join ${period} on e.object_id in (p.subscription_id, p.payment_id)
     join (
       select event_sequence, last_at as at from balances where account_id = $1
     ) as event_end on true ${copies}
     where e.account_id = $1) as copied`,
  `insert into subscription_periods (account_id, subscription_id, period, starts_at, payment_id)
   select account_id, ${copyOf('subscription_id')}, period, starts_at, ${copyOf('payment_id')}
   from subscription_periods ${copies} where account_id = $1 and payment_id = $2`,
  `update balances
   set event_sequence = (select max(sequence) from events where account_id = $1),
     last_transaction_id = (left($2::uuid::text, 24) || 'ffffffffffff')::uuid
   where account_id = $1 and $3 > 0`,
]

/** Makes every slice fail until letSlicesRun is called. */
export async function stopSlices({ db }: Florin): Promise<void> {
  await db.pool.query(`
    create or replace function stop_slices() returns trigger language plpgsql as $$
      begin
        raise exception 'slices are stopped';
      end $$;
    create or replace trigger stopped before update or delete on account_closings
      for each row execute function stop_slices()`)
}

export async function letSlicesRun({ pool }: Pick<Db, 'pool'>): Promise<void> {
  // Citus rejects statements about triggers, also about those that do not exist.
  const found = await pool.query(`select from pg_trigger where tgname = 'stopped'`)
  if (found.rowCount! > 0) await pool.query('drop trigger if exists stopped on account_closings')
}

/** Runs all remaining slices, one after the other. */
export async function cleanUp({ db, config }: Florin, account_uuid: string): Promise<number> {
  await letSlicesRun(db)
  const parts = { db, public_url: config.public_url }
  for (let slices = 1; ; slices++) {
    if (!(await cleanUpSlice(parts, account_uuid))) return slices
    assert.ok(slices < 10_000)
  }
}

export async function countLeft({ db }: Florin, account_uuid: string) {
  const { rows } = await db.pool.query(
    `select
       (select count(*) from users where account_id = $1)::int as users,
       (select count(*) from subscriptions
        where account_id = $1 and status <> 'canceled')::int as subscriptions,
       (select count(*) from account_closings where account_id = $1)::int as closings`,
    [account_uuid],
  )
  return rows[0] as { users: number; subscriptions: number; closings: number }
}

/** Deletes the account: the invariant checks after the test would take too long. */
export function forget(florin: Florin, account_uuid: string): Promise<void> {
  return inTransaction(florin, async (client) => {
    const tables = ['events', 'subscription_periods', 'payment_links', 'payment_requests']
    for (const table of [...tables, 'subscriptions', 'balances']) {
      await client.query(`delete from ${table} where account_id = $1`, [account_uuid])
    }
    await client.query(
      `with gone as (delete from accounts where id = $1 returning status, type, id)
       update list_counts set n = n - 1 from gone
       where list = 'accounts' and list_counts.status = gone.status
         and list_counts.type = gone.type
         and slot = ('x' || right(gone.id::text, 1))::bit(4)::int`,
      [account_uuid],
    )
  })
}
