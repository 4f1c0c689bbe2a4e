// Due periods: with several workers, after downtime and crashes, while an account is suspended, and
// around a pause.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { openProcessor } from '../../src/processors/processor.ts'
import { SubscriptionLanes } from '../../src/subscriptions/lanes.ts'
import { dueSubscriptionJob } from '../../src/subscriptions/run-due.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { startFlorin } from '../support/florin.ts'
import { startSettling, wait } from '../transactions/due.ts'
import { holdLock, waitForWaiters } from '../transactions/transaction-fixtures.ts'
import { day_s, openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openSubscriptionFixtures(florin)

async function countDue(): Promise<number> {
  const text = `select count(*)::int as n from subscriptions, clock
    where next_at <= now() + offset_ms * interval '1 ms'`
  return (await florin.db.pool.query(text)).rows[0].n
}

/** Workers poll every ten seconds, also after they acquire a slot. */
async function untilNothingIsDue(): Promise<void> {
  for (let attempt = 0; attempt < 900 && (await countDue()) > 0; attempt++) await sleep(100)
  assert.equal(await countDue(), 0)
}

/** Starts two workers, which are stopped at the end of the test at the latest. */
function startTwo(t: TestContext): () => Promise<void> {
  const workers = [startSettling(florin), startSettling(florin)]
  const stop = once(async () => {
    for (const worker of workers) await worker.stop()
  })
  t.after(stop)
  return stop
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}

test('after forty days of downtime, two workers request each day once', async (t) => {
  const shops = await Promise.all(Array.from({ length: 6 }, () => fixtures.shop()))
  const ids = await fixtures.createDaily(shops, 5)
  await wait(florin, 40 * day_s)
  const stop = startTwo(t)
  await untilNothingIsDue()
  await stop()
  for (const id of ids) await fixtures.assertRequestedOnce(id, 41)
  await fixtures.cancelAll(shops)
})

test('two clock advances and two workers at once request each day once', async (t) => {
  const shops = await Promise.all(Array.from({ length: 4 }, () => fixtures.shop()))
  const ids = await fixtures.createDaily(shops, 5)
  const stop = startTwo(t)
  const { token } = fixtures.admin
  for (let day = 0; day < 5; day++) {
    const body = { seconds: day_s / 2 }
    const path = '/v1/sandbox/clock/advance'
    const steps = [florin.call, other.call].map((call) => call('POST', path, { token, body }))
    for (const step of await Promise.all(steps)) assert.equal(step.status, 200, step.text)
  }
  await stop()
  assert.equal(await countDue(), 0, 'advance returns when all work is done')
  for (const id of ids) await fixtures.assertRequestedOnce(id, 6)
  await fixtures.cancelAll(shops)
})

test('pausing and canceling request the periods that have already begun', async () => {
  const shop = await fixtures.shop()
  const [paused, stopped] = await Promise.all([
    fixtures.createSubscription(shop, { interval: 'week' }),
    fixtures.createSubscription(shop, { interval: 'week' }),
  ])
  await wait(florin, 15 * day_s)
  assert.equal(
    (await fixtures.patchSubscription(shop, paused, { status: 'paused' })).body.next_at,
    null,
  )
  await fixtures.assertRequestedOnce(paused, 3)
  await fixtures.patchSubscription(shop, paused, { status: 'active' })
  await fixtures.advance(1)
  await fixtures.assertRequestedOnce(paused, 3)
  // The clock advance requested three periods; a fourth begins before the worker runs.
  await wait(florin, 7 * day_s)
  await fixtures.cancelSubscription(shop, stopped)
  await fixtures.assertRequestedOnce(stopped, 4)
  await fixtures.advance(7 * day_s)
  await fixtures.assertRequestedOnce(stopped, 4)
  await fixtures.cancelAll([shop])
})

test('pausing a subscription that is far behind returns 503 until it has caught up', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.createSubscription(shop, { interval: 'day' })
  await wait(florin, 30 * day_s)
  const early = await fixtures.patchSubscription(shop, id, { status: 'paused' })
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '5'])
  await fixtures.assertRequestedOnce(id, 1)
  await fixtures.advance(1)
  assert.equal((await fixtures.patchSubscription(shop, id, { status: 'paused' })).status, 200)
  await fixtures.assertRequestedOnce(id, 31)
})

test('a paused subscription requests nothing, and resumes with the next period', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.createSubscription(shop, { interval: 'week' })
  const { created_at, next_at } = (await fixtures.getSubscription(shop, id)).body
  await fixtures.patchSubscription(shop, id, { status: 'paused' })
  const soon = await fixtures.patchSubscription(shop, id, { status: 'active' })
  assert.equal(soon.body.next_at, next_at, 'a short pause changes nothing')
  await fixtures.patchSubscription(shop, id, { status: 'paused' })
  await fixtures.advance(24 * day_s)
  await fixtures.assertRequestedOnce(id, 1)
  const resumed = await fixtures.patchSubscription(shop, id, { status: 'active' })
  const week_ms = 7 * day_s * 1_000
  const fourth = new Date(new Date(created_at).getTime() + 4 * week_ms).toISOString()
  assert.equal(resumed.body.next_at, fourth)
  await fixtures.advance(5 * day_s)
  const numbers = (await fixtures.periods(id)).map(({ period }) => period)
  assert.deepEqual(numbers, [0, 4], 'paused periods are skipped')
})

test('a canceled subscription requests no more periods', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.createSubscription(shop, { interval: 'day' })
  await wait(florin, 2 * day_s)
  await fixtures.cancelSubscription(shop, id)
  await fixtures.advance(30 * day_s)
  await fixtures.assertRequestedOnce(id, 3)
})

for (const status of ['suspended', 'pending'] as const) {
  test(`pausing a subscription of a ${status} account requests nothing`, async () => {
    const shop = await fixtures.shop()
    const id = await fixtures.createSubscription(shop, { interval: 'day' })
    await fixtures.setStatus(shop, status)
    await wait(florin, 3 * day_s)
    const paused = await fixtures.patchSubscription(shop, id, { status: 'paused' })
    assert.deepEqual([paused.status, paused.body.status], [200, 'paused'], paused.text)
    await fixtures.assertRequestedOnce(id, 1)
  })
}

for (const status of ['suspended', 'pending'] as const) {
  test(`periods of a ${status} account are skipped without a backlog`, async () => {
    const shop = await fixtures.shop()
    const id = await fixtures.createSubscription(shop, { interval: 'day' })
    const events = await fixtures.eventTypes(shop, 'subscription.%')
    await fixtures.setStatus(shop, status)
    await fixtures.advance(5 * day_s)
    await fixtures.assertRequestedOnce(id, 1)
    const seen = (await fixtures.getSubscription(shop, id)).body
    assert.equal(seen.status, 'active')
    const { rows } = await florin.db.pool.query('select offset_ms from clock')
    assert.ok(new Date(seen.next_at).getTime() > Date.now() + rows[0].offset_ms)
    await fixtures.setStatus(shop, 'active')
    await fixtures.advance(1)
    await fixtures.assertRequestedOnce(id, 1)
    await fixtures.advance(day_s)
    const numbers = (await fixtures.periods(id)).map(({ period }) => period)
    assert.deepEqual(numbers, [0, 6])
    assert.deepEqual(await fixtures.eventTypes(shop, 'subscription.%'), events)
  })
}

test('a period is requested at most once while changes race a clock advance', async () => {
  for (let round = 0; round < 5; round++) {
    const shop = await fixtures.shop()
    const ids = await fixtures.createDaily([shop], 10)
    await wait(florin, day_s)
    const changes = ids.flatMap((id, at) => [
      fixtures.cancelSubscription(shop, id, { call: other.call }),
      ...(at % 2 === 0 ? [fixtures.patchSubscription(shop, id, { status: 'paused' })] : []),
    ])
    await Promise.all([fixtures.advance(1), ...changes])
    for (const id of ids) {
      assert.equal((await fixtures.getSubscription(shop, id)).body.status, 'canceled')
      assert.ok((await fixtures.periods(id)).length <= 2)
    }
  }
})

test('due work completes after the lock of an account is released', async () => {
  const [locked, free] = [await fixtures.shop(), await fixtures.shop()]
  const ids = [
    await fixtures.createSubscription(locked, { interval: 'day' }),
    await fixtures.createSubscription(free),
  ]
  await wait(florin, 31 * day_s)
  const release = await holdLock(florin, locked)
  const advancing = fixtures.advance(1)
  await waitForWaiters(florin)
  await release()
  await advancing
  await fixtures.assertRequestedOnce(ids[0]!, 32)
  await fixtures.assertRequestedOnce(ids[1]!, 2)
})

test('an aborted round requests nothing', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.createSubscription(shop, { interval: 'day' })
  await wait(florin, day_s)
  const subscription_lanes = new SubscriptionLanes(florin.db, florin.config.public_url)
  const errors: unknown[] = []
  const round = dueSubscriptionJob({ db: florin.db, subscription_lanes }, (error) =>
    errors.push(error),
  )
  const slots = [...Array(16).keys()]
  const aborted = await round({ slots, signal: AbortSignal.abort() })
  assert.deepEqual(aborted, { done: 0, more: false })
  await fixtures.assertRequestedOnce(id, 1)
  await round({ slots, signal: new AbortController().signal })
  await fixtures.assertRequestedOnce(id, 2)
  assert.deepEqual(errors, [])
})

test('the worker has the job in 16 slots, with every processor', async () => {
  const log = pino({ level: 'silent' })
  const { db, config } = florin
  for (const name of ['manual', 'sandbox'] as const) {
    const processor = await openProcessor({ ...config, processors: [name] })
    const jobs = jobsOf({ db, log, config, processor })
    assert.equal(jobs.find(({ name }) => name === 'due_subscriptions')?.slots, 16)
  }
})
