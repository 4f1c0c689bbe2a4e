// The cost of the worker's poll, which runs several times per second: it reads only active
// endpoints, however many are idle or disabled. Uses a separate database with generated rows.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { selectDeliveryPage } from '../../src/webhooks/queries.ts'
import { findActive } from '../../src/webhooks/sending/find-active.ts'
import {
  selectDueEndpoints,
  selectReplayingEndpoints,
  selectSubscribedAccounts,
} from '../../src/webhooks/sending/polling-queries.ts'
import { genericPlan } from '../support/generic-plan.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { all_slots } from './run-dispatcher.ts'

const { connection, name } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
const db: Db = openDatabase(connection)
after(async () => {
  await db.close()
  await client.end()
  await dropDatabase(name)
  await stopOwnServer()
})

const accounts = 1_000
const idle_of_each = 20

/** The id of the account, or of the endpoint, with this number. */
const id = (n: string) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

// All cursors are at the account's last event. Half of the endpoints are disabled.
await client.query(
  `insert into balances
   select ${id('n')}, 'USD', 'active', 0, 0, 0, 0, 5, ${id('0')}, now()
   from generate_series(1, ${accounts}) as n;
   insert into webhook_endpoints (account_id, id, url, events, status, disabled_reason, secret,
     event_sequence, updated_at)
   select ${id(`n % ${accounts} + 1`)}, ${id('n')}, 'https://example.com/' || n, '{*}',
     case when n % 2 = 0 then 'enabled' else 'disabled' end,
     case when n % 2 = 0 then null else 'manual' end, 'whsec_' || repeat('x', 32), 5, now()
   from generate_series(1, ${2 * accounts * idle_of_each}) as n`,
)
await client.query('vacuum analyze')

// An index entry costs a visit of its row as long as another transaction of the server, such as one
// of another test, keeps VACUUM from marking the page as visible. Three lookups for each account.
const pages_max = accounts * (idle_of_each + 3)

async function active(): Promise<string[]> {
  const rows = await findActive(db, all_slots, [])
  return rows.map((row) => Number.parseInt(row.id.slice(24), 16).toString()).sort()
}

test('the poll reads no more than an index entry of an idle endpoint', async () => {
  const subscribed = await genericPlan(client, (it) => selectSubscribedAccounts(it, all_slots))
  assert.ok(subscribed.buffers < pages_max, JSON.stringify(subscribed))
  assert.ok(!subscribed.indexes.includes('webhook_endpoints_pkey'), JSON.stringify(subscribed))
  const rows = await genericPlan(client, (it) => selectReplayingEndpoints(it, all_slots))
  assert.ok(rows.buffers < 10, JSON.stringify(rows))
  assert.deepEqual(await active(), [])
})

test('finds only endpoints that are behind, due, replaying or ending', async () => {
  await client.query(
    `update balances set event_sequence = 6 where account_id = ${id('4')};
     update webhook_endpoints set event_sequence = 6
       where account_id = ${id('4')} and id <> ${id('20003')};
     update webhook_endpoints set replay_after = 0, replay_through = 5 where id = ${id('30')};
     update webhook_endpoints set final_sequence = 5 where id = ${id('40')};
     insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type,
       event_sequence, status, next_at)
     select account_id, id, id, id, 'account.updated', 1, 'pending',
       now() + case id when ${id('50')} then interval '0' else interval '1 hour' end
     from webhook_endpoints where id in (${id('50')}, ${id('60')})`,
  )
  const of_fourth = await client.query(
    `select id from webhook_endpoints where account_id = ${id('4')} and status = 'enabled'`,
  )
  const found = await active()
  // All endpoints of an account are read if one is behind.
  assert.equal(found.length, of_fourth.rows.length + 3)
  for (const one of ['30', '40', '50']) assert.ok(found.includes(one), one)
  assert.ok(!found.includes('60'), '60 is due in an hour')
})

test('a long backlog of retries costs one index lookup per endpoint', async () => {
  await client.query('begin')
  try {
    await client.query(
      `insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type,
         event_sequence, status, next_at)
       select ${id('1')}, gen_random_uuid(), ${id('2000')}, ${id('1')}, 'account.updated', n,
         'pending', now() + interval '1 hour'
       from generate_series(1, 20000) as n;
       analyze webhook_deliveries`,
    )
    const subscribed = await genericPlan(client, (it) => selectSubscribedAccounts(it, all_slots))
    assert.ok(subscribed.buffers < pages_max, JSON.stringify(subscribed))
    const account_id = '01900000-0000-7000-8000-000000000001'
    const due = await genericPlan(client, (it) => selectDueEndpoints(it, [account_id]))
    assert.ok(due.buffers < 10 * idle_of_each, JSON.stringify(due))
  } finally {
    await client.query('rollback')
  }
})

test('includes busy endpoints of its slots only', async () => {
  const { rows } = await client.query(
    `select account_id, id from webhook_endpoints where id = ${id('70')}`,
  )
  const [busy] = rows
  const slot = Number.parseInt(busy.account_id.at(-1), 16)
  const read = async (slots: number[]) =>
    (await findActive(db, slots, [busy])).some((one) => one.id === busy.id)
  assert.deepEqual([await read([slot]), await read([(slot + 1) % 16])], [true, false])
})

const account_id = '00000000-0000-7000-8000-000000000001'
await client.query(
  `insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type, test_body,
     status, next_at, attempted_at, response_status)
   select '${account_id}', gen_random_uuid(), '${account_id}', '${account_id}', 'x', 'x',
     case when n % 1000 = 0 then 'pending' else 'succeeded' end,
     case when n % 1000 = 0 then now() end, now(), case when n % 2000 = 0 then 500 else 200 end
   from generate_series(1, 20000) as n`,
)
await client.query('vacuum analyze webhook_deliveries')

for (const status of ['pending', 'retrying'] as const) {
  test(`the filter ${status} reads only open deliveries`, async () => {
    const plan = await genericPlan(client, (it) =>
      selectDeliveryPage(
        it,
        {
          account_id,
          endpoint_id: undefined,
          event_id: undefined,
          statuses: [status],
          before_id: undefined,
        },
        { before: null, after: null, limit: 21 },
      ),
    )
    assert.deepEqual(plan.indexes, ['webhook_deliveries_due'])
  })
}
