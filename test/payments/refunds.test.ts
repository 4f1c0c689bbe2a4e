// Refunds of paid payment requests: links by the request's id, limits, and lists.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Payers } from './payers.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)
const payers = new Payers(florin.db)

/** Creates a paid request; returns its id and that of its transaction. */
async function paid(shop: Shop, amount: number, body: object = {}) {
  const id = await fixtures.request(shop, { amount, ...body })
  const settled = await fixtures.settlePayment(id)
  assert.equal(settled.status, 200, settled.text)
  return { id, transaction_id: settled.body.transaction_id as string }
}

function expectRefused(response: ApiResponse, message: RegExp): void {
  assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], response.text)
  assert.match(response.body.message, message)
}

async function refundOf(shop: Shop, refund_id: string): Promise<string | undefined> {
  const path = `/v1/transactions/${refund_id}`
  const { body } = await florin.call('GET', path, { token: shop.token })
  const text = 'select refund_of from transactions where account_id = $1 and reference = $2'
  const { rows } = await florin.db.pool.query(text, [shop.uuid, body.reference])
  return rows[0].refund_of === null ? undefined : toTypeId('transaction', rows[0].refund_of)
}

test('a refund of a paid request is linked to its transaction and limited by it', async () => {
  const shop = await fixtures.shop(20_000)
  const { id, transaction_id } = await paid(shop, 4_200)
  const first = await fixtures.refund(shop, 4_200, id)
  assert.equal(first.status, 201, first.text)
  assert.equal(first.body.reference, id)
  assert.equal(await refundOf(shop, first.body.id), transaction_id)
  const message =
    '"amount" must be at most 0 (USD 0.00), the amount left to refund; got 4200 (USD 42.00).'
  for (const reference of [id, transaction_id]) {
    const again = await fixtures.refund(shop, 4_200, reference)
    assert.deepEqual([again.status, again.body.message], [400, message])
  }
})

test('both ids of a payment share one limit, and a failed refund does not count', async () => {
  const shop = await fixtures.shop(20_000)
  const { id, transaction_id } = await paid(shop, 10_000)
  const by_payment = await fixtures.refund(shop, 6_000, id)
  const message =
    '"amount" must be at most 4000 (USD 40.00), the amount left to refund; got 4001 (USD 40.01).'
  assert.equal((await fixtures.refund(shop, 4_001, transaction_id)).body.message, message)
  assert.equal((await fixtures.refund(shop, 4_000, transaction_id)).status, 201)
  assert.equal((await fixtures.settle(by_payment.body.id, 'failed')).status, 200)
  assert.equal((await fixtures.refund(shop, 6_000, id)).status, 201)
})

test('a request that is not paid cannot be refunded', async () => {
  const shop = await fixtures.shop(20_000)
  const pending = await fixtures.request(shop)
  const canceled = await fixtures.request(shop)
  await fixtures.cancelPayment(shop, canceled)
  const failed = await fixtures.request(shop)
  await fixtures.settlePayment(failed, 'failed')
  for (const [id, status] of [
    [pending, 'pending'],
    [canceled, 'canceled'],
    [failed, 'failed'],
  ] as const) {
    const message =
      `"reference" must be the id of a paid payment request; got "${id}", ` + `which is ${status}.`
    const response = await fixtures.refund(shop, 1, id)
    assert.deepEqual([response.status, response.body.message], [400, message])
  }
})

test('an unknown or foreign payment request id is plain text', async () => {
  const shop = await fixtures.shop(20_000)
  const foreign = await paid(await fixtures.shop(), 100)
  for (const reference of [foreign.id, toTypeId('payment', newUuid(Date.now()))]) {
    const created = await fixtures.refund(shop, 5_000, reference)
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.reference, reference)
    assert.equal(await refundOf(shop, created.body.id), undefined)
  }
})

test('the link does not depend on the metadata or reference of the transaction', async () => {
  const shop = await fixtures.shop(20_000)
  const { id, transaction_id } = await paid(shop, 1_000)
  await fixtures.patch(shop, transaction_id, { metadata: null, reference: null })
  assert.equal((await fixtures.refund(shop, 1_000, id)).status, 201)
  expectRefused(await fixtures.refund(shop, 1, id), /at most 0 /)
})

test('the id of a request on a payment or credit is plain text', async () => {
  const shop = await fixtures.shop(20_000)
  const id = await fixtures.request(shop)
  for (const type of ['payment', 'credit']) {
    const created = await fixtures.create(shop, { type, amount: 1_000, reference: id })
    assert.equal(created.status, 201, created.text)
  }
})

test('a refund concurrent with the payment is linked or rejected, never plain text', async () => {
  const shop = await fixtures.shop(20_000)
  const seen = new Set<string>()
  for (let round = 0; round < 20; round++) {
    const id = await fixtures.request(shop, { amount: 500 })
    const refund = () => fixtures.refund(shop, 500, id)
    const pay = () => payers.attempt(shop, id)
    const [one, payment, other] =
      round % 2 === 0
        ? await Promise.all([refund(), pay(), refund()])
        : await Promise.all([pay(), refund(), refund()]).then(([p, a, b]) => [a, p, b] as const)
    assert.equal(payment, 'succeeded')
    const created = [one, other].filter(({ status }) => status === 201)
    assert.ok(created.length <= 1, 'at most one refund')
    for (const refused of [one, other].filter(({ status }) => status !== 201)) {
      expectRefused(refused, /which is pending|at most 0 /)
    }
    for (const { body } of created) assert.ok(await refundOf(shop, body.id), 'linked')
    seen.add(created.length === 0 ? 'refused' : 'linked')
    if (created.length === 0) assert.equal((await refund()).status, 201)
    expectRefused(await refund(), /at most 0 /)
  }
  assert.ok(seen.size > 0)
})

test('parallel refunds by either id never exceed the payment', async () => {
  const shop = await fixtures.shop(50_000)
  const { id, transaction_id } = await paid(shop, 1_000)
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) => fixtures.refund(shop, 100, n % 2 ? id : transaction_id)),
  )
  assert.equal(responses.filter(({ status }) => status === 201).length, 10)
})

const get = async (shop: Shop, path: string) => {
  const response = await florin.call('GET', path, { token: shop.token })
  assert.equal(response.status, 200, response.text)
  return response.body
}

const amountsOf = ({
  refunded_amount,
  pending_refund_amount,
  refundable_amount,
}: ApiResponse['body']) => [refunded_amount, pending_refund_amount, refundable_amount]

test('the list of refunds includes the refundable amount', async () => {
  const shop = await fixtures.shop(20_000)
  const { id, transaction_id } = await paid(shop, 1_000)
  const path = `/v1/transactions/${transaction_id}/refunds`
  assert.deepEqual(amountsOf(await get(shop, path)), [0, 0, 1_000])
  const [first, second, third] = [
    (await fixtures.refund(shop, 100, id)).body,
    (await fixtures.refund(shop, 200, transaction_id)).body,
    (await fixtures.refund(shop, 300, id)).body,
  ]
  await fixtures.refund(shop, 5_000)
  await fixtures.settle(first.id)
  await fixtures.settle(second.id, 'failed')
  const page = await get(shop, path)
  assert.deepEqual(amountsOf(page), [400, 300, 600])
  const listed = (await get(shop, `/v1/transactions?refund_of=${transaction_id}`)).data
  assert.deepEqual(page.data, listed)
  assert.deepEqual([page.object, page.has_more], ['list', false])
  assert.deepEqual(
    page.data.map((one: { id: string; status: string }) => [one.id, one.status]),
    [
      [third.id, 'pending'],
      [second.id, 'failed'],
      [first.id, 'succeeded'],
    ],
  )
  const rest = await get(shop, `${path}?limit=1&starting_after=${third.id}`)
  assert.deepEqual([rest.data[0].id, rest.has_more], [second.id, true])
  const newer = await get(shop, `${path}?ending_before=${second.id}`)
  assert.deepEqual([newer.data.length, newer.data[0].id], [1, third.id])
  const token = shop.token
  const foreign = await florin.call('GET', `${path}?starting_after=${transaction_id}`, { token })
  expectRefused(foreign, /starting_after/)
})

test('a transaction that is not a succeeded payment has no refundable amount', async () => {
  const shop = await fixtures.shop(20_000)
  const refund = (await fixtures.refund(shop, 100)).body.id
  for (const id of [await fixtures.pending(shop), refund]) {
    const page = await get(shop, `/v1/transactions/${id}/refunds`)
    assert.deepEqual([page.data, amountsOf(page)], [[], [0, 0, 0]])
  }
})

test('details contain the refunds, the request and the customer of each transaction', async () => {
  const shop = await fixtures.shop(20_000)
  const other = await fixtures.shop(100)
  const [foreign] = (await get(other, '/v1/transactions')).data
  const { id, transaction_id } = await paid(shop, 1_000, { customer_email: 'Ada@example.com' })
  const refund = (await fixtures.refund(shop, 400, id)).body.id
  const plain = await fixtures.fund(shop, 50)
  await fixtures.patch(shop, transaction_id, { metadata: null })
  const unknown = toTypeId('transaction', newUuid(Date.now()))
  const ids = [plain, foreign.id, refund, unknown, transaction_id, plain]
  const body = await get(shop, `/v1/transaction_details?transaction_ids=${ids}`)
  const amounts = { refunded_amount: 0, pending_refund_amount: 0, refundable_amount: 0 }
  const customer = { payment_id: id, customer_email: 'Ada@example.com' }
  const no_customer = { payment_id: null, customer_email: null }
  assert.deepEqual(body, {
    object: 'list',
    data: [
      {
        transaction_id: plain,
        ...amounts,
        refundable_amount: 50,
        refund_of: null,
        ...no_customer,
      },
      { transaction_id: refund, ...amounts, refund_of: transaction_id, ...customer },
      {
        transaction_id,
        refunded_amount: 400,
        pending_refund_amount: 400,
        refundable_amount: 600,
        refund_of: null,
        ...customer,
      },
    ],
    has_more: false,
  })
})

test('details accept up to a hundred valid ids', async () => {
  const shop = await fixtures.shop()
  const many = (n: number) =>
    Array.from({ length: n }, () => toTypeId('transaction', newUuid(Date.now())))
  const getDetails = (ids: string) =>
    florin.call('GET', `/v1/transaction_details?transaction_ids=${ids}`, { token: shop.token })
  assert.equal((await getDetails(`${many(100)}`)).status, 200)
  expectRefused(await getDetails(`${many(101)}`), /at most 100 ids; got 101\.$/)
  expectRefused(await getDetails('txn_1'), /got "txn_1"/)
  expectRefused(await getDetails(''), /"transaction_ids" must be comma-separated/)
  const none = await florin.call('GET', '/v1/transaction_details', { token: shop.token })
  expectRefused(none, /transaction_ids/)
})

test('details contain no customer for a key without access to payment requests', async () => {
  const shop = await fixtures.shop(20_000)
  const { id, transaction_id } = await paid(shop, 1_000)
  const customerSeenWith = async (scopes: string[]) => {
    const options = { token: shop.token, body: { name: 'Accounting', scopes } }
    const { body } = await florin.call('POST', '/v1/api_keys', options)
    const path = `/v1/transaction_details?transaction_ids=${transaction_id}`
    const response = await florin.call('GET', path, { token: body.key })
    const [{ payment_id, customer_email }] = response.body.data
    return [payment_id, customer_email]
  }
  assert.deepEqual(await customerSeenWith(['transactions:read']), [null, null])
  const both = ['transactions:read', 'payments:read']
  assert.deepEqual(await customerSeenWith(both), [id, 'customer@example.com'])
})

test('GET and list return refunded_amount; POST and status do not', async () => {
  const shop = await fixtures.shop(20_000)
  const created = await fixtures.createPayment(shop, { amount: 1_000 })
  assert.equal('refunded_amount' in created.body, false)
  const { id } = created.body
  const settled = await fixtures.settlePayment(id)
  assert.equal(settled.body.refunded_amount, 0)
  await fixtures.refund(shop, 300, id)
  assert.equal((await fixtures.getPayment(shop, id)).body.refunded_amount, 300)
  assert.equal((await fixtures.list(shop)).body.data[0].refunded_amount, 300)
  assert.equal('refunded_amount' in (await fixtures.status(shop, id)).body, false)
})

test('the payment page shows refunds only after they succeed', async () => {
  const shop = await fixtures.shop(20_000)
  const created = (await fixtures.createPayment(shop, { amount: 1_000 })).body
  await fixtures.settlePayment(created.id)
  const heading = async () => {
    const page = await florin.call('GET', new URL(created.payment_url).pathname)
    return /<h2 id="state">([^<]*)</.exec(page.text)?.[1]
  }
  const part = (await fixtures.refund(shop, 400, created.id)).body.id
  const rest = (await fixtures.refund(shop, 600, created.id)).body.id
  assert.equal(await heading(), 'Paid', 'a pending refund is not shown')
  await fixtures.settle(part)
  assert.equal(await heading(), 'Partially refunded')
  const text = 'select last_succeeded_at as at from refund_totals where account_id = $1'
  const read = async () => (await florin.db.pool.query(text, [shop.uuid])).rows[0].at
  const at = await read()
  await fixtures.patch(shop, part, { metadata: { reason: 'duplicate' } })
  assert.deepEqual(await read(), at, 'the date is that of the refund')
  await fixtures.settle(rest)
  assert.equal(await heading(), 'Refunded')
})
