// GET /v1/search by text, amount and the end of an id.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuidEnd, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { findAmount } from '../../src/primitives/money.ts'
import { openSubscriptionFixtures } from '../subscriptions/subscription-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { queryWithoutTimeout } from '../support/without-timeout.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)
const shop = await fixtures.shop()
const other = await fixtures.shop()

const paid = await fixtures.request(shop, {
  amount: 123_450,
  customer_email: 'Ann.Lee@Example.com',
  reference: 'Invoice 77',
})
await fixtures.settlePayment(paid)
const pending = await fixtures.request(shop, { amount: 4_200, customer_email: 'bob@example.com' })
const credit = await fixtures.pending(shop, { type: 'credit', amount: 999, reference: 'Bonus ÄB' })
const subscription = await fixtures.createSubscription(shop, {
  amount: 4_200,
  customer_email: 'carla@example.com',
})
await fixtures.request(other, { amount: 4_200, customer_email: 'ann.lee@example.com' })

interface Found {
  kind: string
  id: string
  title: string
}

async function search(q: string, token = shop.token, headers = {}) {
  const path = `/v1/search?q=${encodeURIComponent(q)}`
  const response = await florin.call('GET', path, { token, headers })
  assert.equal(response.status, 200, response.text)
  return response.body as { data: Found[]; searched_from: string | null }
}

async function kindsOf(q: string): Promise<string[]> {
  return (await search(q)).data.map(({ kind }) => kind)
}

test('finds by a part of an email, ignoring case', async () => {
  assert.deepEqual(await kindsOf('ann.LEE'), ['customer', 'payment'])
  assert.deepEqual(await kindsOf('lee@example.com'), ['customer', 'payment'])
  assert.deepEqual(await kindsOf('carla@'), ['customer', 'payment', 'subscription'])
})

test('finds by a part of the reference', async () => {
  assert.deepEqual(await kindsOf('invoice 7'), ['payment', 'transaction'])
  assert.deepEqual(await kindsOf('bonus äb'), ['transaction'])
  assert.deepEqual(await kindsOf('%'), [])
  assert.deepEqual(await kindsOf('nothing like this'), [])
})

test('finds by amount in the currency of the account', async () => {
  for (const q of ['1,234.50', '1234.50', '1234.5', '$1234.50', '1.234,50', 'USD 1234.50']) {
    assert.deepEqual(await kindsOf(q), ['payment', 'transaction'], q)
  }
  assert.deepEqual(await kindsOf('42'), ['payment', 'payment', 'subscription'])
  assert.deepEqual(await kindsOf('42.00'), ['payment', 'payment', 'subscription'])
  assert.deepEqual(await kindsOf('4200'), [])
})

test('finds a payment link by its id, only in its own account', async () => {
  const body = { title: 'Pottery class', amount: 8_500 }
  const created = await florin.call('POST', '/v1/payment_links', { token: shop.token, body })
  const { id } = created.body as { id: string }
  const { data } = await search(id)
  assert.deepEqual(
    data.map(({ kind, title }) => ({ kind, title })),
    [{ kind: 'payment_link', title: 'Pottery class' }],
  )
  assert.deepEqual((await search(id, other.token)).data, [])
})

test('finds by the end of an id, and by the whole id', async () => {
  for (const id of [paid, pending, credit, subscription]) {
    for (const length of [4, 5, 6, 7, 8, 12, 26]) {
      const { data } = await search(id.slice(-length))
      assert.ok(
        data.some((one) => one.id === id),
        `${id} ${length}`,
      )
    }
    assert.deepEqual(
      (await search(id)).data.map((one) => one.id),
      [id],
    )
  }
})

test('returns title, amount, currency, status, customer and time', async () => {
  const [, payment, transaction] = [...(await search('ann.lee')).data, ...(await search('77')).data]
  const { created_at, ...facts } = payment as unknown as Record<string, unknown>
  assert.match(String(created_at), /^\d{4}-/)
  assert.deepEqual(facts, {
    kind: 'payment',
    id: paid,
    account_id: shop.account_id,
    title: 'Invoice 77',
    amount: 123_450,
    currency: 'USD',
    status: 'succeeded',
    customer_email: 'Ann.Lee@Example.com',
  })
  assert.equal(transaction!.title, 'Invoice 77')
})

test('an admin finds accounts, users, and objects of the account in the header', async () => {
  const { token } = fixtures.admin
  const email = shop.email.toUpperCase().slice(0, -2)
  const everywhere = (await search(email, token)).data.map(({ kind }) => kind)
  assert.deepEqual(everywhere, ['account', 'user'])
  assert.deepEqual((await search('ann.lee@example.com', token)).data, [])
  const headers = { 'florin-account': other.account_id }
  const within = (await search('ann.lee@example.com', token, headers)).data
  assert.deepEqual(
    within.map(({ kind }) => kind),
    ['customer', 'payment'],
  )
})

test('compares the newest 10,000 rows only, and returns from when', async () => {
  const many = await fixtures.shop()
  await fixtures.request(many, { reference: 'oldest' })
  await queryWithoutTimeout(
    florin.db.pool,
    `insert into payment_requests (account_id, id, status, amount, currency, customer_email, token,
       declines, sends, expires_at, updated_at)
     select account_id, ('ff000000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, 'canceled',
       amount, currency, customer_email, token || n, 0, 1, expires_at, updated_at
     from payment_requests, generate_series(1, 10000) as n where account_id = $1`,
    [many.uuid],
  )
  const found = await search('oldest', many.token)
  assert.deepEqual(found.data, [])
  assert.ok(found.searched_from !== null)
  await queryWithoutTimeout(
    florin.db.pool,
    "delete from payment_requests where token ~ '.{43}[0-9]+'",
  )
  assert.equal((await search('oldest', many.token)).data.length, 1)
})

test('parses amounts, and nothing else', () => {
  assert.equal(findAmount('42', 'JPY'), 42)
  assert.equal(findAmount('42.5', 'JPY'), undefined)
  assert.equal(findAmount('42.005', 'USD'), undefined)
  assert.equal(findAmount('1,23', 'EUR'), 123)
  assert.equal(findAmount('€ 12', 'EUR'), 1200)
  for (const text of ['', 'abc', 'inv42', '4.2.1', '1,2345', '-5', '0', '9'.repeat(20)]) {
    assert.equal(findAmount(text, 'USD'), undefined, text)
  }
  const id = newUuid(Date.now())
  assert.equal(findUuidEnd(toTypeId('payment', id)), undefined)
  assert.equal(findUuidEnd('abc'), undefined)
})
