// Money that arrives is recorded, whatever has happened to its request and its account.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAllDuePayments } from '../../src/payments/run-due.ts'
import type { Snapshot } from '../../src/processors/provider.ts'
import { cleanUp, stopSlices } from '../operations/closing/leftovers.ts'
import { wait } from '../transactions/due.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { CheckoutFixtures, type Visit } from './checkout-fixtures.ts'

const fixtures = await CheckoutFixtures.open()
const { fake, florin } = fixtures
const { token } = fixtures.admin
const amount = 5_000
// 1.5 % and 25.
const fee = 100

async function changeStatus({ account_id }: Shop, status: 'suspended' | 'active'): Promise<void> {
  const path = `/v1/accounts/${account_id}`
  const response = await florin.call('PATCH', path, { token, body: { status } })
  assert.equal(response.status, 200, response.text)
}

interface ListedTransaction {
  id: string
  type: string
  status: string
  amount: number
  metadata: Record<string, unknown>
}

/** Of any account, also of a closed one. */
async function transactionsOf({ account_id }: Shop): Promise<ListedTransaction[]> {
  const headers = { 'florin-account': account_id }
  const { body } = await florin.call('GET', '/v1/transactions', { token, headers })
  return Promise.all(
    body.data.toReversed().map(async ({ id }: { id: string }) => {
      return (await florin.call('GET', `/v1/transactions/${id}`, { token })).body
    }),
  )
}

const summaryOf = ({ type, status, amount }: ListedTransaction) => [type, status, amount]

/** Asserts that the money was recorded as late, and is being refunded. */
async function assertLate({ shop, id }: Visit, paid = amount): Promise<void> {
  const [payment, refund, ...more] = (await transactionsOf(shop)).slice(-2)
  assert.deepEqual(more, [])
  assert.deepEqual(summaryOf(payment!), ['payment', 'succeeded', paid])
  assert.deepEqual(payment!.metadata, { payment_request: id, late_payment: true })
  assert.deepEqual(summaryOf(refund!), ['refund', 'pending', paid])
  const { rows } = await florin.db.pool.query(
    `select state from provider_refunds where account_id = $1`,
    [shop.uuid],
  )
  assert.deepEqual(rows, [{ state: 'queued' }])
}

test('paid after it was canceled', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  await fixtures.cancelPayment(visit.shop, visit.id)
  const charge = fake.pay(session_id)!
  await fixtures.receive(session_id)
  await assertLate(visit)
  const [payment] = await transactionsOf(visit.shop)
  assert.equal((await fixtures.chargeOf(payment!.id)).charge_id, charge.id)
  const request = (await fixtures.getPayment(visit.shop, visit.id)).body
  assert.deepEqual([request.status, request.transaction_id], ['canceled', null])
  // The fee is not refunded: the account owes it.
  const balance = await florin.call('GET', '/v1/account/balance', { token: visit.shop.token })
  assert.equal(balance.body.owed, fee)
  await fixtures.receive(session_id)
  assert.equal((await transactionsOf(visit.shop)).length, 2, 'refunded once')
})

test('ending the checkout of a canceled request finds that it was paid', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  await fixtures.cancelPayment(visit.shop, visit.id)
  fake.pay(session_id)
  await fixtures.check()
  await assertLate(visit)
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'paid')
})

test('paid after it had expired', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  const { db, payment_lanes } = fixtures.parts
  const later = new Date(Date.now() + 31 * 86_400_000)
  await runAllDuePayments({ db, payment_lanes }, later, 5_000)
  assert.equal((await fixtures.status(visit.shop, visit.id)).body.status, 'canceled')
  fake.pay(session_id)
  await fixtures.receive(session_id)
  await assertLate(visit)
})

test('paid after it was settled by hand', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  await fixtures.settlePayment(visit.id)
  fake.pay(session_id)
  await fixtures.receive(session_id)
  await assertLate(visit)
  assert.equal((await fixtures.status(visit.shop, visit.id)).body.status, 'succeeded')
})

test('paid twice by two checkouts', async () => {
  const visit = await fixtures.visit({ amount })
  const first = await fixtures.atStripe(visit)
  await florin.db.pool.query(
    `update checkouts set expires_at = now() + interval '5 minutes' where provider_id = $1`,
    [first],
  )
  const second = await fixtures.atStripe(visit)
  fake.pay(first)
  fake.pay(second)
  await Promise.all([fixtures.receive(first), fixtures.receive(second)])
  const paid = await transactionsOf(visit.shop)
  assert.deepEqual(paid.map(summaryOf), [
    ['payment', 'succeeded', amount],
    ['payment', 'succeeded', amount],
    ['refund', 'pending', amount],
  ])
  const request = (await fixtures.getPayment(visit.shop, visit.id)).body
  assert.equal(request.transaction_id, paid[0]!.id)
  assert.deepEqual(paid[0]!.metadata, { payment_request: visit.id })
})

test('another amount than the request', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  fake.pay(session_id)
  const snapshot = (await fixtures.provider.fetchSnapshot(session_id))!
  const charge = { ...snapshot.charge!, amount: amount - 1 }
  await receiveInstead(session_id, { ...snapshot, charge })
  await assertLate(visit, amount - 1)
  assert.equal((await fixtures.status(visit.shop, visit.id)).body.status, 'pending')
})

async function receiveInstead(session_id: string, snapshot: Snapshot): Promise<void> {
  const provider = { ...fixtures.provider, fetchSnapshot: async () => snapshot }
  assert.equal(await fixtures.receive(session_id, { provider }), 'applied')
}

test('a suspended account is paid, and its ended requests are refunded', async () => {
  const visit = await fixtures.visit({ amount })
  const ended = await fixtures.visit({ amount }, visit.shop)
  const sessions = [await fixtures.atStripe(visit), await fixtures.atStripe(ended)]
  await fixtures.cancelPayment(ended.shop, ended.id)
  await changeStatus(visit.shop, 'suspended')
  for (const session_id of sessions) {
    fake.pay(session_id)
    assert.equal(await fixtures.receive(session_id), 'applied')
  }
  await changeStatus(visit.shop, 'active')
  assert.equal((await fixtures.status(visit.shop, visit.id)).body.status, 'succeeded')
  await assertLate(ended)
})

test('a closed account gets the money and returns it, without an event', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  const closed = await florin.call('DELETE', '/v1/account', { token: visit.shop.token })
  assert.equal(closed.status, 200, closed.text)
  await cleanUp(florin, visit.shop.uuid)
  const before = await fixtures.eventTypes(visit.shop)
  assert.equal(before.at(-1), 'account.closed')
  fake.pay(session_id)
  await fixtures.check()
  assert.deepEqual((await transactionsOf(visit.shop)).map(summaryOf), [
    ['payment', 'succeeded', amount],
    ['refund', 'succeeded', amount],
  ])
  assert.deepEqual(await fixtures.eventTypes(visit.shop), before)
  assert.equal((await fixtures.checkouts(visit))[0]!.state, 'paid')
})

test('an account that is being closed keeps its closing time', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  await stopSlices(florin)
  const closed = await florin.call('DELETE', '/v1/account', { token: visit.shop.token })
  assert.equal(closed.status, 200, closed.text)
  fake.pay(session_id)
  await fixtures.receive(session_id)
  assert.equal((await transactionsOf(visit.shop)).length, 2)
  const path = `/v1/payments/${visit.id}`
  const leftover = await florin.call('GET', path, { token })
  assert.equal(leftover.body.updated_at, closed.body.closed_at)
  await cleanUp(florin, visit.shop.uuid)
  assert.deepEqual((await florin.call('GET', path, { token })).body, leftover.body)
})

test('an account that owes money still returns the whole amount', async () => {
  const visit = await fixtures.visit({ amount })
  const other = await fixtures.visit({ amount }, visit.shop)
  for (const one of [visit, other]) {
    const session_id = await fixtures.atStripe(one)
    await fixtures.cancelPayment(one.shop, one.id)
    fake.pay(session_id)
    await fixtures.receive(session_id)
  }
  const { body } = await florin.call('GET', '/v1/account/balance', { token: visit.shop.token })
  assert.equal(body.owed, 2 * fee)
  assert.equal(body.available, 0)
  const refunds = (await transactionsOf(visit.shop)).filter(({ type }) => type === 'refund')
  assert.deepEqual(refunds.map(summaryOf), [
    ['refund', 'pending', amount],
    ['refund', 'pending', amount],
  ])
})

test('late money is kept if the operator wants it', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  await fixtures.cancelPayment(visit.shop, visit.id)
  fake.pay(session_id)
  await fixtures.receive(session_id, { late: 'keep' })
  assert.deepEqual((await transactionsOf(visit.shop)).map(summaryOf), [
    ['payment', 'succeeded', amount],
  ])
  assert.equal((await fixtures.balance(visit.shop)).available, amount - fee)
})

test('what was refunded in the dashboard is not refunded again', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  await fixtures.cancelPayment(visit.shop, visit.id)
  const charge = fake.pay(session_id)!
  fake.refundInDashboard(charge.id, 2_000)
  await fixtures.receive(session_id)
  assert.deepEqual((await transactionsOf(visit.shop)).map(summaryOf), [
    ['payment', 'succeeded', amount],
    ['refund', 'succeeded', 2_000],
    ['refund', 'pending', amount - 2_000],
  ])
})

test('disputed late money is not refunded', async () => {
  const visit = await fixtures.visit({ amount })
  const session_id = await fixtures.atStripe(visit)
  await fixtures.cancelPayment(visit.shop, visit.id)
  const charge = fake.pay(session_id)!
  fake.dispute(charge.id, amount)
  await fixtures.receive(session_id)
  assert.deepEqual((await transactionsOf(visit.shop)).map(summaryOf), [
    ['payment', 'succeeded', amount],
  ])
  const { rows } = await florin.db.pool.query('select status from disputes where account_id = $1', [
    visit.shop.uuid,
  ])
  assert.deepEqual(rows, [{ status: 'needs_response' }])
})

test('late payments need attention for a day', async () => {
  const visit = await fixtures.visit({ amount })
  const report = async () => {
    const { body } = await florin.call('GET', '/v1/account/attention', { token: visit.shop.token })
    return body.late_payments
  }
  const none = await report()
  assert.deepEqual([none.count, none.ids, none.list], [0, [], null])
  const session_id = await fixtures.atStripe(visit)
  await fixtures.cancelPayment(visit.shop, visit.id)
  fake.pay(session_id)
  await fixtures.receive(session_id)
  const late = await report()
  const [payment] = await transactionsOf(visit.shop)
  assert.deepEqual([late.count, late.ids], [1, [payment!.id]])
  const listed = await florin.call('GET', late.list, { token: visit.shop.token })
  assert.equal(listed.status, 200, listed.text)
  assert.equal(listed.body.data[0].transaction_id, payment!.id)
  assert.equal(listed.body.data[0].pending_refund_amount, amount)
  await wait(florin, 25 * 3_600)
  assert.equal((await report()).count, 0)
})
