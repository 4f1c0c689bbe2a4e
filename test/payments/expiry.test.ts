// Requests have one reminder and expire once, after 30 days of business time, whichever process
// handles them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { openProcessor } from '../../src/processors/processor.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { startSettling, wait } from '../transactions/due.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Payers } from './payers.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)
const payers = new Payers(florin.db)
const day_s = 86_400

async function advance(seconds: number) {
  const { token } = fixtures.admin
  const path = '/v1/sandbox/clock/advance'
  const response = await florin.call('POST', path, { token, body: { seconds } })
  assert.equal(response.status, 200, response.text)
}

async function dueOf(shop: Shop): Promise<{ due_at: Date | null; expires_at: Date }> {
  const text = 'select due_at, expires_at from payment_requests where account_id = $1'
  return (await florin.db.pool.query(text, [shop.uuid])).rows[0]
}

/** The causes of the account's reminder emails. */
async function remindersOf(shop: Shop): Promise<string[]> {
  const text = `select cause from emails
    where account_id = $1 and kind = 'payment_reminder' order by cause`
  return (await florin.db.pool.query(text, [shop.uuid])).rows.map(({ cause }) => cause)
}

const reminderOf = (id: string) => `payment_reminder:${id}`

test('a reminder is sent three days before the expiry, which cancels the request', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  const { due_at, expires_at } = await dueOf(shop)
  assert.equal(expires_at.getTime() - due_at!.getTime(), 3 * day_s * 1_000)
  await advance(26 * day_s)
  assert.deepEqual((await dueOf(shop)).due_at, due_at, 'nothing is due yet')
  assert.deepEqual(await remindersOf(shop), [])
  await advance(2 * day_s)
  assert.deepEqual((await dueOf(shop)).due_at, expires_at, 'reminded; the expiry is next')
  assert.deepEqual(await remindersOf(shop), [reminderOf(id)])
  assert.equal((await fixtures.getPayment(shop, id)).body.status, 'pending')
  // An id may be up to a second ahead of the clock.
  await advance(2 * day_s + 1)
  const { status, updated_at } = (await fixtures.getPayment(shop, id)).body
  assert.equal(status, 'canceled')
  assert.ok(updated_at >= expires_at.toISOString())
  assert.equal((await dueOf(shop)).due_at, null)
  assert.deepEqual(await remindersOf(shop), [reminderOf(id)], 'no reminder at the expiry')
  assert.deepEqual(await fixtures.eventTypes(shop, 'payment.%'), [
    'payment.created',
    'payment.canceled',
  ])
})

test('advancing the clock by a year sends no reminders for expired requests', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  await advance(365 * day_s)
  assert.equal((await fixtures.getPayment(shop, id)).body.status, 'canceled')
  assert.deepEqual(await remindersOf(shop), [])
})

test('an expired request cannot be paid or sent, even before the worker cancels it', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  await wait(florin, 30 * day_s)
  assert.equal(
    (await fixtures.getPayment(shop, id)).body.status,
    'pending',
    'the worker has not run',
  )
  assert.equal(await payers.attempt(shop, id), 'conflict')
  assert.equal(await payers.attempt(shop, id, false), 'conflict')
  assert.equal((await fixtures.settlePayment(id)).body.error, 'conflict')
  assert.equal((await fixtures.resend(shop, id)).body.error, 'conflict')
  assert.equal(
    (await fixtures.cancelPayment(shop, id)).body.status,
    'canceled',
    'it can be canceled',
  )
})

test('paid, failed and canceled requests do not expire', async () => {
  const shop = await fixtures.shop()
  const ids = await Promise.all([1, 2, 3].map((amount) => fixtures.request(shop, { amount })))
  await fixtures.settlePayment(ids[0]!)
  await fixtures.settlePayment(ids[1]!, 'failed')
  await fixtures.cancelPayment(shop, ids[2]!)
  const before = (await fixtures.list(shop)).text
  await advance(31 * day_s)
  assert.equal((await fixtures.list(shop)).text, before)
})

test('two workers and a clock advance expire two hundred requests once each', async () => {
  const shops = await Promise.all(Array.from({ length: 8 }, () => fixtures.shop()))
  await Promise.all(Array.from({ length: 200 }, (_, at) => fixtures.request(shops[at % 8]!)))
  await wait(florin, 40 * day_s)
  const workers = [startSettling(florin), startSettling(florin)]
  await advance(1)
  for (const worker of workers) await worker.stop()
  for (const shop of shops) {
    const types = (await fixtures.eventTypes(shop, 'payment.%')).toSorted()
    const each = (type: string) => Array.from({ length: 25 }, () => type)
    assert.deepEqual(types, [...each('payment.canceled'), ...each('payment.created')])
  }
})

test('two workers and two clock advances send two hundred reminders once each', async () => {
  const shops = await Promise.all(Array.from({ length: 8 }, () => fixtures.shop()))
  const requests = Array.from({ length: 200 }, async (_, at) => {
    const shop = shops[at % 8]!
    return { shop, cause: reminderOf(await fixtures.request(shop)) }
  })
  const expected = await Promise.all(requests)
  await wait(florin, 28 * day_s)
  // A clock advance handles all slots at once; workers share them by lease.
  const workers = [startSettling(florin), startSettling(florin)]
  await Promise.all([advance(1), advance(1)])
  for (const worker of workers) await worker.stop()
  for (const shop of shops) {
    const causes = expected.filter((one) => one.shop === shop).map(({ cause }) => cause)
    assert.deepEqual(await remindersOf(shop), causes.toSorted())
    const types = new Set(await fixtures.eventTypes(shop, 'payment.%'))
    assert.deepEqual([...types], ['payment.created'])
  }
})

test('workers send reminders without a clock advance', async () => {
  const shop = await fixtures.shop()
  const ids = await Promise.all(Array.from({ length: 20 }, () => fixtures.request(shop)))
  await wait(florin, 28 * day_s)
  const workers = [startSettling(florin), startSettling(florin)]
  await until(async () => (await remindersOf(shop)).length >= ids.length)
  for (const worker of workers) await worker.stop()
  assert.deepEqual(await remindersOf(shop), ids.map(reminderOf).toSorted())
})

test('the worker has the job in 16 slots, with every processor', async () => {
  const log = pino({ level: 'silent' })
  const { db, config } = florin
  for (const name of ['manual', 'sandbox'] as const) {
    const processor = await openProcessor({ ...config, processors: [name] })
    const jobs = jobsOf({ db, log, config, processor })
    assert.equal(jobs.find(({ name }) => name === 'due_payments')?.slots, 16)
  }
})
