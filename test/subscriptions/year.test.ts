// A year of subscriptions on the sandbox clock, in three time zones, day by day around daylight
// saving changes. The expected times are written by hand, in UTC. The years are in the future,
// because the sandbox clock only moves forward; they repeat the calendar of 2027 and later.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)

/** To the minute, because creating a subscription takes some milliseconds. */
async function starts(id: string): Promise<string[]> {
  return (await fixtures.periods(id)).map(({ starts_at }) => starts_at.toISOString().slice(0, 16))
}

async function shopIn(timezone: string) {
  const shop = await fixtures.shop()
  await fixtures.setSettings(shop, { timezone })
  return shop
}

test('a year of monthly periods from the 31st, in Berlin, New York and Kolkata', async () => {
  await fixtures.waitUntil('2055-01-31T18:45:00.000Z')
  const berlin = await shopIn('Europe/Berlin')
  const new_york = await shopIn('America/New_York')
  const kolkata = await shopIn('Asia/Kolkata')
  const ids = {
    berlin: await fixtures.createSubscription(berlin),
    new_york: await fixtures.createSubscription(new_york),
    kolkata: await fixtures.createSubscription(kolkata),
  }
  // 19:45 in Berlin and 13:45 in New York on January 31; 00:15 on February 1 in Kolkata.
  for (let month = 2; month <= 12; month++) {
    const date = new Date(Date.UTC(2055, month, 0, 23)).toISOString()
    await fixtures.advanceTo(date)
  }
  assert.deepEqual(await starts(ids.berlin), [
    '2055-01-31T18:45',
    '2055-02-28T18:45',
    '2055-03-31T17:45',
    '2055-04-30T17:45',
    '2055-05-31T17:45',
    '2055-06-30T17:45',
    '2055-07-31T17:45',
    '2055-08-31T17:45',
    '2055-09-30T17:45',
    '2055-10-31T18:45',
    '2055-11-30T18:45',
    '2055-12-31T18:45',
  ])
  assert.deepEqual(await starts(ids.new_york), [
    '2055-01-31T18:45',
    '2055-02-28T18:45',
    '2055-03-31T17:45',
    '2055-04-30T17:45',
    '2055-05-31T17:45',
    '2055-06-30T17:45',
    '2055-07-31T17:45',
    '2055-08-31T17:45',
    '2055-09-30T17:45',
    '2055-10-31T17:45',
    '2055-11-30T18:45',
    '2055-12-31T18:45',
  ])
  assert.deepEqual(await starts(ids.kolkata), [
    '2055-01-31T18:45',
    '2055-02-28T18:45',
    '2055-03-31T18:45',
    '2055-04-30T18:45',
    '2055-05-31T18:45',
    '2055-06-30T18:45',
    '2055-07-31T18:45',
    '2055-08-31T18:45',
    '2055-09-30T18:45',
    '2055-10-31T18:45',
    '2055-11-30T18:45',
    '2055-12-31T18:45',
  ])
  const { body } = await fixtures.getSubscription(berlin, ids.berlin)
  assert.equal(body.next_at.slice(0, 16), '2056-01-31T18:45')
  assert.equal(body.updated_at, body.created_at, 'a new period does not change updated_at')
  assert.equal((await fixtures.requests(berlin, ids.berlin)).length, 12)
})

test('daily periods around both daylight saving changes in Berlin', async () => {
  await fixtures.waitUntil('2056-03-24T01:30:00.000Z')
  const shop = await shopIn('Europe/Berlin')
  const id = await fixtures.createSubscription(shop, { interval: 'day' })
  for (let day = 25; day <= 28; day++) await fixtures.advanceTo(`2056-03-${day}T02:00:00.000Z`)
  assert.deepEqual(await starts(id), [
    '2056-03-24T01:30',
    '2056-03-25T01:30',
    '2056-03-26T01:30',
    '2056-03-27T00:30',
    '2056-03-28T00:30',
  ])
  await fixtures.cancelSubscription(shop, id)
  await fixtures.waitUntil('2056-10-28T00:30:00.000Z')
  const autumn = await fixtures.createSubscription(shop, { interval: 'day' })
  await fixtures.advanceTo('2056-10-30T02:00:00.000Z')
  assert.deepEqual(await starts(autumn), [
    '2056-10-28T00:30',
    '2056-10-29T00:30',
    '2056-10-30T01:30',
  ])
})

test('advancing by a year creates all requests at once, each valid for thirty days', async () => {
  const shop = await shopIn('UTC')
  const id = await fixtures.createSubscription(shop)
  const created = (await fixtures.getSubscription(shop, id)).body.created_at
  await fixtures.advance(364 * 86_400)
  const requests = await fixtures.requests(shop, id)
  assert.equal(requests.length, 12)
  const [first, ...later] = requests
  assert.equal(first.status, 'canceled', 'it has expired')
  const thirty_days_ms = 30 * 86_400_000
  for (const { status, created_at, expires_at } of later) {
    assert.equal(status, 'pending')
    assert.equal(new Date(expires_at).getTime() - new Date(created_at).getTime(), thirty_days_ms)
    assert.ok(new Date(created_at).getTime() > new Date(created).getTime() + 364 * 86_400_000 - 1)
  }
  const months = requests.map(({ metadata }) => metadata.subscription_period.slice(0, 7))
  assert.equal(new Set(months).size, 12, 'each names its month')
  assert.deepEqual(months, months.toSorted())
})

test('changing the time zone keeps next_at and affects later periods', async () => {
  await fixtures.waitUntil('2058-06-10T08:00:00.000Z')
  const shop = await shopIn('Europe/Berlin')
  const id = await fixtures.createSubscription(shop)
  await fixtures.setSettings(shop, { timezone: 'America/New_York' })
  await fixtures.advanceTo('2058-12-20T00:00:00.000Z')
  // next_at was already published, so it stays; from November on, New York is in standard time.
  assert.deepEqual(await starts(id), [
    '2058-06-10T08:00',
    '2058-07-10T08:00',
    '2058-08-10T08:00',
    '2058-09-10T08:00',
    '2058-10-10T08:00',
    '2058-11-10T09:00',
    '2058-12-10T09:00',
  ])
})

test('four hundred due daily periods are each requested once', async () => {
  const shop = await shopIn('UTC')
  const id = await fixtures.createSubscription(shop, { interval: 'day' })
  await fixtures.advance(400 * 86_400)
  const periods = await fixtures.periods(id)
  assert.equal(periods.length, 401)
  assert.equal(new Set(periods.map(({ payment_id }) => payment_id)).size, 401)
  assert.ok(periods.every(({ period }, at) => period === at))
  await fixtures.cancelSubscription(shop, id)
})
