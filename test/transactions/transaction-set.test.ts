// The transactions of a batch: times, ids, and the rows to write.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideBulk } from '../../src/lanes/decide-bulk.ts'
import { LockedAccounts } from '../../src/lanes/locked-accounts.ts'
import { firstUuidAt, lastUuidAt, nextUuid, timeOfUuid } from '../../src/primitives/ids.ts'
import { type CreateCommand, decide } from '../../src/transactions/decide.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import { TransactionSet } from '../../src/transactions/transaction-set.ts'
import { account_id, lockOf, rowOf, now as shared_now, totalOf } from './rows.ts'

// Another day than that of other files: after 4,096 ids in one millisecond, the process continues
// with the next one.
const now = new Date(shared_now.getTime() + 2 * 86_400_000)

function setOf(rows: TransactionRow[] = [], last: Parameters<typeof lockOf>[0] = {}) {
  const lock = lockOf(last)
  return { lock, set: new TransactionSet(new LockedAccounts(now, [lock]), { rows }) }
}

test('the time under a lock is now, but never earlier than its last write', () => {
  const { set, lock } = setOf()
  assert.equal(set.locked.timeOf(lock), now)
  const later = new Date(now.getTime() + 5)
  assert.equal(set.locked.timeOf(lockOf({ last_at: later })), later)
})

test('a new id contains the current time and is greater than the last id', () => {
  const { set, lock } = setOf()
  const id = set.locked.nextId(lock)
  assert.equal(timeOfUuid(id).getTime(), now.getTime())
  assert.ok(id > lock.last_transaction_id)
})

test('if the last id is ahead of the clock, the next id is the last plus one', () => {
  const ahead = now.getTime() + 3_600_000
  const { set, lock } = setOf([], { last_transaction_id: lastUuidAt(ahead).replace(/f$/, '0') })
  const first = set.locked.nextId(lock)
  assert.equal(first, nextUuid(lock.last_transaction_id))
  assert.equal(timeOfUuid(first).getTime(), ahead)
})

test('ids of one batch increase strictly', () => {
  const { set, lock } = setOf()
  const ids = Array.from({ length: 10_000 }, () => {
    const row = rowOf({ id: set.locked.nextId(lock) })
    set.insert(lock, row)
    return row.id
  })
  assert.deepEqual(ids, [...new Set(ids)].sort())
  assert.equal(lock.last_transaction_id, ids.at(-1))
  // A millisecond has 4,096 ids: later ones use the next millisecond.
  assert.equal(lock.last_at.getTime(), timeOfUuid(ids.at(-1)!).getTime())
})

test('a changed row is written once, with its stored status', () => {
  const row = rowOf({ status: 'pending' })
  const { set, lock } = setOf([row])
  set.change(lock, row, { metadata: '{"a":1}' })
  set.change(lock, row, { status: 'canceled' })
  set.change(lock, row, { reference: 'late' })
  assert.deepEqual([...set.changed], [[row, 'pending']])
  assert.deepEqual([row.status, row.reference, row.metadata], ['canceled', 'late', '{"a":1}'])
})

test('a row created and changed in the same batch is only inserted', () => {
  const { set, lock } = setOf()
  const row = rowOf({ id: set.locked.nextId(lock) })
  set.insert(lock, row)
  set.change(lock, row, { status: 'succeeded' })
  assert.deepEqual([set.inserted, set.changed.size], [[row], 0])
  assert.equal(set.findRow(account_id, row.id), row)
})

test('rows are found by account and id', () => {
  const row = rowOf()
  const { set } = setOf([row])
  assert.equal(set.findRow(account_id, row.id), row)
  assert.equal(set.findRow(firstUuidAt(1), row.id), undefined)
})

test('refund totals add up from the loaded totals and are marked as changed', () => {
  const lock = lockOf()
  const payment_id = firstUuidAt(1)
  const set = new TransactionSet(new LockedAccounts(now, [lock]), {
    refunded: [{ ...totalOf(payment_id), amount: 300 }],
  })
  set.addRefunded(account_id, payment_id, 200)
  set.addRefunded(account_id, payment_id, -100)
  assert.equal(set.refundedOf(account_id, payment_id), 400)
  assert.deepEqual([...set.refunds_touched], [account_id + payment_id])
  assert.equal(set.refundedOf(account_id, firstUuidAt(2)), 0)
})

test('events continue the numbers of the lock without gaps', () => {
  const { set, lock } = setOf([], { event_sequence: 41 })
  const row = rowOf()
  set.addEvent(lock, 'transaction.created', row)
  set.addEvent(lock, 'transaction.canceled', row)
  assert.deepEqual(
    set.locked.events.map(({ sequence, type, object_id }) => [sequence, type, object_id]),
    [
      [42, 'transaction.created', row.id],
      [43, 'transaction.canceled', row.id],
    ],
  )
  assert.equal(lock.event_sequence, 43)
})

/** A set with a card payment of 500 that Stripe refunds. */
function paidByCard() {
  const payment = rowOf({ status: 'succeeded', amount: 500 })
  const charge = {
    account_id,
    transaction_id: payment.id,
    provider: 'stripe' as const,
    charge_id: 'ch_1',
    checkout_id: null,
    provider_id: null,
    amount: 500,
    fee: null,
    is_disputed: false,
    is_late: false,
    card_brand: null,
    card_last4: null,
  }
  const locked = new LockedAccounts(now, [lockOf({ available: 1_000 })])
  const set = new TransactionSet(locked, { rows: [payment], charges: [charge] })
  const refund = (amount: number, linked_id?: string): CreateCommand => ({
    kind: 'create',
    account_id,
    amount,
    currency: 'USD',
    type: 'refund',
    reference: null,
    metadata: 'a'.repeat(2_000),
    linked_id,
    settle_after_ms: undefined,
  })
  return { set, refund, payment }
}

/** Everything that a batch writes, and everything that its next command reads. */
function contentsOf({ locked, ...set }: TransactionSet) {
  const { rows, inserted, changed, refunded, refunds_touched } = set
  const { provider_refunds, provider_refunds_touched } = set
  const { locks, touched, postings, events } = locked
  const tables = [rows, inserted, changed, refunded, refunds_touched, provider_refunds]
  const written = [provider_refunds_touched, locks, touched, postings, events]
  return structuredClone([...tables, ...written])
}

test('a rejected bulk entry leaves nothing, also no refund for the provider to pay out', () => {
  const { set, refund, payment } = paidByCard()
  const bulk = (commands: CreateCommand[]) => () =>
    decideBulk(decide, set, {
      commands,
      atomic: true,
      field: 'transactions',
      weight: commands.length,
      render: () => '',
      account_id,
      background: false,
      isWanted: () => true,
      token: undefined,
      key: undefined,
      status: 200,
    })
  const rejected = bulk([refund(300, payment.id), refund(50), refund(5_000)])
  const untouched = contentsOf(set)
  assert.throws(rejected, { code: 'insufficient_funds' })
  assert.deepEqual(contentsOf(set), untouched)
  // The other entries of the batch keep what they have changed.
  bulk([refund(150, payment.id), refund(20)])()
  const with_two = contentsOf(set)
  assert.throws(rejected, { code: 'insufficient_funds' })
  assert.deepEqual(contentsOf(set), with_two)
  assert.equal(set.refundedOf(account_id, payment.id), 150)
  assert.equal(set.provider_refunds_touched.size, 1)
})
