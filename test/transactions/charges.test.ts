// Decisions about charges and their refunds, without a database.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LockedAccounts } from '../../src/lanes/locked-accounts.ts'
import type { AccountLock } from '../../src/ledger/lock-row.ts'
import { toTypeId } from '../../src/primitives/ids.ts'
import type { ProviderRefund } from '../../src/processors/provider.ts'
import type { ChargeRow } from '../../src/transactions/charge.ts'
import { applyFee, applyRefunds } from '../../src/transactions/charges.ts'
import { type CreateCommand, decide } from '../../src/transactions/decide.ts'
import { decideInLane } from '../../src/transactions/provider-refunds.ts'
import { TransactionSet } from '../../src/transactions/transaction-set.ts'
import { account_id, lockOf, now, rowOf } from './rows.ts'

/** A succeeded payment of 1000 that Stripe has charged. */
function charged(more: Partial<AccountLock> = {}) {
  const lock = lockOf({ available: 1_000, ...more })
  const payment = rowOf({ status: 'succeeded', amount: 1_000 })
  const charge: ChargeRow = {
    account_id,
    transaction_id: payment.id,
    provider: 'stripe',
    charge_id: 'ch_1',
    checkout_id: null,
    provider_id: 'cs_1',
    amount: 1_000,
    fee: null,
    is_disputed: false,
    is_late: false,
    card_brand: 'visa',
    card_last4: '4242',
  }
  const locked = new LockedAccounts(now, [lock])
  const set = new TransactionSet(locked, { rows: [payment], charges: [charge] })
  const others = () => set.inserted.map(({ type, status, amount }) => `${status} ${type} ${amount}`)
  return { lock, payment, charge, set, others }
}

function refundOf(payment_id: string, amount: number, more: object = {}): CreateCommand {
  return {
    kind: 'create',
    account_id,
    amount,
    currency: 'USD',
    type: 'refund',
    reference: toTypeId('transaction', payment_id),
    metadata: null,
    linked_id: payment_id,
    settle_after_ms: 30_000,
    ...more,
  }
}

const atStripe = (state: ProviderRefund['state'], more: Partial<ProviderRefund> = {}) => ({
  id: 're_1',
  transaction_id: null,
  amount: 400,
  state,
  ...more,
})

test('a refund of a charge is queued and never due, whatever the delay of the processor', () => {
  const { payment, set } = charged()
  const { id, due_at, status } = decide(set, refundOf(payment.id, 400))
  assert.deepEqual([status, due_at], ['pending', null])
  const queued = set.findProviderRefund(account_id, id)
  assert.deepEqual([queued?.state, queued?.payment_id], ['queued', payment.id])
  assert.ok(set.provider_refunds_touched.has(queued!))
})

test('the fee is posted once, and a shortfall is owed', () => {
  const { charge, lock, set } = charged({ available: 30 })
  applyFee(set, lock, charge, null)
  assert.deepEqual([charge.fee, set.locked.postings], [null, []])
  applyFee(set, lock, charge, 45)
  applyFee(set, lock, charge, 45)
  applyFee(set, lock, charge, 50)
  assert.deepEqual(
    set.locked.postings.map(({ movement, amount }) => [movement, amount]),
    [
      ['overdraw', 15],
      ['fee', 45],
    ],
  )
  assert.deepEqual([charge.fee, lock.available, lock.owed], [45, 0, 15])
})

test('a fee of zero is stored without a posting', () => {
  const { charge, lock, set } = charged()
  applyFee(set, lock, charge, 0)
  assert.deepEqual([charge.fee, set.locked.postings], [0, []])
})

test('a refund at the provider that failed before it was seen moves no money', () => {
  const { charge, lock, set } = charged()
  applyRefunds(set, lock, charge, [atStripe('failed')])
  assert.deepEqual([set.inserted, set.locked.postings], [[], []])
})

test('states in every order end the same, and failed is final', () => {
  const orders: ProviderRefund['state'][][] = [
    ['succeeded', 'failed'],
    ['succeeded', 'failed', 'succeeded'],
    ['succeeded', 'failed', 'pending', 'failed'],
    ['succeeded', 'pending', 'failed', 'failed'],
  ]
  for (const states of orders) {
    const { charge, lock, set, others } = charged()
    for (const state of states) applyRefunds(set, lock, charge, [atStripe(state)])
    assert.deepEqual(others(), ['succeeded refund 400', 'succeeded credit 400'], states.join())
    assert.equal(lock.available, 1_000)
    assert.equal(set.refundedOf(account_id, charge.transaction_id), 0)
  }
  const { charge, lock, set, others } = charged()
  for (const state of ['pending', 'failed', 'succeeded'] as const) {
    applyRefunds(set, lock, charge, [atStripe(state)])
  }
  assert.deepEqual(others(), ['failed refund 400'])
})

test('a refund with the id of a transaction of another payment is recorded as a new one', () => {
  const { charge, lock, payment, set, others } = charged()
  const other = rowOf({ type: 'refund', amount: 5 })
  const transaction_id = toTypeId('transaction', other.id)
  applyRefunds(set, lock, charge, [atStripe('succeeded', { transaction_id })])
  assert.deepEqual(others(), ['succeeded refund 400'])
  assert.equal(set.inserted[0]!.refund_of, payment.id)
})

test('a refund on a closed account is paid out at once, and credited if it is rejected', () => {
  const { charge, lock, payment, set, others } = charged({ status: 'closed' })
  const { id } = decide(set, refundOf(payment.id, 1_000, { is_paid: true }))
  assert.deepEqual(others(), ['succeeded refund 1000'])
  assert.deepEqual([lock.available, lock.held], [0, 0])
  const refund = set.findProviderRefund(account_id, id)!
  assert.equal(refund.state, 'queued')
  decideInLane(set, { kind: 'submit', account_id, id, by: new Date(now.getTime() + 1_000) })
  assert.equal(refund.state, 'submitted')
  const { provider, charge_id } = charge
  const rejected = { kind: 'result', account_id, id, provider, charge_id } as const
  decideInLane(set, { ...rejected, refund: 'rejected' })
  decideInLane(set, { ...rejected, refund: 'rejected' })
  assert.deepEqual(others(), ['succeeded refund 1000', 'succeeded credit 1000'])
  assert.deepEqual([refund.state, refund.next_at, lock.available], ['failed', null, 1_000])
})

test('a refund that was rejected by mistake and appears later is recorded', () => {
  for (const status of ['active', 'closed'] as const) {
    const { charge, lock, payment, set } = charged({ status })
    const { id } = decide(set, refundOf(payment.id, 400, { is_paid: true }))
    const { provider, charge_id } = charge
    decideInLane(set, { kind: 'submit', account_id, id, by: new Date(now.getTime() + 1_000) })
    // After a lost response the key of another account was configured, and then the first again.
    const result = { kind: 'result', account_id, id, provider, charge_id } as const
    decideInLane(set, { ...result, refund: 'rejected' })
    assert.equal(lock.available, 1_000)
    const transaction_id = toTypeId('transaction', id)
    const refunds = [atStripe('succeeded', { transaction_id })]
    for (const _ of [1, 2]) applyRefunds(set, lock, charge, refunds)
    assert.equal(lock.available, 600, status)
    assert.equal(set.refundedOf(account_id, payment.id), 400)
  }
})

test('closing an account cancels its queued refunds, except those of late payments', () => {
  for (const metadata of [null, '{"late_payment":true}']) {
    const { charge, lock, payment, set, others } = charged()
    const { id } = decide(set, refundOf(payment.id, 1_000, { is_paid: true, metadata }))
    lock.status = 'closed'
    const end = { kind: 'end', account_id, id, to: 'canceled', if_not_pending: 'conflict' } as const
    decide(set, { ...end, by: 'closing' })
    const refund = set.findProviderRefund(account_id, id)!
    assert.equal(refund.state, metadata === null ? 'failed' : 'submitted')
    if (metadata === null) continue
    decideInLane(set, { kind: 'submit', account_id, id, by: new Date(now.getTime() + 1_000) })
    const { provider, charge_id } = charge
    const transaction_id = toTypeId('transaction', id)
    const paid = atStripe('succeeded', { transaction_id, amount: 1_000 })
    decideInLane(set, { kind: 'result', account_id, id, provider, charge_id, refund: paid })
    assert.deepEqual(others(), ['canceled refund 1000', 'succeeded refund 1000'])
    assert.deepEqual([refund.next_at, lock.available, lock.owed], [null, 0, 0])
  }
})

test('a rejected call does not fail a refund that the provider has', () => {
  const { charge, lock, payment, set } = charged()
  const row = decide(set, refundOf(payment.id, 400))
  const { id } = row
  const { provider, charge_id } = charge
  decideInLane(set, { kind: 'submit', account_id, id, by: new Date(now.getTime() + 1_000) })
  const transaction_id = toTypeId('transaction', id)
  applyRefunds(set, lock, charge, [atStripe('pending', { transaction_id })])
  const result = { kind: 'result', account_id, id, provider, charge_id } as const
  decideInLane(set, { ...result, refund: 'rejected' })
  assert.equal(row.status, 'pending')
  applyRefunds(set, lock, charge, [atStripe('succeeded', { transaction_id })])
  assert.equal(row.status, 'succeeded')
})

test('a refund with edited metadata does not end the refund of another payment', () => {
  const { charge, lock, payment, set } = charged({ available: 2_000 })
  const other = rowOf({ status: 'succeeded', amount: 1_000 })
  const both = new TransactionSet(set.locked, {
    rows: [payment, other],
    charges: [charge, { ...charge, transaction_id: other.id, charge_id: 'ch_2' }],
  })
  const { id } = decide(both, refundOf(other.id, 300))
  decideInLane(both, { kind: 'submit', account_id, id, by: new Date(now.getTime() + 1_000) })
  const transaction_id = toTypeId('transaction', id)
  applyRefunds(both, lock, charge, [atStripe('succeeded', { transaction_id })])
  assert.equal(both.findProviderRefund(account_id, id)?.state, 'submitted')
})

test('a refund is submitted when it is due, and again after longer and longer waits', () => {
  const { payment, set } = charged()
  const { id } = decide(set, refundOf(payment.id, 400))
  const refund = set.findProviderRefund(account_id, id)!
  const waits_m: number[] = []
  for (let attempt = 0; attempt < 7; attempt += 1) {
    const by = refund.next_at!
    const early = { kind: 'submit', account_id, id, by: new Date(by.getTime() - 1) } as const
    assert.throws(() => decideInLane(set, early), { name: 'AlreadyHandled' })
    set.locked.now = by > now ? by : now
    decideInLane(set, { kind: 'submit', account_id, id, by })
    waits_m.push((refund.next_at!.getTime() - set.locked.now.getTime()) / 60_000)
  }
  const expected_m = [1, 5, 30, 120, 360, 360, 360]
  for (const [at, wait_m] of waits_m.entries()) {
    assert.ok(Math.abs(wait_m / expected_m[at]! - 1) <= 0.2, `${wait_m} minutes`)
  }
  assert.equal(refund.submitted_at?.getTime(), now.getTime())
})
