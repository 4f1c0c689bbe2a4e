import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { Payers } from '../../payments/payers.ts'
import { PaymentFixtures } from '../../payments/payment-fixtures.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { watchRefusals } from '../../support/watch-refusals.ts'
import { wait } from '../../transactions/due.ts'

const florin = watchRefusals(await startFlorin({ FLORIN_PROCESSOR: 'manual' }))
const desk = new PaymentFixtures(florin, await florin.people.admin())
const hour_s = 3_600
const day_s = 24 * hour_s

const entries = [
  'failed',
  'pending_long',
  'payments_failed',
  'payments_expiring',
  'disputes',
  'webhooks_failing',
  'webhooks_disabled',
]

const getReport = async (who: { token: string }) => {
  const response = await florin.call('GET', '/v1/account/attention', { token: who.token })
  assert.equal(response.status, 200, response.text)
  for (const entry of entries) await compareWithList(who, entry, response.body[entry])
  return response.body
}

/** Asserts that an entry has the count and ids of the list it names. */
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

test('an account without problems has empty entries', async () => {
  const shop = await desk.shop()
  await desk.fund(shop, 100)
  const report = await getReport(shop)
  assert.equal(report.account_id, shop.account_id)
  for (const entry of entries) {
    assert.deepEqual([report[entry].count, report[entry].ids], [0, []], entry)
  }
})

test('failed transactions count for a day, pending ones after an hour', async () => {
  const shop = await desk.shop()
  const failed = await desk.pending(shop)
  const pending = await desk.pending(shop)
  await desk.settle(failed, 'failed')
  assert.deepEqual((await getReport(shop)).failed.ids, [failed])
  assert.equal((await getReport(shop)).pending_long.count, 0)
  await wait(florin, hour_s + 1)
  const later = await getReport(shop)
  assert.deepEqual([later.pending_long.count, later.pending_long.ids], [1, [pending]])
  assert.deepEqual(later.failed.ids, [failed])
  await wait(florin, day_s)
  assert.equal((await getReport(shop)).failed.count, 0)
  await desk.settle(pending, 'failed')
  const report = await getReport(shop)
  assert.deepEqual([report.failed.count, report.pending_long.count], [0, 0], 'created a day ago')
})

test('a failed payment request counts for a day after it failed', async () => {
  const shop = await desk.shop()
  const payers = new Payers(florin.db)
  const declined = await desk.request(shop)
  const young = await desk.request(shop)
  await wait(florin, 20 * day_s)
  for (let n = 0; n < 10; n += 1) await payers.attempt(shop, declined, false)
  const more: string[] = []
  for (let n = 0; n < 6; n += 1) more.push(await desk.request(shop))
  for (const id of [young, ...more]) await desk.settlePayment(id, 'failed')
  const { payments_failed } = await getReport(shop)
  assert.equal(payments_failed.count, 8)
  assert.deepEqual(payments_failed.ids, more.toReversed().slice(0, 5))
  await wait(florin, day_s + 1)
  assert.equal((await getReport(shop)).payments_failed.count, 0)
})

test('updated_from filters requests by their last change', async () => {
  const shop = await desk.shop()
  const [canceled, paid, open] = [
    await desk.request(shop),
    await desk.request(shop),
    await desk.request(shop),
  ]
  await wait(florin, hour_s)
  const from = (await getReport(shop)).at
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

test('an entry counts all objects and lists the ids of the five oldest', async () => {
  const shop = await desk.shop()
  const ids: string[] = []
  for (let n = 0; n < 7; n += 1) ids.push(await desk.pending(shop))
  await wait(florin, 2 * hour_s)
  const { pending_long } = await getReport(shop)
  assert.deepEqual([pending_long.count, pending_long.ids], [7, ids.slice(0, 5)])
})

test('a payment request counts in its last three days until it is paid or expires', async () => {
  const shop = await desk.shop()
  const paid = await desk.request(shop)
  const open = await desk.request(shop)
  await wait(florin, 27 * day_s - 60)
  assert.equal((await getReport(shop)).payments_expiring.count, 0)
  await wait(florin, 120)
  assert.deepEqual((await getReport(shop)).payments_expiring.ids, [paid, open])
  await desk.settlePayment(paid)
  assert.deepEqual((await getReport(shop)).payments_expiring.ids, [open])
  await wait(florin, 3 * day_s)
  assert.equal(
    (await getReport(shop)).payments_expiring.count,
    0,
    'it has expired, and waits for the worker',
  )
})

test('failing and disabled endpoints are reported to the owner', async () => {
  const shop = await desk.shop()
  const make = async () => {
    const body = { url: 'https://example.com/webhooks', events: ['*'] }
    const created = await florin.call('POST', '/v1/webhook_endpoints', { token: shop.token, body })
    return created.body.id as string
  }
  const [failing, gone, disabled] = [await make(), await make(), await make()]
  const set = (id: string, text: string) =>
    florin.db.pool.query(`update webhook_endpoints set ${text} where id = $1`, [
      findUuid('webhook_endpoint', id),
    ])
  await set(failing, 'failing_since = now()')
  await set(gone, "status = 'disabled', disabled_reason = 'gone'")
  await set(disabled, "status = 'disabled', disabled_reason = 'manual'")
  const { webhooks_failing, webhooks_disabled } = await getReport(shop)
  assert.deepEqual([webhooks_failing.count, webhooks_failing.ids], [1, [failing]])
  assert.deepEqual([webhooks_disabled.count, webhooks_disabled.ids], [1, [gone]])
  const member = await florin.people.member(shop)
  assert.equal((await getReport(member)).webhooks_failing, null)
})

test('with a slow processor, pending transactions count after twice its time', async () => {
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
