// GET /v1/health: the last hour, the database, and the worker's backlog.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Histogram, Registry } from '@prometheus-io/client'
import { HealthHistory, percentile } from '../../src/http/health-history.ts'
import { measureWork } from '../../src/http/measure-work.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { cleanUp, letSlicesRun, stopSlices } from '../operations/closing/leftovers.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { wait } from '../transactions/due.ts'
import { TransactionFixtures } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()
const till = new TransactionFixtures(florin, admin)

const readHealth = async () => (await florin.call('GET', '/v1/health', { token: admin.token })).body

test('reports the version, size and durability settings of the database', async () => {
  const { database, server } = await readHealth()
  assert.match(database.version, /^\d+(\.\d+)?$/)
  assert.ok(database.size_bytes > 1_000_000)
  assert.ok(database.connections.active >= 1)
  assert.ok(database.connections.max >= 10)
  const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']
  assert.deepEqual(Object.keys(database.settings).toSorted(), names.toSorted())
  assert.equal(server.version, '0.0.0-test')
  assert.equal(server.admins_without_factor, 0, 'the sandbox requires none')
  assert.deepEqual(server.history, [], 'the first interval has not passed')
})

test('reports the age of an open database transaction', async () => {
  const client = await florin.db.pool.connect()
  await client.query('begin')
  await client.query("select pg_sleep(0.3), set_config('idle_session_timeout', '0', true)")
  const { database } = await readHealth()
  assert.ok(database.oldest_transaction_s >= 0.3, String(database.oldest_transaction_s))
  assert.ok(database.connections.in_transaction >= 1)
  await client.query('rollback')
  client.release()
})

test('counts due work and reports that no worker is running', async () => {
  const shop = await till.shop()
  assert.deepEqual((await readHealth()).worker.transactions_due, 0)
  for (let n = 0; n < 3; n += 1) await till.pending(shop)
  await wait(florin, 60)
  const { worker } = await readHealth()
  assert.equal(worker.transactions_due, 3)
  assert.deepEqual([worker.running, worker.last_seen_at, worker.jobs], [false, null, []])
  assert.deepEqual(worker.emails, { waiting: 0, due: 0 })
  const text = `insert into leases values ('settle_due', 3, gen_random_uuid(), now() + '5 s')`
  await florin.db.pool.query(text)
  const seen = (await readHealth()).worker
  assert.equal(seen.running, true)
  assert.deepEqual([seen.jobs[0].name, seen.jobs[0].slots_held], ['settle_due', 1])
  assert.ok(Math.abs(Date.parse(seen.last_seen_at) - Date.now()) < 5_000)
})

test('account closings are counted, with the oldest and those without progress', async () => {
  const closings = async () => (await readHealth()).worker.closings
  assert.deepEqual(await closings(), { open: 0, oldest_s: null, stalled: 0 })
  const shop = await till.shop()
  await stopSlices(florin)
  const { status } = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(status, 200)
  const young = await closings()
  assert.deepEqual([young.open, young.stalled], [1, 0])
  assert.ok(young.oldest_s >= 0 && young.oldest_s < 600)
  await letSlicesRun(florin.db)
  await florin.db.pool.query(
    `update account_closings
     set started_at = now() - interval '1 hour', progressed_at = now() - interval '11 minutes'`,
  )
  const old = await closings()
  assert.deepEqual([old.open, old.stalled], [1, 1])
  assert.ok(old.oldest_s >= 3_600)
  await cleanUp(florin, shop.uuid)
  assert.equal((await closings()).open, 0)
})

test('a point covers the time since the previous one', async () => {
  const seconds = new Histogram({
    name: 'duration',
    help: 'Duration.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.1],
    registers: [],
  })
  const observe = (status: number, duration_s: number, times: number) => {
    const labels = { route: '/', method: 'GET', status }
    for (let n = 0; n < times; n += 1) seconds.observe(labels, duration_s)
  }
  const lanes = {
    transactions: { waiting: 2, in_waiting_lanes: 0, processed: { batches: 1, entries: 1 } },
  }
  const history = new HealthHistory({ db: florin.db, seconds, lanes })
  await history.note()
  assert.equal(history.points.length, 0, 'the first reading is the baseline')
  observe(200, 0.0005, 98)
  observe(404, 0.05, 2)
  lanes.transactions.processed = { batches: 5, entries: 21 }
  await history.note()
  const [point] = history.points
  const { '2xx': good, '4xx': rejected } = point!.requests_per_s
  assert.ok(good > rejected && rejected > 0)
  assert.equal(point!.requests_per_s['5xx'], 0)
  assert.ok(point!.latency_ms.p50! <= 1 && point!.latency_ms.p99! > 1)
  assert.deepEqual(point!.lanes, { transactions: { waiting: 2, batch_size: 5 } })
  await history.note()
  const quiet = history.points[1]!
  assert.deepEqual([quiet.latency_ms.p50, quiet.requests_per_s['2xx']], [null, 0])
  assert.equal(quiet.lanes.transactions!.batch_size, null)
  for (let n = 0; n < 400; n += 1) await history.note()
  assert.equal(history.points.length, 360, 'one hour')
})

test('interpolates percentiles within a bucket', () => {
  const within = [
    [0.01, 50],
    [0.1, 100],
    [Number.POSITIVE_INFINITY, 100],
  ] as const
  assert.equal(percentile([...within], 0.5), 10)
  assert.equal(percentile([...within], 0.75), 55)
  assert.equal(percentile([[Number.POSITIVE_INFINITY, 4]], 0.5), 0)
  assert.equal(percentile([], 0.5), null)
})

test('exports lane metrics to Prometheus', async () => {
  const { text } = await florin.call('GET', '/metrics')
  for (const name of ['florin_lane_waiting', 'florin_lane_batches_total']) {
    assert.match(text, new RegExp(`^${name}\\{lane="transactions"\\} \\d+$`, 'm'))
  }
  const count = Number(/florin_lane_changes_total\{lane="transactions"\} (\d+)/.exec(text)![1])
  const again = (await florin.call('GET', '/metrics')).text
  assert.match(again, new RegExp(`lane_changes_total\\{lane="transactions"\\} ${count}\n`))
  assert.ok(count >= 3)
})

test('exports the state of the worker and its backlog to Prometheus', async () => {
  const shop = await till.shop()
  await till.pending(shop)
  await wait(florin, 60)
  const { transactions_due } = (await readHealth()).worker
  assert.ok(transactions_due > 0)
  const registry = new Registry()
  measureWork(registry, florin.db, 0)
  // A scrape gets the values that an earlier one requested.
  const untilExported = (line: string) =>
    until(async () => (await registry.metrics()).split('\n').includes(line), line)
  await untilExported(`florin_work_due{kind="transactions"} ${transactions_due}`)
  for (const kind of ['payments', 'subscriptions', 'emails', 'webhooks', 'provider_events']) {
    await untilExported(`florin_work_due{kind="${kind}"} 0`)
  }
  await untilExported('florin_closings_stalled 0')
  await florin.db.pool.query('delete from leases')
  await untilExported('florin_worker_running 0')
  const text = `insert into leases values ('settle_due', 3, gen_random_uuid(), now() + '5 s')`
  await florin.db.pool.query(text)
  await untilExported('florin_worker_running 1')
})

test('a scrape works without the database, and then has no values from it', async () => {
  const db = openDatabase({ host: '/nowhere' })
  const registry = new Registry()
  measureWork(registry, db)
  for (let scrapes = 0; scrapes < 2; scrapes++) {
    const text = await registry.metrics()
    assert.doesNotMatch(text, /^florin_(worker_running|closings_stalled|work_due)[ {]/m)
    assert.match(text, /^# HELP florin_worker_running /m)
  }
  await db.close()
})
