// GET /v1/account/attention: what somebody should look at.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { Payers } from '../payments/payers.ts'
import { PaymentFixtures } from '../payments/payment-fixtures.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { wait } from '../transactions/due.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const desk = new PaymentFixtures(florin, await florin.people.admin())
const hour_s = 3_600
const day_s = 24 * hour_s

const entries = [
  'failed',
  'pending_long',
  'payments_failed',
  'payments_expiring',
  'webhooks_failing',
  'webhooks_disabled',
]

const look = async (who: { token: string }) => {
  const response = await florin.call('GET', '/v1/account/attention', { token: who.token })
  assert.equal(response.status, 200, response.text)
  for (const entry of entries) await compareWithList(who, entry, response.body[entry])
  return response.body
}

/** Every report of this file must have the counts and ids of the lists that it names. */
async function compareWithList(who: { token: string }, name: string, entry: Entry | null) {
  if (entry === null) return
  const listed: string[] = []
  for (let after = ''; ; after = `&starting_after=${listed.at(-1)}`) {
    const page: ApiResponse = await florin.call('GET', `${entry.list}&limit=3${after}`, {
      token: who.token,
    })
    assert.equal(page.status, 200, page.text)
    listed.push(...page.body.data.map(({ id }: { id: string }) => id))
    if (!page.body.has_more) break
  }
  const in_order = /pending_long|expiring/.test(name) ? listed.toReversed() : listed
  assert.deepEqual([entry.count, entry.ids], [listed.length, in_order.slice(0, 5)], entry.list)
}

interface Entry {
  count: number
  ids: string[]
  list: string
}

test('an account with nothing wrong needs no attention', async () => {
  const shop = await desk.shop()
  await desk.fund(shop, 100)
  const told = await look(shop)
  assert.equal(told.account_id, shop.account_id)
  for (const what of entries) {
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
  assert.deepEqual([told.failed.count, told.pending_long.count], [0, 0], 'created a day ago')
})

test('a payment request that failed counts for a day, however old it is', async () => {
  const shop = await desk.shop()
  const payers = new Payers(florin.db)
  const declined = await desk.request(shop)
  const young = await desk.request(shop)
  await wait(florin, 20 * day_s)
  for (let n = 0; n < 10; n += 1) await payers.try(shop, declined, false)
  const more: string[] = []
  for (let n = 0; n < 6; n += 1) more.push(await desk.request(shop))
  for (const id of [young, ...more]) await desk.settlePayment(id, 'failed')
  const { payments_failed } = await look(shop)
  assert.equal(payments_failed.count, 8)
  assert.deepEqual(payments_failed.ids, more.toReversed().slice(0, 5))
  await wait(florin, day_s + 1)
  assert.equal((await look(shop)).payments_failed.count, 0)
})

test('updated_from finds requests by their last change', async () => {
  const shop = await desk.shop()
  const [canceled, paid, open] = [
    await desk.request(shop),
    await desk.request(shop),
    await desk.request(shop),
  ]
  await wait(florin, hour_s)
  const from = (await look(shop)).at
  await desk.cancelPayment(shop, canceled)
  await desk.settlePayment(paid)
  const ids = async (query: string) =>
    (await desk.list(shop, `?${query}`)).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(`updated_from=${from}`), [paid, canceled])
  assert.deepEqual(await ids(`updated_from=${from}&status=succeeded`), [paid])
  assert.deepEqual(await ids(`updated_from=${from}&date_from=${from}&status=succeeded`), [])
  assert.deepEqual(await ids(`updated_from=${from}&status=pending`), [], `${open} is unchanged`)
  assert.equal((await desk.list(shop, '?updated_from=yesterday')).status, 400)
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
  await set(asked, "status = 'disabled', disabled_reason = 'manual'")
  const told = await look(shop)
  assert.deepEqual([told.webhooks_failing.count, told.webhooks_failing.ids], [1, [failing]])
  assert.deepEqual([told.webhooks_disabled.count, told.webhooks_disabled.ids], [1, [gone]])
  const member = await florin.people.member(shop)
  assert.equal((await look(member)).webhooks_failing, null)
})

test('a processor that takes hours is given twice as long', async () => {
  const slow = await florin.startSecondServer({
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
