// GET /v1/audit_log: pages, filters, and the ids of actors and objects.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectAuditPage } from '../../src/audit/queries.ts'
import type { Queryable } from '../../src/postgres/database.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { queryWithoutTimeout } from '../support/without-timeout.ts'
import { TransactionFixtures } from '../transactions/transaction-fixtures.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const admin = await florin.people.admin()
const till = new TransactionFixtures(florin, admin)
const shop = await till.shop()
const other = await till.shop()

const read = async (query = '', headers: Record<string, string> = {}) =>
  florin.call('GET', `/v1/audit_log${query}`, { token: admin.token, headers })

test('pages are sorted newest first, in both directions, without gaps', async () => {
  for (let n = 0; n < 5; n += 1) await till.fund(shop, 100 + n)
  const all = (await read('?action=transaction.settled')).body.data
  assert.equal(all.length, 5)
  const keys = 'id action actor_role actor_id object_id account_id request_id details created_at'
  assert.deepEqual(Object.keys(all[0]), keys.split(' '))
  assert.deepEqual(all[0].details, { outcome: 'succeeded' })
  const page = (await read('?action=transaction.&limit=2')).body
  assert.deepEqual([page.data, page.has_more], [all.slice(0, 2), true])
  const query = `?action=transaction.&limit=2&starting_after=${all[1].id}`
  assert.deepEqual((await read(query)).body.data, all.slice(2, 4))
  const newer = await read(`?action=transaction.&ending_before=${all[2].id}`)
  assert.deepEqual(newer.body.data, [], 'paging to newer entries skips the most recent ones')
})

test('entries can be filtered by object, actor, account and time', async () => {
  const id = await till.fund(other, 70)
  const [entry] = (await read(`?object=${id}`)).body.data
  assert.deepEqual([entry.object_id, entry.account_id], [id, other.account_id])
  const of_other = (await read('', { 'florin-account': other.account_id })).body.data
  assert.ok(of_other.length > 0)
  for (const { account_id } of of_other) assert.equal(account_id, other.account_id)
  assert.deepEqual((await read(`?actor=${shop.id}`)).body.data, [])
  const times = `date_from=${entry.created_at}&date_to=${entry.created_at}`
  const within = (await read(`?${times}&object=${id}`)).body.data
  assert.deepEqual(within, [entry])
  assert.deepEqual((await read('?date_to=2020-01-01')).body.data, [])
  const cursor = await read(`?starting_after=${entry.id}`, { 'florin-account': shop.account_id })
  assert.equal(cursor.status, 400, 'not an entry of this list')
})

test('actor_id is the id of an API key, and null for an operator', async () => {
  const { id, key } = await makeKey(florin, admin, ['*'], { role: 'platform' })
  const transaction = await till.pending(shop)
  const settled = await florin.call('POST', `/v1/transactions/${transaction}/settle`, {
    token: key,
    body: { outcome: 'failed', reason: 'bounced' },
  })
  assert.equal(settled.status, 200, settled.text)
  const [entry] = (await read(`?actor=${id}`)).body.data
  assert.deepEqual([entry.actor_role, entry.actor_id], ['platform', id])
  assert.deepEqual(entry.details, { outcome: 'failed', reason: 'bounced' })
  const users_created = (await read('?action=user.created&limit=100')).body.data
  const [created] = users_created.filter((one: { object_id: string }) => one.object_id === admin.id)
  assert.deepEqual([created.actor_role, created.actor_id], ['operator', null])
  assert.deepEqual(created.details, { role: 'admin' })
})

test('an invalid filter returns 400 and names the field', async () => {
  for (const [query, field] of [
    ['actor=acct_01h455vb4pex5vsknk084sn02q', 'actor'],
    ['object=x', 'object'],
    ['date_from=now', 'date_from'],
    ['action=%00', 'action'],
    ['limit=0', 'limit'],
  ] as const) {
    const response = await read(`?${query}`)
    assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], query)
    assert.ok(response.body.message.includes(field), response.text)
  }
})

test('clock advances are found by index', async () => {
  await queryWithoutTimeout(
    florin.db.pool,
    `insert into audit_log (id, actor_role, action, details)
     select gen_random_uuid(), 'admin', 'crowd.created', '{}' from generate_series(1, 20000)`,
  )
  await florin.db.pool.query('vacuum analyze audit_log')
  let plan = ''
  const explaining: Queryable = {
    ...florin.db,
    rows: async ({ text, values }) => {
      const { rows } = await florin.db.pool.query(`explain (analyze, buffers) ${text}`, values)
      plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      return []
    },
  }
  const none = { account_id: undefined, actor_id: undefined, object_id: undefined }
  const filter = { ...none, first_id: undefined, last_id: undefined, action: 'clock.advanced' }
  await selectAuditPage(explaining, filter, { before: null, after: null, limit: 21 })
  assert.match(plan, /audit_log_clock_steps/)
  await florin.db.pool.query("delete from audit_log where action = 'crowd.created'")
})
