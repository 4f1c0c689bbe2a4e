// A refund whose reference is the id of a transaction of the account is linked to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures, type Shop } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)

function expectOver(response: ApiResponse, left: number): void {
  assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], response.text)
  assert.match(response.body.message, new RegExp(`^"amount" must be at most ${left} `))
}

test('pending and succeeded refunds of a payment never exceed its amount', async () => {
  const shop = await fixtures.shop(5_000)
  const payment = await fixtures.fund(shop, 1_000)
  const first = await fixtures.refund(shop, 600, payment)
  assert.equal(first.status, 201)
  assert.equal(first.body.reference, payment)
  expectOver(await fixtures.refund(shop, 401, payment), 400)
  await fixtures.settle(first.body.id)
  expectOver(await fixtures.refund(shop, 401, payment), 400)
  assert.equal((await fixtures.refund(shop, 400, payment)).status, 201)
  expectOver(await fixtures.refund(shop, 1, payment), 0)
  assert.equal(
    (await fixtures.refund(shop, 1)).status,
    201,
    'a refund without a link is not limited',
  )
})

test('a canceled or failed refund no longer counts against its payment', async () => {
  const shop = await fixtures.shop(5_000)
  const payment = await fixtures.fund(shop, 1_000)
  for (const end of [
    (id: string) => fixtures.cancel(shop, id),
    (id: string) => fixtures.settle(id, 'failed'),
  ]) {
    const refund = await fixtures.refund(shop, 1_000, payment)
    expectOver(await fixtures.refund(shop, 1, payment), 0)
    await end(refund.body.id)
  }
  assert.equal((await fixtures.refund(shop, 1_000, payment)).status, 201)
})

test('a link remains when the reference changes', async () => {
  const shop = await fixtures.shop(5_000)
  const payment = await fixtures.fund(shop, 1_000)
  const refund = await fixtures.refund(shop, 700, payment)
  const patched = await fixtures.patch(shop, refund.body.id, { reference: null })
  assert.equal(patched.body.reference, null)
  expectOver(await fixtures.refund(shop, 301, payment), 300)
  await fixtures.patch(shop, refund.body.id, { reference: 'another' })
  await fixtures.cancel(shop, refund.body.id)
  assert.equal((await fixtures.refund(shop, 1_000, payment)).status, 201)
})

test('changing a reference to the id of a payment does not create a link', async () => {
  const shop = await fixtures.shop(5_000)
  const payment = await fixtures.fund(shop, 1_000)
  const refund = await fixtures.refund(shop, 700)
  await fixtures.patch(shop, refund.body.id, { reference: payment })
  assert.equal((await fixtures.refund(shop, 1_000, payment)).status, 201)
  await fixtures.cancel(shop, refund.body.id)
  expectOver(await fixtures.refund(shop, 1, payment), 0)
})

const unfit: Record<string, (shop: Shop) => Promise<string>> = {
  'a pending payment': async (shop) => (await fixtures.create(shop)).body.id,
  'a failed payment': async (shop) => {
    const { id } = (await fixtures.create(shop)).body
    await fixtures.settle(id, 'failed')
    return id
  },
  'a canceled payment': async (shop) => {
    const { id } = (await fixtures.create(shop)).body
    await fixtures.cancel(shop, id)
    return id
  },
  'a succeeded credit': (shop) => fixtures.fund(shop, 100, { type: 'credit' }),
  'a pending refund': async (shop) => (await fixtures.refund(shop, 100)).body.id,
  'a succeeded refund': async (shop) => {
    const { id } = (await fixtures.refund(shop, 100)).body
    await fixtures.settle(id)
    return id
  },
}

for (const [name, make] of Object.entries(unfit)) {
  test(`a refund cannot be linked to ${name}`, async () => {
    const shop = await fixtures.shop(5_000)
    const id = await make(shop)
    const before = await fixtures.balance(shop)
    const response = await fixtures.refund(shop, 1, id)
    assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'])
    assert.match(response.body.message, /^"reference" /)
    assert.deepEqual(await fixtures.balance(shop), before)
  })
}

test('any other reference of a refund is plain text', async () => {
  const shop = await fixtures.shop(5_000)
  const stranger = await fixtures.shop(5_000)
  const foreign = await fixtures.fund(stranger, 10)
  const payment = await fixtures.fund(shop, 10)
  const texts = [
    foreign,
    toTypeId('transaction', newUuid(Date.now())),
    payment.toUpperCase(),
    payment.replace('txn_', 'pay_'),
    `${payment} `,
    shop.account_id,
    '',
  ]
  for (const reference of texts) {
    const response = await fixtures.refund(shop, 100, reference)
    assert.equal(response.status, 201, `${reference}: ${response.text}`)
    assert.equal(response.body.reference, reference)
  }
  const text = 'select 1 from transactions where account_id = $1 and refund_of is not null'
  const linked = await florin.db.pool.query(text, [shop.uuid])
  assert.equal(linked.rowCount, 0)
})

test('only refunds are linked: for a payment or credit the id is plain text', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.fund(shop, 10)
  for (const type of ['payment', 'credit']) {
    const response = await fixtures.create(shop, { type, amount: 1_000, reference: payment })
    assert.equal(response.status, 201)
  }
  assert.equal((await fixtures.refund(shop, 10, payment)).status, 201)
})

test('a linked refund also requires available funds', async () => {
  const shop = await fixtures.shop()
  const payment = await fixtures.fund(shop, 1_000)
  await fixtures.refund(shop, 600)
  const response = await fixtures.refund(shop, 500, payment)
  assert.deepEqual([response.status, response.body.error], [402, 'insufficient_funds'])
  assert.equal((await fixtures.refund(shop, 400, payment)).status, 201)
})

test('a refund by an admin is linked within its account', async () => {
  const shop = await fixtures.shop(5_000)
  const payment = await fixtures.fund(shop, 1_000)
  const as_admin = { ...shop, token: fixtures.admin.token }
  assert.equal((await fixtures.refund(as_admin, 900, payment)).status, 201)
  expectOver(await fixtures.refund(shop, 101, payment), 100)
})
