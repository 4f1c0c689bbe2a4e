// The data of a transaction's timeline: its postings, events and refunds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { wait } from './due.ts'
import { TransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const admin = await florin.people.admin()
const till = new TransactionFixtures(florin, admin)
const shop = await till.shop()
const other = await till.shop()

const get = async (path: string, token = shop.token, headers = {}) => {
  const response = await florin.call('GET', path, { token, headers })
  assert.equal(response.status, 200, response.text)
  return response.body
}

type Posting = { from: string; to: string; amount: number; available_after: number }
const summarize = ({ from, to, amount, available_after }: Posting) =>
  `${from} ${to} ${amount} ${available_after}`

const movesOf = async (id: string) =>
  (await get(`/v1/transactions/${id}/postings`)).data.map(summarize)

test('the postings of a transaction are found among those of others', async () => {
  const busy = Array.from({ length: 30 }, () => till.pending(shop, { amount: 1 }))
  const paid = await till.pending(shop, { amount: 500 })
  await Promise.all(busy)
  assert.deepEqual(await movesOf(paid), ['external incoming 500 0'])
  await wait(florin, 60)
  await till.settle(paid, 'succeeded')
  const both = ['external incoming 500 0', 'incoming available 500 500']
  assert.deepEqual(await movesOf(paid), both)
  const page = await get(`/v1/transactions/${paid}/postings`)
  assert.deepEqual(Object.keys(page), ['object', 'data', 'has_more'])
  const fields = ['sequence', 'from', 'to', 'amount', 'available_after', 'created_at']
  assert.deepEqual(Object.keys(page.data[0]), fields)
  const whole = await get(`/v1/transactions/${paid}`)
  assert.equal(page.data[0].created_at, whole.created_at)
  assert.equal(page.data[1].created_at, whole.updated_at)
  await wait(florin, 3_600)
  await Promise.all(Array.from({ length: 20 }, () => till.pending(shop, { amount: 1 })))
  await till.patch(shop, paid, { metadata: { late: true } })
  assert.deepEqual(await movesOf(paid), both, 'even if it was changed long after its end')
})

test('a failed refund releases the held amount', async () => {
  const refund = await till.pending(shop, { amount: 40, type: 'refund' })
  await till.settle(refund, 'failed')
  assert.deepEqual(await movesOf(refund), ['available held 40 460', 'held available 40 500'])
})

test('events can be filtered by object, in both directions and with a type', async () => {
  const id = await till.pending(shop, { amount: 5 })
  await wait(florin, 30)
  await till.pending(shop, { amount: 6 })
  await till.settle(id, 'succeeded')
  await till.patch(shop, id, { reference: 'x' })
  const types = async (query: string) =>
    (await get(`/v1/events?object=${id}${query}`)).data.map(({ type }: { type: string }) => type)
  const all = ['transaction.updated', 'transaction.succeeded', 'transaction.created']
  assert.deepEqual(await types(''), all)
  assert.deepEqual(await types('&after=0'), all.toReversed())
  assert.deepEqual(await types('&type=transaction.succeeded'), ['transaction.succeeded'])
  const first = await get(`/v1/events?object=${id}&limit=1`)
  assert.equal(first.has_more, true)
  assert.deepEqual(await types(`&starting_after=${first.data[0].id}`), all.slice(1))
  const about_account = await get(`/v1/events?object=${shop.account_id}`)
  assert.deepEqual(
    about_account.data.map(({ type }: { type: string }) => type),
    ['account.created'],
  )
})

test('an object of another account has no events, and a malformed id returns 400', async () => {
  const foreign = await till.pending(other)
  for (const id of [foreign, toTypeId('payment', newUuid(Date.now())), other.account_id]) {
    assert.deepEqual((await get(`/v1/events?object=${id}`)).data, [], id)
  }
  for (const id of ['txn_1', 'wd_01h455vb4pex5vsknk084sn02q', '']) {
    const refused = await florin.call('GET', `/v1/events?object=${id}`, { token: shop.token })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'], id)
  }
})

test('refund_of lists the refunds that are linked to a payment', async () => {
  const payment = await till.fund(shop, 300)
  const another = await till.fund(shop, 300)
  const linked = (reference: string) =>
    till.pending(shop, { amount: 10, type: 'refund', reference })
  const first = await linked(payment)
  await linked(another)
  const second = await linked(payment)
  await till.settle(first, 'failed')
  // Changing the reference later neither creates nor removes a link.
  await till.patch(shop, second, { reference: 'changed' })
  const ids = async (query: string, token = shop.token, headers = {}) =>
    (await get(`/v1/transactions?${query}`, token, headers)).data.map(
      ({ id }: { id: string }) => id,
    )
  assert.deepEqual(await ids(`refund_of=${payment}`), [second, first])
  assert.deepEqual(await ids(`refund_of=${payment}&status=failed`), [first])
  assert.deepEqual(await ids(`refund_of=${payment}&limit=1&starting_after=${second}`), [first])
  assert.deepEqual(await ids(`refund_of=${payment}&type=payment`), [])
  assert.deepEqual(await ids(`refund_of=${first}`), [])
  assert.deepEqual(await ids(`refund_of=${payment}`, other.token), [])
  assert.deepEqual(await ids(`refund_of=${payment}`, admin.token), [second, first])
  const header = { 'florin-account': other.account_id }
  assert.deepEqual(await ids(`refund_of=${payment}`, admin.token, header), [])
  const malformed = await florin.call('GET', '/v1/transactions?refund_of=x', { token: shop.token })
  assert.match(malformed.body.message, /^"refund_of" must be a transaction id/)
  assert.equal(malformed.status, 400)
})
