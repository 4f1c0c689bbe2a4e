// GET /v1/account/attention: what somebody should look at.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { Desk } from '../payments/desk.ts'
import { startFlorin } from '../support/florin.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { wait } from '../transactions/due.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const desk = new Desk(florin, await florin.people.admin())
const hour_s = 3_600
const day_s = 24 * hour_s

const look = async (who: { token: string }) => {
  const answer = await florin.call('GET', '/v1/account/attention', { token: who.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('an account with nothing wrong needs no attention', async () => {
  const shop = await desk.shop()
  await desk.fund(shop, 100)
  const told = await look(shop)
  assert.equal(told.account_id, shop.account_id)
  for (const what of ['failed', 'pending_long', 'payments_expiring', 'webhooks_failing']) {
    assert.deepEqual([told[what].count, told[what].ids], [0, []], what)
  }
})

test('what failed counts for a day, and what is pending from an hour on', async () => {
  const shop = await desk.shop()
  const failed = await desk.pending(shop)
  const pending = await desk.pending(shop)
  await desk.settle(failed, 'failed')
  assert.deepEqual((await look(shop)).failed.ids, [failed])
  assert.equal((await look(shop)).pending_long.count, 0)
  await wait(florin, hour_s + 1)
  const later = await look(shop)
  assert.deepEqual([later.pending_long.count, later.pending_long.ids], [1, [pending]])
  assert.deepEqual(later.failed.ids, [failed])
  await wait(florin, day_s)
  assert.equal((await look(shop)).failed.count, 0)
  await desk.settle(pending, 'failed')
  const told = await look(shop)
  assert.deepEqual([told.failed.ids, told.pending_long.count], [[pending], 0], 'failed just now')
})

test('what failed days ago does not come back with a change of its metadata', async () => {
  const shop = await desk.shop()
  const [old, late] = [await desk.pending(shop), await desk.pending(shop)]
  await desk.settle(old, 'failed')
  await wait(florin, day_s + 60)
  const change = async (id: string) => {
    const options = { token: shop.token, body: { metadata: { seen: 'yes' } } }
    const answer = await florin.call('PATCH', `/v1/transactions/${id}`, options)
    assert.equal(answer.status, 200, answer.text)
  }
  await change(old)
  assert.equal((await look(shop)).failed.count, 0)
  // Neither does one disappear that failed today, was made days ago, and was changed after that.
  await desk.settle(late, 'failed')
  await change(late)
  const young = await desk.pending(shop)
  await desk.settle(young, 'failed')
  await change(young)
  assert.deepEqual((await look(shop)).failed.ids, [young, late])
})

test('only the first five are named, the oldest first, and all are counted', async () => {
  const shop = await desk.shop()
  const ids: string[] = []
  for (let n = 0; n < 7; n += 1) ids.push(await desk.pending(shop))
  await wait(florin, 2 * hour_s)
  const { pending_long } = await look(shop)
  assert.deepEqual([pending_long.count, pending_long.ids], [7, ids.slice(0, 5)])
})

test('a payment request counts in its last three days, until it is paid or over', async () => {
  const shop = await desk.shop()
  const paid = await desk.request(shop)
  const open = await desk.request(shop)
  await wait(florin, 27 * day_s - 60)
  assert.equal((await look(shop)).payments_expiring.count, 0)
  await wait(florin, 120)
  assert.deepEqual((await look(shop)).payments_expiring.ids, [paid, open])
  await desk.settlePayment(paid)
  assert.deepEqual((await look(shop)).payments_expiring.ids, [open])
  await wait(florin, 3 * day_s)
  assert.equal(
    (await look(shop)).payments_expiring.count,
    0,
    'it is over, and waits for the worker',
  )
})

test('endpoints that fail, or were turned off for it, are named to their owner', async () => {
  const shop = await desk.shop()
  const make = async () => {
    const body = { url: 'https://example.com/webhooks', events: ['*'] }
    const made = await florin.call('POST', '/v1/webhook_endpoints', { token: shop.token, body })
    return made.body.id as string
  }
  const [failing, gone, asked] = [await make(), await make(), await make()]
  const set = (id: string, text: string) =>
    florin.db.pool.query(`update webhook_endpoints set ${text} where id = $1`, [
      findUuid('webhook_endpoint', id),
    ])
  await set(failing, 'failing_since = now()')
  await set(gone, "status = 'disabled', disabled_reason = 'gone'")
  await set(asked, "status = 'disabled', disabled_reason = 'asked'")
  const told = await look(shop)
  assert.deepEqual(told.webhooks_failing, { count: 1, ids: [failing] })
  assert.deepEqual(told.webhooks_disabled, { count: 1, ids: [gone] })
  const member = await florin.people.member(shop)
  assert.equal((await look(member)).webhooks_failing, null)
})

test('a processor that takes hours is given twice as long', async () => {
  const slow = await florin.another({
    FLORIN_PROCESSOR: 'sandbox',
    FLORIN_SETTLE_AFTER: String(2 * hour_s),
  })
  const shop = await desk.shop()
  await desk.pending(shop)
  const count = async () =>
    (await slow.call('GET', '/v1/account/attention', { token: shop.token })).body.pending_long.count
  await wait(florin, 3 * hour_s)
  assert.equal(await count(), 0)
  await wait(florin, hour_s + 1)
  assert.equal(await count(), 1)
})
