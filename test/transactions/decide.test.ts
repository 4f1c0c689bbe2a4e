// Tests every command without a database: its changes, its errors, and that a rejected command
// leaves the set unchanged for the commands after it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyHandled } from '../../src/jobs/due-work.ts'
import { LockedAccounts } from '../../src/lanes/locked-accounts.ts'
import type { AccountLock } from '../../src/ledger/lock-row.ts'
import {
  type Command,
  type CreateCommand,
  decide,
  type EndCommand,
  type PatchCommand,
} from '../../src/transactions/decide.ts'
import type { TransactionRow } from '../../src/transactions/transaction.ts'
import { TransactionSet } from '../../src/transactions/transaction-set.ts'
import { account_id, lockOf, now, rowOf, totalOf } from './rows.ts'

interface Start {
  lock?: Partial<AccountLock>
  rows?: TransactionRow[]
  refunded?: number
}

function start({ lock = {}, rows = [], refunded = 0 }: Start = {}) {
  const locked = lockOf(lock)
  const payment_id = rows[0]?.id ?? account_id
  const total = { ...totalOf(payment_id), amount: refunded }
  const totals = refunded > 0 ? [total] : []
  const set = new TransactionSet(new LockedAccounts(now, [locked]), { rows, refunded: totals })
  return { set, lock: locked }
}

const create = (more: Partial<CreateCommand> = {}): CreateCommand => ({
  kind: 'create',
  account_id,
  amount: 100,
  currency: 'USD',
  type: 'payment',
  reference: null,
  metadata: null,
  linked_id: undefined,
  settle_after_ms: undefined,
  ...more,
})

const end = (row: TransactionRow, more: Partial<EndCommand> = {}): EndCommand => ({
  kind: 'end',
  account_id: row.account_id,
  id: row.id,
  to: 'succeeded',
  if_not_pending: 'conflict',
  ...more,
})

const patch = (row: TransactionRow, more: Partial<PatchCommand> = {}): PatchCommand => ({
  kind: 'patch',
  account_id: row.account_id,
  id: row.id,
  changes_immutable: false,
  ...more,
})

/** Asserts that the command is rejected and changes nothing. */
function rejects(given: Start, command: Command, code: string): void {
  const { set, lock } = start(given)
  const before = structuredClone([lock, [...set.rows.values()], [...set.refunded]])
  assert.throws(
    () => decide(set, command),
    (error: { code?: string }) => error.code === code,
    code,
  )
  assert.deepEqual([lock, [...set.rows.values()], [...set.refunded]], before)
  const written = [
    set.inserted,
    set.locked.postings,
    set.locked.events,
    [...set.changed],
    [...set.locked.touched],
  ]
  assert.deepEqual(written, [[], [], [], [], []])
}

test('create inserts a pending row, a posting and an event, and updates the lock', () => {
  const { set, lock } = start()
  const row = decide(set, create({ reference: 'r', metadata: '{"a":1}' }))
  assert.deepEqual(set.inserted, [row])
  assert.deepEqual(
    { ...row, id: 'id' },
    rowOf({ id: 'id', updated_at: now, reference: 'r', metadata: '{"a":1}' }),
  )
  assert.deepEqual([lock.incoming, lock.posting_sequence, lock.event_sequence], [100, 1, 1])
  assert.equal(lock.last_transaction_id, row.id)
  assert.deepEqual(
    set.locked.postings.map(({ movement, transaction_id, at }) => [movement, transaction_id, at]),
    [['arrive', row.id, now]],
  )
  assert.deepEqual(
    set.locked.events.map(({ type, object_id }) => [type, object_id]),
    [['transaction.created', row.id]],
  )
  assert.deepEqual([...set.locked.touched], [lock])
})

test('due_at is settle_after_ms after the creation', () => {
  const { set } = start()
  const row = decide(set, create({ settle_after_ms: 30_000 }))
  assert.equal(row.due_at?.getTime(), now.getTime() + 30_000)
  assert.equal(decide(set, create()).due_at, null)
})

test('create checks the account, then the currency, then the link, then the funds', () => {
  const payment = rowOf({ status: 'succeeded' })
  const pending = rowOf()
  const refund = { type: 'refund', amount: 60 } as const
  const linked = { ...refund, linked_id: payment.id }
  rejects({ lock: { status: 'closed' } }, create({ currency: 'EUR' }), 'not_found')
  for (const status of ['suspended', 'pending'] as const) {
    rejects({ lock: { status } }, create({ currency: 'EUR' }), 'invalid_request')
  }
  rejects({ rows: [pending] }, create({ ...linked, currency: 'EUR' }), 'currency_mismatch')
  const unfit = create({ ...refund, linked_id: pending.id })
  rejects({ rows: [pending] }, unfit, 'invalid_request')
  rejects({ rows: [payment], refunded: 41 }, create(linked), 'invalid_request')
  rejects({ rows: [payment], refunded: 40 }, create(linked), 'insufficient_funds')
  const unlocked = { ...create(), account_id: 'unknown' }
  rejects({}, unlocked, 'not_found')
})

test('a linked refund counts against its payment; an unknown link is ignored', () => {
  const payment = rowOf({ status: 'succeeded' })
  const { set } = start({ rows: [payment], lock: { available: 500 }, refunded: 30 })
  const linked = decide(set, create({ type: 'refund', amount: 70, linked_id: payment.id }))
  assert.equal(linked.refund_of, payment.id)
  assert.equal(set.refundedOf(account_id, payment.id), 100)
  const unknown = decide(set, create({ type: 'refund', amount: 70, linked_id: account_id }))
  assert.equal(unknown.refund_of, null)
})

test('each command of a batch sees the changes of the previous ones', () => {
  const { set, lock } = start({ lock: { available: 100 } })
  const refund = (amount: number) => decide(set, create({ type: 'refund', amount }))
  const first = refund(60)
  assert.throws(() => refund(60), { code: 'insufficient_funds' })
  decide(set, end(first, { to: 'failed' }))
  const second = refund(60)
  refund(40)
  assert.throws(() => decide(set, end(first, { to: 'canceled' })), { code: 'conflict' })
  decide(set, end(second))
  assert.deepEqual([lock.available, lock.held], [0, 40])
  const numbers = set.locked.postings.map(({ sequence }) => sequence)
  assert.deepEqual(numbers, [1, 2, 3, 4, 5])
  const event_numbers = set.locked.events.map(({ sequence }) => sequence)
  assert.deepEqual(event_numbers, [1, 2, 3, 4, 5])
  assert.equal(set.changed.size, 0, 'rows are inserted in their final state')
})

test('ending a transaction that is not pending fails with the code of the endpoint', () => {
  for (const status of ['succeeded', 'failed', 'canceled'] as const) {
    const row = rowOf({ status })
    rejects(
      { rows: [row] },
      end(row, { to: 'canceled', if_not_pending: 'not_cancellable' }),
      'not_cancellable',
    )
    rejects({ rows: [row] }, end(row, { if_not_pending: 'conflict' }), 'conflict')
    const { set } = start({ rows: [row] })
    assert.throws(() => decide(set, end(row, { if_not_pending: 'nothing' })), AlreadyHandled)
  }
  rejects({}, end(rowOf()), 'not_found')
  rejects({ rows: [rowOf()] }, { ...end(rowOf()), account_id: 'unknown' }, 'not_found')
})

test('the worker ends only transactions that are due', () => {
  const due_at = new Date(now.getTime() - 1)
  const by = (due_by: Date, row: TransactionRow) => {
    const { set } = start({ rows: [row], lock: { incoming: 100 } })
    return () => decide(set, end(row, { if_not_pending: 'nothing', due_by }))
  }
  assert.throws(by(new Date(due_at.getTime() - 1), rowOf({ due_at })), AlreadyHandled)
  assert.throws(by(now, rowOf({ due_at: null })), AlreadyHandled)
  const settled = by(due_at, rowOf({ due_at }))()
  assert.deepEqual([settled.status, settled.due_at], ['succeeded', null])
})

test('a failed or canceled refund no longer counts against its payment', () => {
  for (const [to, left] of [
    ['succeeded', 100],
    ['failed', 30],
    ['canceled', 30],
  ] as const) {
    const payment = rowOf({ status: 'succeeded' })
    const refund = rowOf({ type: 'refund', amount: 70, refund_of: payment.id })
    const { set } = start({ rows: [payment, refund], lock: { held: 70 }, refunded: 100 })
    decide(set, end(refund, { to }))
    assert.equal(set.refundedOf(account_id, payment.id), left)
    const [total] = set.refunded.values()
    const expected = to === 'succeeded' ? [70, now] : [0, null]
    assert.deepEqual([total!.succeeded_amount, total!.last_succeeded_at], expected)
  }
})

test('patch records one event, or none if nothing changes', () => {
  const row = rowOf({ reference: 'r', metadata: '{"a":1}' })
  const { set } = start({ rows: [row] })
  decide(set, patch(row, { reference: 'r', metadata: { a: 1, b: null } }))
  assert.deepEqual([set.changed.size, set.locked.events.length, set.locked.touched.size], [0, 0, 0])
  decide(set, patch(row, { reference: null, metadata: { b: 2 } }))
  assert.deepEqual([row.reference, row.metadata], [null, '{"a":1,"b":2}'])
  assert.equal(row.updated_at, now)
  assert.deepEqual(
    set.locked.events.map(({ type }) => type),
    ['transaction.updated'],
  )
  assert.deepEqual(set.locked.postings, [])
})

test('patch is rejected for a closed account', () => {
  const row = rowOf({ status: 'succeeded', reference: 'r' })
  const closed: Start = { rows: [row], lock: { status: 'closed' } }
  for (const change of [{ reference: 'x' }, { reference: 'r' }, { changes_immutable: true }]) {
    rejects(closed, patch(row, change), 'not_found')
  }
  for (const status of ['suspended', 'pending'] as const) {
    const { set } = start({ rows: [row], lock: { status } })
    assert.equal(decide(set, patch(row, { reference: status })).reference, status)
  }
})

test('patch of an immutable field is rejected after all other checks', () => {
  const row = rowOf()
  const fixed = { changes_immutable: true }
  rejects({ rows: [row] }, patch(row, fixed), 'conflict')
  rejects({ rows: [] }, patch(row, fixed), 'not_found')
  const too_large = { ...fixed, metadata: { a: 'x'.repeat(16_384) } }
  rejects({ rows: [row] }, patch(row, too_large), 'invalid_request')
})

test('writes use the last time of the lock if it is ahead of the clock', () => {
  const ahead = new Date(now.getTime() + 86_400_000)
  const row = rowOf()
  const { set } = start({ rows: [row], lock: { last_at: ahead, incoming: 100 } })
  decide(set, end(row))
  const created = decide(set, create())
  assert.equal(row.updated_at.getTime(), ahead.getTime())
  assert.ok(created.updated_at >= ahead)
  for (const { at } of [...set.locked.postings, ...set.locked.events]) assert.ok(at >= ahead)
})

const today = Math.floor(now.getTime() / 86_400_000)
const full_day = { metadata_day: today, metadata_day_bytes: 1_073_741_824 - 4_000 }
const metadataOf = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`

test('metadata over 1 024 characters counts against the quota of the account and day', () => {
  const large = create({ metadata: metadataOf(2_000) })
  const row = rowOf({ metadata: metadataOf(2_000) })
  const { set, lock } = start({ lock: full_day, rows: [row] })
  decide(set, large)
  decide(set, patch(row, { reference: 'an event with all metadata is written' }))
  assert.equal(lock.metadata_day_bytes, 1_073_741_824)
  decide(set, create({ metadata: metadataOf(1_024) }))
  decide(set, patch(row, { metadata: { a: 'short' } }))
  assert.equal(lock.metadata_day_bytes, 1_073_741_824)
  const used_up = { ...full_day, metadata_day_bytes: 1_073_741_824 }
  rejects({ lock: used_up }, large, 'invalid_request')
  const other = rowOf({ metadata: metadataOf(2_000) })
  rejects({ lock: used_up, rows: [other] }, patch(other, { reference: 'r' }), 'invalid_request')
})

test('the quota of metadata starts again with the day, and counts only what is written', () => {
  const yesterday = { ...full_day, metadata_day: today - 1 }
  const { set, lock } = start({ lock: yesterday })
  decide(set, create({ metadata: metadataOf(5_000) }))
  assert.deepEqual([lock.metadata_day, lock.metadata_day_bytes], [today, 5_000])
  const too_much = create({ type: 'refund', metadata: metadataOf(2_000) })
  rejects({ lock: full_day }, too_much, 'insufficient_funds')
})
