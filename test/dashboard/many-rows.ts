// Fills every list of the dashboard with many rows: creates one object of each kind over the API
// and copies its row in SQL with unique keys, which takes seconds for a million rows. The copies
// are valid for lists only: `florin verify` would fail on such a database.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { findUuid } from '../../src/primitives/ids.ts'

/** `POST` with a body and `GET` without, as the owner of the token. */
export type PostOrGet = (token: string, path: string, body?: object) => Promise<{ id: string }>

export interface ManyRows {
  payment: string
  subscription: string
  endpoint: string
}

interface Person {
  token: string
  account_id: string
  currency: string
}

export async function makeManyRows(
  client: pg.Client,
  send: PostOrGet,
  owner: Person,
  count: number,
): Promise<ManyRows> {
  const originals = await makeOneOfEach(send, owner)
  const account_id = `'${findUuid('account', owner.account_id)}'`
  const copy = (table: string, from: string, fields: Record<string, string>) =>
    copyRow(client, { table, from, fields, count })
  const of_owner = `account_id = ${account_id}`
  await copy('payment_requests', of_owner, {
    id: past_id,
    token: `'copy-' || n`,
    status: `case when n % 50 = 0 then 'pending' when n % 50 = 1 then 'failed' else 'canceled' end`,
    due_at: `case when n % 50 = 0 then row.due_at end`,
    transaction_id: 'null::uuid',
    customer_email: `'customer-' || n % 1000 || '@example.com'`,
  })
  await copy('subscriptions', of_owner, {
    id: past_id,
    status: `case when n % 50 = 0 then 'paused' else 'canceled' end`,
    next_at: 'null::timestamptz',
  })
  await copy('emails', of_owner, {
    id: past_id,
    cause: `'copy ' || n`,
    recipient: `'customer-' || n % 1000 || '@example.com'`,
  })
  await copy('webhook_deliveries', of_owner, { id: past_id })
  await waitForRequestLog(client)
  await copy('request_logs', of_owner, { entry_id: past_id, id: past_id })
  await copy('audit_log', 'true', { id: past_id })
  // Few per user or account, but many on the server.
  await copy('sessions', 'true', { id: past_id, user_id: 'gen_random_uuid()' })
  await copy('api_keys', 'account_id is not null', { id: past_id, account_id: 'gen_random_uuid()' })
  await copy('webhook_endpoints', 'true', { id: past_id, account_id: 'gen_random_uuid()' })
  await copy('users', `role = 'owner'`, {
    id: past_id,
    email: `'user-' || n || '@example.com'`,
    email_canonical: `'user-' || n || '@example.com'`,
    search: `'user ' || n || E'\\n' || 'user-' || n || '@example.com'`,
  })
  await copy('accounts', 'true', { id: past_id, name: `'Shop ' || n`, search: `'shop ' || n` })
  await client.query(`update list_counts set n = n + $1 where n > 0`, [count])
  await client.query('vacuum analyze')
  return originals
}

async function makeOneOfEach(send: PostOrGet, person: Person): Promise<ManyRows> {
  const { token, account_id, currency } = person
  const fields = { amount: 4_200, currency, customer_email: 'customer-7@example.com' }
  const { id: payment } = await send(token, '/v1/payments', { account_id, ...fields })
  const plan = { ...fields, interval: 'month' }
  const { id: subscription } = await send(token, '/v1/subscriptions', plan)
  const hook = { url: 'https://example.com/hook', events: ['*'] }
  const { id: endpoint } = await send(token, '/v1/webhook_endpoints', hook)
  await send(token, `/v1/webhook_endpoints/${endpoint}/test`, {})
  await send(token, '/v1/api_keys', { name: 'Shop', scopes: ['payments:read'] })
  return { payment, subscription, endpoint }
}

/** The server writes its request log in batches, with a delay. */
async function waitForRequestLog(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from request_logs limit 1')
  if (rowCount !== 0) return
  await sleep(100)
  await waitForRequestLog(client)
}

// Unique ids from the last hundred days.
const now_ms = '(extract(epoch from now()) * 1000)::bigint'
const past_ms = `(${now_ms} - 8640::bigint * (1000000 - n % 1000000))`
const past_id = `(lpad(to_hex(${past_ms} >> 16), 8, '0') || '-' ||
  lpad(to_hex(${past_ms} & 65535), 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`

interface RowCopy {
  table: string
  /** The condition that selects the row to copy. */
  from: string
  /** Columns that differ from that row: SQL with `n` and `row`. */
  fields: Record<string, string>
  count: number
}

async function copyRow(client: pg.Client, { table, from, fields, count }: RowCopy): Promise<void> {
  const { rows } = await client.query(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  const names: string[] = rows.map(({ name }) => name)
  const { rowCount } = await client.query(
    `insert into ${table} (${names.join(', ')})
     select ${names.map((name) => fields[name] ?? `row.${name}`).join(', ')}
     from (select * from ${table} where ${from} limit 1) as row
     cross join generate_series(1, ${count}) as n`,
  )
  assert.equal(rowCount, count, `${table} has nothing to copy`)
}
