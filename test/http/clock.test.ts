// POST /v1/sandbox/clock/advance moves business time for every process and processes what became
// due before it responds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveClock, offset_max_ms, readTime } from '../../src/postgres/clock.ts'
import { findUuid, timeOfUuid } from '../../src/primitives/ids.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { countStatus, makeDue, settledOnce, shopsInSlots } from '../transactions/due.ts'
import {
  openTransactionFixtures,
  type Shop,
  waitForWaiters,
} from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openTransactionFixtures(florin)
const path = '/v1/sandbox/clock/advance'

function advance(seconds: unknown, call = florin.call) {
  return call('POST', path, { token: fixtures.admin.token, body: { seconds } })
}

async function offsetOf(): Promise<number> {
  return (await florin.db.pool.query('select offset_ms from clock')).rows[0].offset_ms
}

test('returns the new time after settling what became due', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  const failing = await fixtures.create(shop, { metadata: { sandbox_outcome: 'failed' } })
  const early = await advance(5)
  assert.equal(early.status, 200)
  assert.deepEqual(Object.keys(early.body), ['now'])
  assert.equal((await fixtures.get(shop, id)).body.status, 'pending')
  const { body } = await advance(25)
  assert.ok(Math.abs(Date.parse(body.now) - Date.now() - 30_000) < 5_000)
  const settled = await fixtures.get(shop, id)
  assert.equal(settled.body.status, 'succeeded')
  assert.ok(settled.body.updated_at >= body.now)
  assert.equal((await fixtures.get(shop, failing.body.id)).body.status, 'failed')
})

test('settles everything that is due while workers hold the leases', async () => {
  const take = `insert into leases (name, slot, holder, held_until)
    select 'settle_due', n, gen_random_uuid(), now() + interval '1 hour'
    from generate_series(0, 15) as n`
  await florin.db.pool.query(take)
  await makeDue(florin, await shopsInSlots(fixtures, 5), 2_500)
  assert.equal((await advance(1)).status, 200)
  assert.equal(await countStatus(florin, 'pending'), 0)
  await settledOnce(florin)
})

test('concurrent advances add up', async () => {
  const before = await offsetOf()
  const other = await florin.startSecondServer()
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => advance(n + 1, n % 2 ? other.call : florin.call)),
  )
  for (const { status } of responses) assert.equal(status, 200)
  assert.equal((await offsetOf()) - before, 210_000)
})

test('a retry with the same Idempotency-Key advances the clock once', async () => {
  const before = await offsetOf()
  const headers = { 'idempotency-key': 'one-step' }
  const step = { token: fixtures.admin.token, body: { seconds: 60 }, headers }
  const first = await florin.call('POST', path, step)
  const second = await florin.call('POST', path, step)
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await offsetOf()) - before, 60_000)
})

test('a retry completes the work that a crash interrupted', async () => {
  const headers = { 'idempotency-key': 'a-step-cut-short' }
  const step = { token: fixtures.admin.token, body: { seconds: 60 }, headers }
  const first = await florin.call('POST', path, step)
  // As after a crash: the clock moved and the response is stored, but something is still due.
  await makeDue(florin, [await fixtures.shop()], 3)
  await florin.db.pool.query(`update transactions set due_at = $1 where status = 'pending'`, [
    first.body.now,
  ])
  const second = await florin.call('POST', path, step)
  assert.equal(second.text, first.text)
  assert.equal(await countStatus(florin, 'pending'), 0)
  await settledOnce(florin)
})

test('every other process uses the new time at once', async () => {
  const shop = await fixtures.shop()
  const other = await florin.startSecondServer()
  for (let step = 0; step < 10; step++) {
    const { now } = (await advance(3_600)).body
    const made = await fixtures.create(shop, {}, { call: other.call })
    assert.ok(made.body.created_at >= now, `${made.body.created_at} is not before ${now}`)
  }
})

test('all timestamps of business objects use business time', async () => {
  const { now } = (await advance(86_400)).body
  const shop = await fixtures.shop()
  const { token } = shop
  const account = await florin.call('GET', '/v1/account', { token })
  const user = await florin.call('GET', `/v1/users/${shop.id}`, { token })
  const body = { name: 'Another Name' }
  const renamed = await florin.call('PATCH', '/v1/account', { token, body })
  const made = await fixtures.create(shop)
  const patched = await fixtures.patch(shop, made.body.id, { reference: 'a' })
  const canceled = await fixtures.cancel(shop, made.body.id)
  const times = [
    account.body.created_at,
    user.body.created_at,
    renamed.body.updated_at,
    made.body.created_at,
    patched.body.updated_at,
    canceled.body.canceled_at,
  ]
  for (const time of times) assert.ok(time >= now, `${times}`)
  const rows = await florin.db.pool.query(
    `select at, id from events where account_id = $1
    union all select at, null from postings where account_id = $1`,
    [shop.uuid],
  )
  assert.ok(rows.rows.length > 5)
  for (const { at } of rows.rows) assert.ok(at >= new Date(now))
  for (const { id } of rows.rows) if (id) assert.ok(timeOfUuid(id) >= new Date(now))
})

test('sessions and requests use real time', async () => {
  await advance(400 * 86_400)
  const owner = await florin.people.owner()
  const response = await florin.call('GET', '/v1/auth/sessions', { token: owner.token })
  assert.equal(response.status, 200)
  const [session] = response.body.data
  for (const time of [session.created_at, session.refreshed_at]) {
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time)
  }
  const request_id = findUuid('request', response.headers.get('request-id')!)!
  assert.ok(Math.abs(timeOfUuid(request_id).getTime() - Date.now()) < 60_000)
  const old = await florin.call('GET', '/v1/auth/sessions', { token: fixtures.admin.token })
  assert.equal(old.status, 200, 'it logs no one out')
})

test('time never runs backward within an account across processes and advances', async () => {
  const other = await florin.startSecondServer()
  const shops = await shopsInSlots(fixtures, 3)
  let going = true
  const write = async (shop: Shop, call: typeof florin.call) => {
    while (going) {
      const made = await fixtures.create(shop, {}, { call })
      assert.equal(made.status, 201, made.text)
      if (Math.random() < 0.3) await fixtures.cancel(shop, made.body.id)
    }
  }
  const writers = shops.flatMap((shop) => [write(shop, florin.call), write(shop, other.call)])
  for (let step = 0; step < 15; step++)
    await advance(1 + step * 20, step % 2 ? other.call : undefined)
  going = false
  await Promise.all(writers)
  const text = `
    select account_id, sequence from (
      select account_id, sequence, at,
        lag(at) over (partition by account_id order by sequence) as before
      from postings) as steps
    where at < before`
  assert.deepEqual((await florin.db.pool.query(text)).rows, [])
  const created = `
    select postings.account_id from (
      select account_id, transaction_id,
        lag(transaction_id) over (partition by account_id order by sequence) as before
      from postings where movement = 'arrive') as postings
    where transaction_id <= before`
  assert.deepEqual((await florin.db.pool.query(created)).rows, [], 'ids follow the commits')
  await settledOnce(florin)
})

test('a list across accounts excludes the last ten seconds of business time', async () => {
  await advance(86_400)
  const shop = await fixtures.shop()
  const first = (await fixtures.create(shop)).body.id
  await advance(11)
  const second = (await fixtures.create(shop)).body.id
  const third = (await fixtures.create(shop)).body.id
  const { token } = fixtures.admin
  const newer = async () => {
    const list = `/v1/transactions?limit=100&ending_before=${first}`
    const { body } = await florin.call('GET', list, { token })
    return body.data.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await newer(), [])
  await advance(11)
  assert.deepEqual(await newer(), [third, second])
})

test('returns 400 for invalid seconds and does not move the clock', async () => {
  const { token } = fixtures.admin
  const bodies = [
    undefined,
    {},
    { seconds: 0 },
    { seconds: -1 },
    { seconds: 1.5 },
    { seconds: '60' },
    { seconds: null },
    { seconds: true },
    { seconds: [60] },
    { seconds: 315_360_001 },
    { seconds: 1e21 },
    { seconds: 60, more: 1 },
    { days: 3 },
  ]
  for (const body of bodies) {
    const response = await assertNoChanges(florin.db.pool, () =>
      florin.call('POST', path, { token, body }),
    )
    assert.equal(response.status, 400, `${JSON.stringify(body)}: ${response.text}`)
    assert.equal(response.body.error, 'invalid_request')
  }
})

test('the audit log records the advance and its actor', async () => {
  const response = await advance(42)
  const text = `select * from audit_log where action = 'clock.advanced' order by id desc limit 1`
  const [row] = (await florin.db.pool.query(text)).rows
  assert.equal(row.actor_role, 'admin')
  assert.equal(row.actor_id, findUuid('user', fixtures.admin.id))
  assert.equal(row.request_id, response.headers.get('request-id'))
  assert.deepEqual(JSON.parse(row.details), { seconds: 42, now: response.body.now })
})

test('returns 503 and reports the advance when settling takes too long', async () => {
  const shop = await fixtures.shop()
  await fixtures.create(shop)
  const before = await readTime(florin.db)
  const holder = await florin.db.pool.connect()
  await holder.query('begin')
  await holder.query(`set local idle_in_transaction_session_timeout = 0`)
  await holder.query('select 1 from balances where account_id = $1 for update', [shop.uuid])
  const response = await advance(60)
  await holder.query('rollback')
  holder.release()
  assert.equal(response.status, 503)
  assert.match(response.body.message, /^The clock was advanced, but not everything/)
  assert.ok(response.headers.get('retry-after'))
  assert.ok((await readTime(florin.db)).getTime() - before.getTime() >= 60_000)
  await advance(1)
  assert.equal(await countStatus(florin, 'pending'), 0)
})

test('the route does not exist in live mode', async () => {
  const live = await florin.startSecondServer(live_env)
  for (const token of [fixtures.admin.token, undefined]) {
    const response = await live.call('POST', path, { token, body: { seconds: 60 } })
    assert.equal(response.status, 404)
    assert.equal(response.body.error, 'not_found')
  }
  const described = await live.call('GET', '/openapi.json')
  assert.equal(described.body.paths[path], undefined)
})

test('a token revoked while the request waits does not move the clock', async () => {
  const admin = await florin.people.admin()
  const before = await offsetOf()
  const holder = await florin.db.pool.connect()
  await holder.query('begin')
  await holder.query('delete from sessions where user_id = $1', [findUuid('user', admin.id)])
  const sent = florin.call('POST', path, { token: admin.token, body: { seconds: 60 } })
  await waitForWaiters(florin)
  await holder.query('delete from tokens where user_id = $1', [findUuid('user', admin.id)])
  await holder.query('commit')
  holder.release()
  assert.equal((await sent).status, 401)
  assert.equal(await offsetOf(), before)
})

// Runs last, because the clock never moves back.
test('the clock advances at most 100 years, and money still moves', async () => {
  const left_ms = offset_max_ms - (await offsetOf())
  await florin.db.transaction((tx) => moveClock(tx, left_ms - 30_500))
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  assert.equal((await advance(30)).status, 200)
  const settled = await fixtures.get(shop, id)
  assert.equal(settled.body.status, 'succeeded')
  assert.match(settled.body.updated_at, /^21\d\d-/)
  const listed = await florin.call('GET', '/v1/transactions', { token: shop.token })
  assert.equal(listed.body.data[0].id, id)
  const refused = await assertNoChanges(florin.db.pool, () => advance(1))
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^"seconds" must not move the clock more than 100 years/)
})
