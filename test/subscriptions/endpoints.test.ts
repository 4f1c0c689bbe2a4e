import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { day_s, openSubscriptionFixtures, subscriptionKeys } from './subscription-fixtures.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const fixtures = await openSubscriptionFixtures(florin)
const shop = await fixtures.shop()

test('POST returns the whole subscription and requests its first period', async () => {
  const created = await fixtures.subscribe(shop, {
    amount: 7_500,
    reference: 'Plan B',
    metadata: { plan: 'b' },
  })
  assert.equal(created.status, 201, created.text)
  const { body } = created
  assert.deepEqual(Object.keys(body).sort(), subscriptionKeys)
  assert.match(body.id, /^sub_[0-9a-z]{26}$/)
  assert.equal(body.account_id, shop.account_id)
  assert.equal(body.status, 'active')
  assert.equal(body.interval_count, 1)
  assert.equal(body.created_at, body.updated_at)
  assert.deepEqual(body.metadata, { plan: 'b' })
  const seen = await fixtures.getSubscription(shop, body.id)
  assert.equal(seen.text, created.text)
  const [request, ...others] = await fixtures.requests(shop, body.id)
  assert.deepEqual(others, [])
  assert.equal(request.amount, 7_500)
  assert.equal(request.status, 'pending')
  assert.equal(request.reference, 'Plan B')
  assert.equal(request.customer_email, 'customer@example.com')
  assert.deepEqual(request.metadata, {
    subscription: body.id,
    subscription_period: body.created_at,
  })
  assert.deepEqual(await fixtures.eventTypes(shop, '%'), [
    'account.created',
    'user.created',
    'subscription.created',
    'payment.created',
  ])
})

test('the customer of the first period gets an email with the payment link', async () => {
  const id = await fixtures.createSubscription(shop, { customer_email: 'reader@example.com' })
  const [request] = await fixtures.requests(shop, id)
  const { token } = fixtures.admin
  const { body } = await florin.call('GET', '/v1/emails?to=reader@example.com', { token })
  assert.equal(body.data.length, 1)
  assert.equal(body.data[0].kind, 'payment_request')
  const email = await florin.call('GET', `/v1/emails/${body.data[0].id}`, { token })
  assert.ok(email.body.text.includes(request.payment_url))
})

test('an invalid field returns 400, is named and changes nothing', async () => {
  const wrong: [object, RegExp][] = [
    [{ interval: 'hour' }, /interval/],
    [{ interval: undefined }, /interval/],
    [{ interval_count: 0 }, /interval_count/],
    [{ interval_count: 1.5 }, /interval_count/],
    [{ interval_count: '1' }, /interval_count/],
    [{ interval_count: 37 }, /"interval_count" must be at most 36/],
    [{ interval: 'day', interval_count: 1_097 }, /interval_count/],
    [{ interval: 'week', interval_count: 157 }, /interval_count/],
    [{ interval: 'year', interval_count: 4 }, /interval_count/],
    [{ amount: 0 }, /amount/],
    [{ customer_email: 'invalid' }, /customer_email/],
    [{ currency: 'EUR' }, /"currency" must be "USD"/],
    [{ currency: 'usd' }, /currency/],
    [{ account_id: shop.account_id }, /account_id/],
    [{ status: 'paused' }, /status/],
    [{ reference: 'x'.repeat(256) }, /reference/],
    [{ reference: 'a\u0000b' }, /reference/],
    [{ metadata: { long: 'x'.repeat(17_000) } }, /metadata/],
    [{ metadata: { n: 2 ** 53 } }, /"metadata" .*"n".* as a string/],
  ]
  for (const [body, message] of wrong) {
    const response = await assertNoChanges(florin.db.pool, () => fixtures.subscribe(shop, body))
    assert.equal(response.status, 400, JSON.stringify(body))
    assert.equal(response.body.error, 'invalid_request')
    assert.match(response.body.message, message)
  }
})

test('the maximum period is three years', async () => {
  for (const [interval, interval_count] of [
    ['day', 1_096],
    ['week', 156],
    ['month', 36],
    ['year', 3],
  ]) {
    const created = await fixtures.subscribe(shop, { interval, interval_count })
    assert.equal(created.status, 201, created.text)
    const days =
      (Date.parse(created.body.next_at) - Date.parse(created.body.created_at)) / 1_000 / day_s
    assert.ok(days > 1_091 && days < 1_097, created.text)
    await fixtures.cancelSubscription(shop, created.body.id)
  }
})

test('PATCH changes reference and metadata like those of transactions', async () => {
  const id = await fixtures.createSubscription(shop, {
    reference: 'A',
    metadata: { keep: 1, drop: 2 },
  })
  const changed = await fixtures.patchSubscription(shop, id, {
    reference: 'B',
    metadata: { drop: null, more: [3] },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(changed.body.reference, 'B')
  assert.deepEqual(changed.body.metadata, { keep: 1, more: [3] })
  const keys = (name: string, value: unknown) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${name}${at}`, value]))
  await fixtures.patchSubscription(shop, id, {
    metadata: { keep: null, more: null, ...keys('old', 1) },
  })
  const others = await fixtures.patchSubscription(shop, id, {
    metadata: { ...keys('old', null), ...keys('new', 2) },
  })
  assert.deepEqual(others.body.metadata, keys('new', 2), 'removed keys do not count')
  const lossy = await fixtures.patchSubscription(shop, id, { metadata: { n: 2 ** 53 } })
  assert.deepEqual([lossy.status, lossy.body.error], [400, 'invalid_request'])
  const longest = { reference: 'x'.repeat(255) }
  assert.equal(
    (await fixtures.patchSubscription(shop, id, longest)).body.reference,
    longest.reference,
  )
  const longer = { reference: 'x'.repeat(256) }
  const refused = await assertNoChanges(florin.db.pool, () =>
    fixtures.patchSubscription(shop, id, longer),
  )
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'])
  const cleared = await fixtures.patchSubscription(shop, id, { reference: null, metadata: null })
  assert.equal(cleared.body.reference, null)
  assert.deepEqual(cleared.body.metadata, {})
  const same = await assertNoChanges(florin.db.pool, () =>
    fixtures.patchSubscription(shop, id, { reference: null, status: 'active' }),
  )
  assert.equal(same.text, cleared.text, 'a patch without changes writes nothing')
  const wrong = [{ amount: 1 }, { status: 'canceled' }, { status: null }, { next_at: null }]
  for (const body of wrong)
    assert.equal((await fixtures.patchSubscription(shop, id, body)).status, 400)
})

test('pausing, resuming and canceling record events that contain the response', async () => {
  const other = await fixtures.shop()
  const id = await fixtures.createSubscription(other)
  const paused = await fixtures.patchSubscription(other, id, { status: 'paused' })
  assert.equal(paused.body.status, 'paused')
  assert.equal(paused.body.next_at, null)
  const resumed = await fixtures.patchSubscription(other, id, { status: 'active' })
  assert.equal(resumed.body.status, 'active')
  assert.ok(resumed.body.next_at)
  const stopped = await fixtures.cancelSubscription(other, id)
  assert.equal(stopped.status, 200, stopped.text)
  assert.equal(stopped.body.status, 'canceled')
  assert.equal(stopped.body.next_at, null)
  const text = `select type, data from events
    where account_id = $1 and type like 'subscription.%' order by sequence`
  const { rows } = await florin.db.pool.query(text, [other.uuid])
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['created', 'updated', 'updated', 'canceled'].map((what) => `subscription.${what}`),
  )
  const texts = [paused, resumed, stopped].map((response) => response.text)
  assert.deepEqual(
    rows.slice(1).map(({ data }) => data),
    texts,
  )
})

test('a canceled subscription rejects all changes', async () => {
  const id = await fixtures.createSubscription(shop)
  await fixtures.cancelSubscription(shop, id)
  for (const body of [{ status: 'active' }, { status: 'paused' }, { reference: 'x' }, {}]) {
    const response = await assertNoChanges(florin.db.pool, () =>
      fixtures.patchSubscription(shop, id, body),
    )
    assert.equal(response.status, 409)
    assert.equal(response.body.error, 'conflict')
  }
  const again = await assertNoChanges(florin.db.pool, () => fixtures.cancelSubscription(shop, id))
  assert.equal(again.status, 409)
  assert.equal(again.body.error, 'not_cancellable')
  const bad = await fixtures.patchSubscription(shop, id, { metadata: { long: 'x'.repeat(17_000) } })
  assert.equal(bad.status, 400, 'errors in the body take precedence over the status')
})

test('a suspended or pending account can change subscriptions, but not create them', async () => {
  const other = await fixtures.shop()
  const id = await fixtures.createSubscription(other)
  for (const status of ['suspended', 'pending'] as const) {
    await fixtures.setStatus(other, status)
    const refused = await fixtures.subscribe(other)
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.body.message, new RegExp(status))
    assert.equal((await fixtures.patchSubscription(other, id, { status: 'paused' })).status, 200)
    assert.equal((await fixtures.patchSubscription(other, id, { status: 'active' })).status, 200)
  }
  assert.equal((await fixtures.cancelSubscription(other, id)).status, 200)
})

test('the currency of an account with a subscription cannot change', async () => {
  const other = await fixtures.shop()
  await fixtures.cancelSubscription(other, await fixtures.createSubscription(other))
  const body = { settings: { currency: 'EUR' } }
  const response = await florin.call('PATCH', '/v1/account', { token: other.token, body })
  assert.equal(response.status, 400)
  assert.match(response.body.message, /subscription/)
})

test('of a currency change and a first subscription at once, one is rejected', async () => {
  for (let round = 0; round < 10; round++) {
    const other = await fixtures.shop()
    const body = { settings: { currency: 'EUR' } }
    const [changed, created] = await Promise.all([
      florin.call('PATCH', '/v1/account', { token: other.token, body }),
      fixtures.subscribe(other),
    ])
    assert.deepEqual(
      [changed.status, created.status].toSorted(),
      changed.status === 200 ? [200, 400] : [201, 400],
    )
  }
})

test('changes by an admin are in the audit log, those by owners and platforms not', async () => {
  const other = await fixtures.shop()
  const platform = await florin.people.platform()
  const headers = { 'florin-account': other.account_id }
  const created = await fixtures.subscribe(fixtures.admin, {}, { headers })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.account_id, other.account_id)
  await fixtures.patchSubscription(
    fixtures.admin,
    created.body.id,
    { status: 'paused' },
    { headers },
  )
  await fixtures.patchSubscription(platform, created.body.id, { status: 'active' }, { headers })
  await fixtures.patchSubscription(other, created.body.id, { reference: 'x' })
  await fixtures.cancelSubscription(fixtures.admin, created.body.id, { headers })
  const text = `select action, details from audit_log
    where account_id = $1 and action like 'subscription.%' order by id`
  const { rows } = await florin.db.pool.query(text, [other.uuid])
  assert.deepEqual(
    rows.map(({ action, details }) => [action, details]),
    [
      ['subscription.created', '{}'],
      ['subscription.updated', '{"status":"paused"}'],
      ['subscription.canceled', '{}'],
    ],
  )
})

test('an account has a bounded number of subscriptions that are not canceled', async () => {
  const owner = await fixtures.shop()
  const id = await fixtures.createSubscription(owner)
  const { rows } = await florin.db.pool.query(
    `update balances set open_subscriptions = open_subscriptions + 999999 where account_id = $1
     returning open_subscriptions`,
    [owner.uuid],
  )
  assert.equal(rows[0].open_subscriptions, 1_000_000)
  const refused = await fixtures.subscribe(owner)
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'])
  assert.match(refused.body.message, /at most 1000000 subscriptions that are not canceled/)
  await fixtures.cancelSubscription(owner, id)
  await fixtures.createSubscription(owner)
})

test('metadata over the quota of the day prevents a change, but never a pause', async () => {
  const owner = await fixtures.shop()
  const id = await fixtures.createSubscription(owner, { metadata: { a: 'x'.repeat(1_600) } })
  await florin.db.pool.query(
    'update balances set metadata_day_bytes = 1073741824 where account_id = $1',
    [owner.uuid],
  )
  assert.equal((await fixtures.patchSubscription(owner, id, { reference: 'r' })).status, 400)
  assert.equal((await fixtures.patchSubscription(owner, id, { status: 'paused' })).status, 200)
  assert.equal((await fixtures.patchSubscription(owner, id, { status: 'active' })).status, 400)
  assert.equal(
    (await fixtures.patchSubscription(owner, id, { status: 'active', metadata: null })).status,
    200,
  )
})
