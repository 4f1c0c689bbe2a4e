import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { Payers } from '../../payments/payers.ts'
import { PaymentFixtures } from '../../payments/payment-fixtures.ts'
import { startFlorin } from '../../support/florin.ts'
import { queryWithoutTimeout } from '../../support/without-timeout.ts'
import { waitForNoon } from '../../transactions/due.ts'
import { TransactionFixtures } from '../../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const till = new TransactionFixtures(florin, await florin.people.admin())
const shop = await till.shop()

const getVolume = (query: string, token = shop.token) =>
  florin.call('GET', `/v1/account/volume?${query}`, { token })

test('volumes distinguish payments, refunds and failed transactions', async () => {
  await waitForNoon(florin)
  await till.fund(shop, 500)
  await till.settle(await till.pending(shop, { amount: 70, type: 'refund' }), 'succeeded')
  await till.settle(await till.pending(shop, { amount: 900 }), 'failed')
  await till.pending(shop, { amount: 30 })
  const { body } = await getVolume('')
  const counts = { succeeded: 2, failed: 1, canceled: 0, pending: 1, declined_attempts: 0 }
  const volume = { in: 500, out: 70, ...counts }
  assert.deepEqual(body.totals, { ...volume, success_rate: 0.6667 })
  assert.equal(body.buckets.length, 30, 'today and the 29 days before')
  const { from: _, to, ...today } = body.buckets.at(-1)
  assert.deepEqual(today, volume)
  assert.equal(to, body.to)
  assert.equal(body.previous.success_rate, null)
  assert.equal(Date.parse(body.previous.to), Date.parse(body.from) - 1)
})

test('declined cards count as failed in the success rate', async () => {
  const desk = new PaymentFixtures(florin, till.admin)
  const payers = new Payers(florin.db)
  const busy = await desk.shop()
  const failed = await desk.request(busy)
  for (let n = 0; n < 10; n += 1) await payers.attempt(busy, failed, false)
  const { totals, buckets } = (await getVolume('', busy.token)).body
  assert.deepEqual([totals.declined_attempts, totals.failed, totals.success_rate], [10, 0, 0])
  assert.equal(buckets.at(-1).declined_attempts, 10)
  const paid = await desk.request(busy)
  await payers.attempt(busy, paid, false)
  await payers.attempt(busy, paid)
  const after = (await getVolume('', busy.token)).body.totals
  assert.deepEqual(
    [after.declined_attempts, after.succeeded, after.success_rate],
    [11, 1, Number((1 / 12).toFixed(4))],
  )
})

test("a date is a day in the account's time zone", async () => {
  const { token } = await florin.people.owner()
  const body = { settings: { timezone: 'Asia/Kolkata' } }
  await florin.call('PATCH', '/v1/account', { token, body })
  const report = (await getVolume('from=2026-03-01&to=2026-03-02', token)).body
  assert.equal(report.from, '2026-02-28T18:30:00.000Z')
  assert.equal(report.to, '2026-03-02T18:29:59.999Z')
  assert.deepEqual(
    report.buckets.map(({ from }: { from: string }) => from),
    ['2026-02-28T18:30:00.000Z', '2026-03-01T18:30:00.000Z'],
  )
  assert.equal(report.previous.from, '2026-02-26T18:30:00.000Z')
})

test('days of 23 and 25 hours are whole days, compared with whole days', async () => {
  const { token } = await florin.people.owner()
  const body = { settings: { timezone: 'Europe/Berlin' } }
  await florin.call('PATCH', '/v1/account', { token, body })
  const spring = (await getVolume('from=2026-03-29&to=2026-03-29', token)).body
  assert.deepEqual(
    [spring.from, spring.to],
    ['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  )
  assert.equal(spring.previous.from, '2026-03-27T23:00:00.000Z')
  const hours = (await getVolume('from=2026-10-25&to=2026-10-25&interval=hour', token)).body
  assert.equal(hours.buckets.length, 25)
})

test('more than 400 buckets are rejected with advice', async () => {
  const most = await getVolume(
    'from=2026-01-01T00:00:00Z&to=2026-01-17T15:59:59.999Z&interval=hour',
  )
  assert.equal(most.body.buckets.length, 400)
  for (const query of [
    'from=2026-01-01T00:00:00Z&to=2026-01-17T16:00:00Z&interval=hour',
    'from=2020-01-01&to=2026-01-01',
    'from=1000-01-01&to=9999-12-31&interval=month',
  ]) {
    const response = await getVolume(query)
    assert.equal(response.status, 400, query)
    assert.match(response.body.message, /at most 400 buckets .* the period\.$/)
  }
})

test('extreme dates are accepted, and dates in the wrong order return 400', async () => {
  for (const query of ['from=0001-01-01&to=0001-01-02', 'from=9999-12-30&to=9999-12-31']) {
    assert.equal((await getVolume(query)).status, 200, query)
  }
  const reversed = await getVolume('from=2026-02-02&to=2026-02-01')
  assert.deepEqual([reversed.status, reversed.body.error], [400, 'invalid_request'])
  assert.match(reversed.body.message, /"from" must not be later than "to"/)
  for (const query of ['from=yesterday', 'interval=year', 'to=2026-02-30']) {
    assert.equal((await getVolume(query)).status, 400, query)
  }
})

test('a volume above 2^53 − 1 is rejected, never rounded', async () => {
  const { token, account_id } = await florin.people.owner()
  const id = findUuid('account', account_id)
  // As if payments had been refunded in between: no balance can be that large.
  const written = (count: number) =>
    queryWithoutTimeout(
      florin.db.pool,
      `insert into transactions (account_id, id, status, amount, currency, type, updated_at)
       select $1, ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'succeeded',
         999999999999, 'USD', 'payment', now()
       from generate_series(1, $2) as n
       on conflict do nothing`,
      [id, count],
    )
  try {
    const from = '2025-10-01'
    await written(9_007)
    const exact = await getVolume(`from=${from}&to=2025-11-01`, token)
    assert.equal(exact.body.totals.in, 9_007 * 999_999_999_999)
    await written(9_207)
    for (const period of [`from=${from}&to=2025-11-01`, 'from=2025-11-01&to=2025-12-02']) {
      const refused = await getVolume(period, token)
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'], period)
      assert.match(refused.body.message, /2\^53 − 1.*Shorten the period/)
    }
  } finally {
    await florin.db.pool.query('delete from transactions where account_id = $1', [id])
  }
})
