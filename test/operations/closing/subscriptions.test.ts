import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSubscriptionFixtures } from '../../subscriptions/subscription-fixtures.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { holdLock, type Shop, waitForWaiters } from '../../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openSubscriptionFixtures(florin)

const close = (shop: Shop, call = florin.call) =>
  call('DELETE', '/v1/account', { token: shop.token })

test('an active subscription prevents closing, and the attempt changes nothing', async () => {
  const shop = await fixtures.shop()
  const active = await fixtures.createSubscription(shop)
  const paused = await fixtures.createSubscription(shop)
  await fixtures.patchSubscription(shop, paused, { status: 'paused' })
  const refused = await assertNoChanges(florin.db.pool, () => close(shop))
  assert.equal(refused.status, 409, refused.text)
  assert.equal(refused.body.error, 'active_subscriptions')
  assert.match(refused.body.message, /has an active subscription\./)
  await fixtures.patchSubscription(shop, active, { status: 'paused' })
  assert.equal((await close(shop)).status, 200)
})

test('closing first cancels paused subscriptions, with events', async () => {
  const shop = await fixtures.shop()
  const ids = [
    await fixtures.createSubscription(shop),
    await fixtures.createSubscription(shop),
    await fixtures.createSubscription(shop),
  ]
  await fixtures.patchSubscription(shop, ids[0]!, { status: 'paused' })
  await fixtures.patchSubscription(shop, ids[1]!, { status: 'paused' })
  await fixtures.cancelSubscription(shop, ids[2]!)
  const before = (await fixtures.eventTypes(shop)).length
  const closed = await close(shop)
  assert.equal(closed.status, 200, closed.text)
  assert.deepEqual((await fixtures.eventTypes(shop)).slice(before), [
    'subscription.canceled',
    'subscription.canceled',
    'payment.canceled',
    'payment.canceled',
    'payment.canceled',
    'user.deleted',
    'account.closed',
  ])
  const headers = { 'florin-account': shop.account_id }
  for (const id of ids) {
    const { body } = await fixtures.getSubscription(fixtures.admin, id, { headers })
    assert.equal(body.status, 'canceled')
    assert.equal(body.next_at, null)
    assert.ok(body.updated_at <= closed.body.closed_at)
  }
})

test('subscriptions of a closed account are read-only, and visible to admins', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.createSubscription(shop)
  await fixtures.cancelSubscription(shop, id)
  await close(shop)
  const headers = { 'florin-account': shop.account_id }
  const listed = await fixtures.listSubscriptions(fixtures.admin, '', { headers })
  assert.deepEqual(
    listed.body.data.map((row: { id: string }) => row.id),
    [id],
  )
  const refused = [
    await fixtures.subscribe(fixtures.admin, {}, { headers }),
    await fixtures.patchSubscription(fixtures.admin, id, { status: 'active' }, { headers }),
    await fixtures.cancelSubscription(fixtures.admin, id, { headers }),
  ]
  for (const { status, body } of refused) assert.deepEqual([status, body.error], [404, 'not_found'])
})

test('subscribing and resuming that race a close leave no active subscriptions', async () => {
  for (let round = 0; round < 20; round++) {
    const shop = await fixtures.shop()
    const paused = await Promise.all(
      Array.from({ length: 5 }, () => fixtures.createSubscription(shop)),
    )
    await Promise.all(
      paused.map((id) => fixtures.patchSubscription(shop, id, { status: 'paused' })),
    )
    const calls = [florin.call, other.call]
    const racing = [
      ...paused.map((id, at) =>
        fixtures.patchSubscription(shop, id, { status: 'active' }, { call: calls[at % 2]! }),
      ),
      ...Array.from({ length: 5 }, (_, at) =>
        fixtures.subscribe(shop, {}, { call: calls[at % 2]! }),
      ),
    ]
    // On alternating servers, so that the close arrives at different times.
    const closing = round % 2 === 0 ? close(shop, other.call) : close(shop)
    const [closed, ...responses] = await Promise.all([closing, ...racing])
    assert.ok([200, 409].includes(closed!.status), closed!.text)
    for (const { status } of responses) assert.ok([200, 201, 401, 404, 409].includes(status))
    const text =
      'select count(*)::int as n from subscriptions where account_id = $1 and status = $2'
    const active = (await florin.db.pool.query(text, [shop.uuid, 'active'])).rows[0].n
    if (closed!.status === 200) {
      assert.equal(active, 0)
      assert.ok(responses.every(({ status }) => status >= 400))
    } else assert.ok(active > 0)
  }
})

test('of a close and a resume that wait for the same lock, the first succeeds', async () => {
  for (const first of ['close', 'resume']) {
    const shop = await fixtures.shop()
    const id = await fixtures.createSubscription(shop)
    await fixtures.patchSubscription(shop, id, { status: 'paused' })
    const release = await holdLock(florin, shop)
    const send = {
      close: () => close(shop),
      resume: () =>
        fixtures.patchSubscription(shop, id, { status: 'active' }, { call: other.call }),
    }
    const [one, another] = first === 'close' ? [send.close, send.resume] : [send.resume, send.close]
    const sent = [one()]
    await waitForWaiters(florin)
    sent.push(another())
    await waitForWaiters(florin, 2)
    await release()
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    assert.deepEqual(statuses, first === 'close' ? [200, 401] : [200, 409])
  }
})

test('a clock advance that races a close requests no periods', async () => {
  for (let round = 0; round < 5; round++) {
    const shop = await fixtures.shop()
    const id = await fixtures.createSubscription(shop, { interval: 'day' })
    await fixtures.patchSubscription(shop, id, { status: 'paused' })
    const [closed] = await Promise.all([close(shop, other.call), fixtures.advance(3 * 86_400)])
    assert.equal(closed.status, 200, closed.text)
    assert.equal((await fixtures.periods(id)).length, 1)
  }
})
