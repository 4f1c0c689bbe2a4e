// Customers are created with the first payment request to an address, and their sums follow
// payment requests, refunds and subscriptions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyCustomers } from '../../src/operations/verify-customers.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { max_uuid, nil_uuid } from '../../src/primitives/ids.ts'
import { openSubscriptionFixtures } from '../subscriptions/subscription-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)

const get = (who: { token: string }, path: string) => florin.call('GET', path, { token: who.token })

async function customersOf(shop: Shop, query = '') {
  const listed = await get(shop, `/v1/customers${query}`)
  assert.equal(listed.status, 200, listed.text)
  return listed.body.data
}

test('an address is one customer, whatever its case', async () => {
  const shop = await fixtures.shop()
  await fixtures.request(shop, { customer_email: 'Ann@Example.com' })
  await fixtures.request(shop, { customer_email: 'ann@example.COM' })
  const other = await fixtures.shop()
  await fixtures.request(other, { customer_email: 'ann@example.com' })
  const [customer, ...more] = await customersOf(shop)
  assert.deepEqual(more, [])
  assert.equal(customer.email, 'Ann@Example.com')
  assert.equal(customer.requests, 2)
  assert.equal(customer.open, 200)
  const [of_other] = await customersOf(other)
  assert.notEqual(of_other.id, customer.id)
  assert.equal((await get(other, `/v1/customers/${customer.id}`)).status, 404)
})

test('sums follow payments, refunds, cancellations and subscriptions', async () => {
  const shop = await fixtures.shop()
  const customer_email = 'bob@example.com'
  const paid = await fixtures.request(shop, { customer_email, amount: 500 })
  await fixtures.settlePayment(paid)
  await fixtures.settlePayment(await fixtures.request(shop, { customer_email, amount: 250 }))
  await fixtures.cancelPayment(shop, await fixtures.request(shop, { customer_email, amount: 70 }))
  await fixtures.createSubscription(shop, { customer_email: 'BOB@example.com', amount: 30 })
  const ended = await fixtures.createSubscription(shop, { customer_email, amount: 40 })
  await fixtures.cancelSubscription(shop, ended)
  const transaction = (await fixtures.getPayment(shop, paid)).body.transaction_id
  const refund = await fixtures.refund(shop, 120, transaction)
  await fixtures.settle(refund.body.id)
  await fixtures.refund(shop, 80, transaction)
  const [listed] = await customersOf(shop)
  const { body: customer } = await get(shop, `/v1/customers/${listed.id}`)
  assert.deepEqual(customer, listed)
  const { id: _, created_at, last_activity_at, ...facts } = customer
  assert.ok(last_activity_at >= created_at)
  assert.deepEqual(facts, {
    account_id: shop.account_id,
    email: customer_email,
    currency: 'USD',
    total_paid: 750,
    // A refund of 80 is pending.
    refunded: 200,
    open: 70,
    requests: 5,
    paid_requests: 2,
    open_requests: 2,
    active_subscriptions: 1,
    totals_from: null,
    erased_at: null,
  })
  const payments = await get(shop, `/v1/customers/${customer.id}/payments?limit=2`)
  assert.deepEqual(
    payments.body.data.map((payment: { amount: number }) => payment.amount),
    [40, 30],
  )
  assert.equal(payments.body.has_more, true)
  const next = await get(
    shop,
    `/v1/customers/${customer.id}/payments?starting_after=${payments.body.data[1].id}`,
  )
  assert.deepEqual(
    next.body.data.map((payment: { refunded_amount: number }) => payment.refunded_amount),
    [0, 0, 200],
  )
  const subscriptions = await get(shop, `/v1/customers/${customer.id}/subscriptions`)
  assert.deepEqual(
    subscriptions.body.data.map(({ status }: { status: string }) => status),
    ['canceled', 'active'],
  )
})

test('lists newest first, by cursor and by the beginning of the address', async () => {
  const shop = await fixtures.shop()
  for (const name of ['ann', 'anna', 'bob', 'ANTON']) {
    await fixtures.request(shop, { customer_email: `${name}@example.com` })
  }
  const emails = (rows: { email: string }[]) => rows.map(({ email }) => email.split('@')[0])
  const all = await customersOf(shop)
  assert.deepEqual(emails(all), ['ANTON', 'bob', 'anna', 'ann'])
  assert.deepEqual(emails(await customersOf(shop, '?email=AN')), ['ANTON', 'anna', 'ann'])
  assert.deepEqual(emails(await customersOf(shop, '?email=ann%40example.com')), ['ann'])
  const cursor = `?starting_after=${all[1].id}&limit=1`
  assert.deepEqual(emails(await customersOf(shop, cursor)), ['anna'])
  const within = `?email=an&starting_after=${all[0].id}`
  assert.deepEqual(emails(await customersOf(shop, within)), ['anna', 'ann'])
  const unknown = await get(shop, '/v1/customers?starting_after=cus_01h455vb4pex5vsknk084sn02q')
  assert.equal(unknown.status, 400)
})

test('concurrent requests to one address create one customer', async () => {
  const shop = await fixtures.shop()
  const customer_email = 'burst@example.com'
  await Promise.all(Array.from({ length: 20 }, () => fixtures.request(shop, { customer_email })))
  const [customer, ...more] = await customersOf(shop)
  assert.deepEqual([customer.requests, more.length], [20, 0])
})

test('nothing of a closed account is open', async () => {
  const shop = await fixtures.shop()
  await fixtures.request(shop)
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  const headers = { 'florin-account': shop.account_id }
  const listed = await florin.call('GET', '/v1/customers', { token: fixtures.admin.token, headers })
  assert.deepEqual([listed.body.data[0].open, listed.body.data[0].requests], [0, 1])
})

class RollBack extends Error {}

for (const [table, what] of [
  ['payment_requests', 'payment requests without a customer'],
  ['subscriptions', 'subscriptions without a customer'],
] as const) {
  test(`verify finds ${what}`, async () => {
    const shop = await fixtures.shop()
    await fixtures.createSubscription(shop)
    const range = { after: nil_uuid, through: max_uuid }
    const work = florin.db.transaction(async (tx) => {
      const text = `update ${table} set customer_email = 'lost@example.com'
        where account_id = '${shop.uuid}'`
      assert.deepEqual(await verifyCustomers(tx, range), [])
      await tx.rows({ text, values: [] } as unknown as Sql)
      const [{ rule, object, found }] = (await verifyCustomers(tx, range)) as [never]
      assert.deepEqual([rule, object, found], ['customers_are_stored', 'lost@example.com', what])
      throw new RollBack()
    })
    await assert.rejects(work, RollBack)
  })
}
