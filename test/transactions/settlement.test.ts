import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { openProcessor, sandboxProcessor } from '../../src/processors/processor.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { dueSettlementJob } from '../../src/transactions/settle-due.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { countStatus, makeDue, settledOnce, shopsInSlots, startSettling, wait } from './due.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openTransactionFixtures(florin)
const parts = {
  db: florin.db,
  lanes: new TransactionLanes(florin.db),
  processor: sandboxProcessor(30),
}
const all_slots = [...Array(16).keys()]

/** Runs one round of the worker over these slots; returns its result and errors. */
async function settleOnce(slots = all_slots, settler = newSettler()) {
  settler.errors.length = 0
  const { signal } = new AbortController()
  return { ...(await settler.run({ slots, signal })), errors: settler.errors }
}

function newSettler() {
  const errors: unknown[] = []
  return { errors, run: dueSettlementJob(parts, (error) => errors.push(error)) }
}

test('a transaction is settled once, when it is due', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  await wait(florin, 15)
  assert.equal((await settleOnce()).done, 0)
  assert.equal((await fixtures.get(shop, id)).body.status, 'pending')
  await wait(florin, 15)
  assert.equal((await settleOnce()).done, 1)
  const { body } = await fixtures.get(shop, id)
  assert.equal(body.status, 'succeeded')
  assert.ok(Date.parse(body.updated_at) - Date.parse(body.created_at) >= 30_000)
  assert.equal((await settleOnce()).done, 0)
  assert.deepEqual(await fixtures.balance(shop), { available: 100, incoming: 0, held: 0 })
  await settledOnce(florin)
})

test('sandbox_outcome "failed" in the metadata makes a transaction fail', async () => {
  const shop = await fixtures.shop(500)
  const failing = { metadata: { sandbox_outcome: 'failed' } }
  const cases: [object, string][] = [
    [{ ...failing }, 'failed'],
    [{ ...failing, type: 'credit' }, 'failed'],
    [{ ...failing, type: 'refund' }, 'failed'],
    [{ type: 'credit' }, 'succeeded'],
    [{ type: 'refund', amount: 30 }, 'succeeded'],
    [{ metadata: { sandbox_outcome: 'FAILED' } }, 'succeeded'],
    [{ metadata: { sandbox_outcome: { failed: true } } }, 'succeeded'],
    [{ metadata: { inner: { sandbox_outcome: 'failed' } } }, 'succeeded'],
  ]
  const ids: string[] = []
  for (const [body] of cases) ids.push((await fixtures.create(shop, body)).body.id)
  await wait(florin, 30)
  assert.equal((await settleOnce()).done, cases.length)
  for (const [at, [body, status]] of cases.entries()) {
    assert.equal((await fixtures.get(shop, ids[at]!)).body.status, status, JSON.stringify(body))
  }
  assert.deepEqual(await fixtures.balance(shop), { available: 870, incoming: 0, held: 0 })
})

test('pending transactions of a suspended account are settled', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  const { token } = fixtures.admin
  const path = `/v1/accounts/${shop.account_id}`
  const suspended = await florin.call('PATCH', path, { token, body: { status: 'suspended' } })
  assert.equal(suspended.status, 200)
  await wait(florin, 30)
  await settleOnce()
  assert.equal((await fixtures.get(shop, id)).body.status, 'succeeded')
})

test('with the manual processor nothing is due, and the worker has no settlement job', async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop, {}, { call: manual.call })).body
  await wait(florin, 3_600)
  const body = { seconds: 3_600 }
  const { token } = fixtures.admin
  const moved = await manual.call('POST', '/v1/sandbox/clock/advance', { token, body })
  assert.equal(moved.status, 200, moved.text)
  assert.equal((await settleOnce()).done, 0)
  assert.equal((await fixtures.get(shop, id)).body.status, 'pending')
  const { db, config } = florin
  const processor = await openProcessor({ ...config, processors: ['manual'] })
  const jobs = jobsOf({ db, log: pino({ level: 'silent' }), config, processor })
  assert.ok(!jobs.some(({ name }) => name === 'settle_due'))
  await fixtures.settle(id)
})

test('a slot with a long backlog does not delay other slots', async () => {
  const [crowded, quiet] = await shopsInSlots(fixtures, 2)
  // More than one round finds.
  await makeDue(florin, [crowded!], 1_200)
  await makeDue(florin, [quiet!], 1)
  const first = await settleOnce()
  assert.equal(first.more, true)
  assert.equal((await fixtures.balance(quiet!)).available, 100)
  assert.equal((await fixtures.balance(crowded!)).available, 6_400)
  while ((await settleOnce()).more);
  assert.equal((await fixtures.balance(crowded!)).available, 120_000)
  await settledOnce(florin)
})

test('a settlement that fails is reported and postponed, and does not block others', async () => {
  const shop = await fixtures.shop()
  const broken = await fixtures.shop()
  await makeDue(florin, [broken, shop], 200)
  const damage = 'update balances set incoming = incoming + $2 where account_id = $1'
  await florin.db.pool.query(damage, [broken.uuid, -10_000])
  const settler = newSettler()
  const round = await settleOnce(all_slots, settler)
  assert.match(String(round.errors[0]), /the incoming balance is lower than its postings/)
  for (let more = round.more; more; ) more = (await settleOnce(all_slots, settler)).more
  assert.equal((await fixtures.balance(shop)).available, 10_000)
  const later = await settleOnce(all_slots, settler)
  assert.deepEqual([later.done, later.errors], [0, []], 'not retried immediately')
  await florin.db.pool.query(damage, [broken.uuid, 10_000])
  while ((await settleOnce()).done > 0);
  assert.equal((await fixtures.balance(broken)).available, 10_000)
})

test('three workers settle 300 due transactions once each', async () => {
  const before = await countStatus(florin, 'succeeded')
  const shops = await shopsInSlots(fixtures, 12)
  await makeDue(florin, shops, 300)
  const workers = [1, 2, 3].map(() => startSettling(florin))
  await until(async () => (await countStatus(florin, 'succeeded')) === before + 300)
  // All of them on all slots at once, regardless of leases.
  await makeDue(florin, shops, 300)
  const settlers = await Promise.all(Array.from({ length: 5 }, () => settleOnce()))
  await until(async () => (await countStatus(florin, 'succeeded')) === before + 600)
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(
    settlers.flatMap(({ errors }) => errors),
    [],
    'a transaction that is already settled is not an error',
  )
  await settledOnce(florin)
  for (const shop of shops) assert.equal((await fixtures.balance(shop)).available, 5_000)
})

test('concurrent cancellations, settlements and workers end each transaction once', async () => {
  const shop = await fixtures.shop()
  const ids = await Promise.all(
    Array.from({ length: 60 }, async () => (await fixtures.create(shop)).body.id as string),
  )
  await wait(florin, 30)
  const [responses] = await Promise.all([
    Promise.all(
      ids.flatMap((id) => [
        fixtures.cancel(shop, id),
        fixtures.settle(id, 'failed'),
        fixtures.cancel(shop, id),
      ]),
    ),
    ...Array.from({ length: 3 }, () => settleOnce()),
  ])
  for (const { status } of responses) assert.ok(status === 200 || status === 409, String(status))
  await settledOnce(florin)
  assert.equal((await fixtures.balance(shop)).incoming, 0)
})
