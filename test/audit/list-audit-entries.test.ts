// GET /v1/audit_log: pages, filters, and how actors and objects are named.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectAuditPage } from '../../src/audit/queries.ts'
import type { Queryable } from '../../src/postgres/database.ts'
import { makeKey } from '../api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { TransactionFixtures } from '../transactions/transaction-fixtures.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const admin = await florin.people.admin()
const till = new TransactionFixtures(florin, admin)
const shop = await till.shop()
const other = await till.shop()

const read = async (query = '', headers: Record<string, string> = {}) =>
  florin.call('GET', `/v1/audit_log${query}`, { token: admin.token, headers })

test('pages walk newest first, both ways, without gaps', async () => {
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
  assert.deepEqual(newer.body.data, [], 'the youngest may still get neighbours')
})

test('filters by object, actor, account and time narrow it down', async () => {
  const id = await till.fund(other, 70)
  const [line] = (await read(`?object=${id}`)).body.data
  assert.deepEqual([line.object_id, line.account_id], [id, other.account_id])
  const of_other = (await read('', { 'florin-account': other.account_id })).body.data
  assert.ok(of_other.length > 0)
  for (const entry of of_other) assert.equal(entry.account_id, other.account_id)
  assert.deepEqual((await read(`?actor=${shop.id}`)).body.data, [])
  const times = `date_from=${line.created_at}&date_to=${line.created_at}`
  const within = (await read(`?${times}&object=${id}`)).body.data
  assert.deepEqual(within, [line])
  assert.deepEqual((await read('?date_to=2020-01-01')).body.data, [])
  const cursor = await read(`?starting_after=${line.id}`, { 'florin-account': shop.account_id })
  assert.equal(cursor.status, 400, 'not an entry of this list')
})

test('a key is named as a key, and an operator as nobody', async () => {
  const { id, key } = await makeKey(florin, admin, ['*'], { role: 'platform' })
  const transaction = await till.pending(shop)
  const settled = await florin.call('POST', `/v1/transactions/${transaction}/settle`, {
    token: key,
    body: { outcome: 'failed', reason: 'bounced' },
  })
  assert.equal(settled.status, 200, settled.text)
  const [line] = (await read(`?actor=${id}`)).body.data
  assert.deepEqual([line.actor_role, line.actor_id], ['platform', id])
  assert.deepEqual(line.details, { outcome: 'failed', reason: 'bounced' })
  const made = (await read('?action=user.created&limit=100')).body.data
  const [admins] = made.filter((entry: { object_id: string }) => entry.object_id === admin.id)
  assert.deepEqual([admins.actor_role, admins.actor_id], ['operator', null])
  assert.deepEqual(admins.details, { role: 'admin' })
})

test('malformed filters are refused with the field and the rule', async () => {
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

test('the few steps of the clock are found without reading the log', async () => {
  await florin.db.pool.query(
    `insert into audit_log (id, actor_role, action, details)
     select gen_random_uuid(), 'admin', 'crowd.made', '{}' from generate_series(1, 20000)`,
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
  await florin.db.pool.query("delete from audit_log where action = 'crowd.made'")
})
