// A large account must not slow down a small one. In the planner's statistics one account has
// nearly all rows of each table; the tests read the lists of another account with one row.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import {
  searchCustomerRows,
  selectCustomerPage,
  selectCustomersByPrefix,
} from '../../src/customers/queries.ts'
import { selectKeys, selectNewestKeyId } from '../../src/identity/api-keys/queries.ts'
import { selectNewestUserId, selectUsersOfAccount } from '../../src/identity/users/queries.ts'
import {
  searchRequestRows,
  selectRequestsTo,
  selectRequestTotals,
} from '../../src/payments/customer-queries.ts'
import {
  selectPaymentIds,
  selectPaymentPage,
  selectPendingPaymentsOf,
} from '../../src/payments/queries.ts'
import type { Queryable, Tx } from '../../src/postgres/database.ts'
import { max_uuid, nil_uuid } from '../../src/primitives/ids.ts'
import {
  searchSubscriptionRows,
  selectSubscriptionsOf,
  selectSubscriptionTotals,
} from '../../src/subscriptions/customer-queries.ts'
import { selectSubscriptionPage } from '../../src/subscriptions/queries.ts'
import {
  searchTransactionRows,
  selectAccountPages,
  selectPendingOf,
  selectTransactionIds,
  selectTransactionPage,
} from '../../src/transactions/queries.ts'
import { selectDeliveryPage, selectEndpointPage } from '../../src/webhooks/queries.ts'
import { genericPlan } from '../support/generic-plan.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

const { connection, name } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
after(async () => {
  await client.end()
  await dropDatabase(name)
  await stopOwnServer()
})

const large = '01900000-0000-7000-9000-000000000000'
const small = '01900000-0000-7000-8000-000000000001'
const rows_of_large = 20_000

/** Row 0 belongs to the small account and is oldest, so a scan by descending id finds it last. */
const account = `case n when 0 then '${small}' else '${large}' end::uuid`
const id = `('01900000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid`

async function fill(table: string, columns: string, values: string): Promise<void> {
  await client.query(
    `insert into ${table} (account_id, id, ${columns})
     select ${account}, ${id}, ${values} from generate_series(0, ${rows_of_large}) as n`,
  )
}

for (const status of ['pending', 'succeeded', 'failed', 'canceled']) {
  await fill(
    'transactions',
    'status, amount, currency, type, updated_at',
    `'${status}', 1, 'USD', 'payment', now()`,
  )
  const due = status === 'pending' ? 'now()' : 'null'
  const transaction = status === 'succeeded' ? id : 'null'
  await fill(
    'payment_requests',
    `status, amount, currency, customer_email, token, declines, sends, expires_at, updated_at,
     due_at, transaction_id`,
    `'${status}', 1, 'USD', 'a@example.com', '', 0, 1, now() + interval '1 day', now(),
     ${due}::timestamptz, ${transaction}::uuid`,
  )
}
await fill(
  'subscriptions',
  `status, customer_email, amount, currency, interval_unit, interval_count, next_period,
   updated_at`,
  `'paused', 'a@example.com', 1, 'USD', 'day', 1, 1, now()`,
)
await fill('customers', 'email, email_canonical', `n || '@example.com', n || '@example.com'`)
await fill(
  'api_keys',
  'user_id, role, name, scopes, last4',
  `${id}, 'account_key', 'x', '{}', 'abcd'`,
)
await fill(
  'users',
  'role, status, email, email_canonical, password_hash, search, updated_at',
  `'member', 'active', '', '', '', '', now()`,
)
await fill(
  'webhook_endpoints',
  'url, events, status, secret, event_sequence, updated_at',
  `'https://example.com', '{*}', 'enabled', '', 0, now()`,
)
await fill(
  'webhook_deliveries',
  'endpoint_id, event_id, event_type, event_sequence, status',
  `${id}, ${id}, 'account.updated', n, 'succeeded'`,
)
await client.query('vacuum analyze')

const top = { before: null, after: null, limit: 21 }
const filter = { account_id: small, first_id: undefined, last_id: undefined }
const any = { ...filter, status: undefined, type: undefined }
const walk = { after: nil_uuid, limit: 21 }
const oldest = { before: null, after: nil_uuid, limit: 21 }

const typed = { text: 'a@', amount: 1, id_end: undefined }

const lists: Record<string, (db: Queryable) => Promise<unknown>> = {
  transactions: (db) => selectTransactionPage(db, any, top),
  'transactions after a cursor': (db) =>
    selectTransactionPage(db, any, { ...top, after: nil_uuid, before: null }),
  'transactions of one status': (db) =>
    selectTransactionPage(db, { ...any, status: 'failed' }, top),
  'transactions between two dates': (db) =>
    selectTransactionPage(db, { ...any, first_id: nil_uuid, last_id: max_uuid }, top),
  'pages of transactions': (db) =>
    selectAccountPages(db, [{ account_id: small, before: max_uuid, limit: 21, page: 0 }]),
  'pending transactions': (db) => selectPendingOf(db, small, walk),
  'ids of pending transactions': (db) =>
    selectTransactionIds(db, { ...any, status: 'pending', last_id: max_uuid }, oldest),
  'ids of failed transactions': (db) =>
    selectTransactionIds(db, { ...any, status: 'failed', first_id: nil_uuid }, top),
  'search in customers': (db) => searchCustomerRows(db, small, { ...typed, text: '0@' }),
  'search in payment requests': (db) => searchRequestRows(db, small, typed),
  'search in transactions': (db) => searchTransactionRows(db, small, typed),
  'search in subscriptions': (db) => searchSubscriptionRows(db, small, typed),
  customers: (db) => selectCustomerPage(db, small, top),
  'customers by the beginning of the email': (db) => selectCustomersByPrefix(db, small, '0@', top),
  'payment requests of a customer': (db) => selectRequestsTo(db, small, 'a@example.com', top),
  'sums of a customer': (db) => selectRequestTotals(db, small, ['a@example.com'], 100),
  'subscriptions of a customer': (db) => selectSubscriptionsOf(db, small, 'a@example.com', top),
  'subscriptions that a customer has': (db) =>
    selectSubscriptionTotals(db, small, ['a@example.com'], 100),
  'payment requests': (db) => selectPaymentPage(db, any, top),
  'payment requests between two dates': (db) =>
    selectPaymentPage(db, { ...any, first_id: nil_uuid, last_id: max_uuid }, top),
  'payment requests of a subscription': (db) =>
    selectPaymentPage(db, { ...any, ids: [`${small.slice(0, 19)}a000-000000000000`] }, top),
  'pending payment requests': (db) => selectPendingPaymentsOf(db, small, walk),
  'expiring payment requests': (db) =>
    selectPaymentIds(
      db,
      { ...any, status: 'pending', first_id: nil_uuid, last_id: max_uuid },
      oldest,
    ),
  subscriptions: (db) => selectSubscriptionPage(db, any, top),
  'API keys': (db) => selectKeys(db, small, top),
  'newest API key': (db) => selectNewestKeyId(db as Tx, small),
  users: (db) => selectUsersOfAccount(db, small, top),
  'newest user': (db) => selectNewestUserId(db as Tx, small),
  endpoints: (db) => selectEndpointPage(db, small, undefined, top),
  deliveries: (db) =>
    selectDeliveryPage(
      db,
      {
        account_id: small,
        endpoint_id: undefined,
        event_id: undefined,
        statuses: [],
        before_id: max_uuid,
      },
      top,
    ),
}

for (const [list, read] of Object.entries(lists)) {
  test(`reads no rows of a large account for a small one: ${list}`, async () => {
    const plan = await genericPlan(client, read)
    assert.equal(plan.removed, 0, JSON.stringify(plan))
    assert.ok(plan.buffers < 40, JSON.stringify(plan))
  })
}
