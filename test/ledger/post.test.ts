// Postings without a database: the effect of every movement, and its errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountLock } from '../../src/ledger/lock-row.ts'
import { type Posting, post, postCovered } from '../../src/ledger/post.ts'
import { type Movement, movements, postingRules } from '../../src/ledger/posting-rules.ts'
import { nil_uuid } from '../../src/primitives/ids.ts'
import { Refusal } from '../../src/primitives/refusal.ts'

const at = new Date('2026-11-15T09:30:00.000Z')

function lockOf(more: Partial<AccountLock> = {}): AccountLock {
  return {
    account_id: 'a',
    currency: 'USD',
    status: 'active',
    available: 0,
    incoming: 0,
    held: 0,
    owed: 0,
    posting_sequence: 7,
    event_sequence: 3,
    last_transaction_id: nil_uuid,
    last_at: at,
    metadata_day: 0,
    metadata_day_bytes: 0,
    open_subscriptions: 0,
    ...more,
  }
}

const bucketsOf = ({ available, incoming, held, owed }: AccountLock) => [
  available,
  incoming,
  held,
  owed,
]

function postOf(lock: AccountLock, movement: Movement, amount: number) {
  return post(lock, { transaction_id: 't', movement, amount, at })
}

// Written by hand: [available, incoming, held, owed] of an account that had 100 in the first three.
const expected: Record<Exclude<Movement, 'overdraw' | 'repay'>, number[]> = {
  arrive: [100, 130, 100, 0],
  settle: [130, 70, 100, 0],
  return: [100, 70, 100, 0],
  hold: [70, 100, 130, 0],
  pay_out: [100, 100, 70, 0],
  release: [130, 100, 70, 0],
  fee: [70, 100, 100, 0],
  withdraw: [70, 100, 100, 0],
  reinstate: [130, 100, 100, 0],
  payout_hold: [70, 100, 130, 0],
  payout_pay: [100, 100, 70, 0],
  payout_release: [130, 100, 70, 0],
  payout_return: [130, 100, 100, 0],
}

for (const [movement, after] of Object.entries(expected)) {
  test(`${movement} moves its amount between buckets and takes the next sequence number`, () => {
    const lock = lockOf({ available: 100, incoming: 100, held: 100 })
    const [posting, ...more] = postOf(lock, movement as Movement, 30)
    assert.deepEqual(more, [])
    assert.deepEqual(bucketsOf(lock), after)
    assert.deepEqual(posting, {
      account_id: 'a',
      sequence: 8,
      transaction_id: 't',
      movement,
      amount: 30,
      available_after: after[0],
      at,
    })
    assert.equal(lock.posting_sequence, 8)
  })
}

test('every end of a transaction reverses or completes its pending movement', () => {
  for (const [type, rules] of Object.entries(postingRules)) {
    const begun = movements[rules.pending]
    for (const status of ['succeeded', 'failed', 'canceled'] as const) {
      const ended = movements[rules[status]]
      assert.equal(ended.from, begun.to, `${type} ${status} starts where pending ended`)
    }
    assert.equal(movements[rules.failed].to, begun.from, `a failed ${type} goes back`)
    assert.equal(movements[rules.canceled].to, begun.from, `a canceled ${type} goes back`)
    assert.notEqual(movements[rules.succeeded].to, begun.from, `a succeeded ${type} does not`)
  }
})

test('a refund above the available balance is rejected and changes nothing', () => {
  const lock = lockOf({ available: 10, incoming: 100, held: 100 })
  assert.throws(() => postOf(lock, 'hold', 11), { code: 'insufficient_funds' })
  assert.deepEqual(lock, lockOf({ available: 10, incoming: 100, held: 100 }))
  postOf(lock, 'hold', 10)
  assert.deepEqual(bucketsOf(lock), [0, 100, 110, 0])
})

test('an inconsistent balance is an internal error, not a client error', () => {
  for (const movement of ['settle', 'return', 'pay_out', 'release'] as const) {
    const lock = lockOf({ available: 100, incoming: 10, held: 10 })
    assert.throws(
      () => postOf(lock, movement, 11),
      (error) => !(error instanceof Refusal),
    )
    assert.deepEqual(bucketsOf(lock), [100, 10, 10, 0])
  }
})

test('money is rejected if the sum of all buckets would exceed the maximum', () => {
  const max = Number.MAX_SAFE_INTEGER
  const almost = { available: max - 30, incoming: 10, held: 10 }
  const lock = lockOf(almost)
  assert.throws(() => postOf(lock, 'arrive', 11), { code: 'invalid_request' })
  assert.deepEqual(bucketsOf(lock), bucketsOf(lockOf(almost)))
  postOf(lock, 'arrive', 10)
  assert.throws(() => postOf(lock, 'arrive', 1), { code: 'invalid_request' })
  postOf(lock, 'settle', 20)
  postOf(lock, 'release', 10)
  assert.deepEqual(bucketsOf(lock), [max, 0, 0, 0])
})

const linesOf = (postings: Posting[]) =>
  postings.map(({ sequence, movement, amount, available_after }) => [
    sequence,
    movement,
    amount,
    available_after,
  ])

function coverOf(lock: AccountLock, movement: Movement, amount: number) {
  return postCovered(lock, { transaction_id: 't', movement, amount, at })
}

test('a covered movement needs no debt while enough is available', () => {
  const lock = lockOf({ available: 100 })
  assert.deepEqual(linesOf(coverOf(lock, 'fee', 100)), [[8, 'fee', 100, 0]])
  assert.deepEqual(bucketsOf(lock), [0, 0, 0, 0])
})

test('what a covered movement lacks is lent first, and owed', () => {
  const lock = lockOf({ available: 30 })
  assert.deepEqual(linesOf(coverOf(lock, 'withdraw', 100)), [
    [8, 'overdraw', 70, 100],
    [9, 'withdraw', 100, 0],
  ])
  assert.deepEqual(bucketsOf(lock), [0, 0, 0, 70])
  assert.deepEqual(linesOf(coverOf(lock, 'hold', 5)), [
    [10, 'overdraw', 5, 5],
    [11, 'hold', 5, 0],
  ])
  assert.deepEqual(bucketsOf(lock), [0, 0, 5, 75])
})

test('money that becomes available repays what is owed, in part or completely', () => {
  const lock = lockOf({ incoming: 200, held: 10, owed: 70 })
  assert.deepEqual(linesOf(postOf(lock, 'settle', 50)), [
    [8, 'settle', 50, 50],
    [9, 'repay', 50, 0],
  ])
  assert.deepEqual(linesOf(postOf(lock, 'release', 10)), [
    [10, 'release', 10, 10],
    [11, 'repay', 10, 0],
  ])
  assert.deepEqual(bucketsOf(lock), [0, 150, 0, 10])
  assert.deepEqual(linesOf(postOf(lock, 'settle', 150)), [
    [12, 'settle', 150, 150],
    [13, 'repay', 10, 140],
  ])
  assert.deepEqual(bucketsOf(lock), [140, 0, 0, 0])
})

test('an account that owes money has nothing to refund, and money still arrives', () => {
  const lock = lockOf({ owed: 70 })
  assert.throws(() => postOf(lock, 'hold', 1), { code: 'insufficient_funds' })
  assert.deepEqual(linesOf(postOf(lock, 'arrive', 10)), [[8, 'arrive', 10, 0]])
  assert.deepEqual(bucketsOf(lock), [0, 10, 0, 70])
})

test('a reinstated amount above the maximum is an internal error that changes nothing', () => {
  const full = { available: Number.MAX_SAFE_INTEGER }
  const lock = lockOf(full)
  assert.throws(
    () => postOf(lock, 'reinstate', 1),
    (error) => !(error instanceof Refusal),
  )
  assert.deepEqual(lock, lockOf(full))
})

/** `overdraw` and `repay` are only caused by other movements. */
const isDirect = ({ movement }: { movement: Movement }) =>
  movement !== 'overdraw' && movement !== 'repay'

test('in any sequence of movements, no bucket is negative and the sum is zero', () => {
  const movement = fc.constantFrom(...(Object.keys(movements) as Movement[]))
  const amount = fc.integer({ min: 1, max: 1_000 })
  const steps = fc.array(fc.record({ movement, amount, is_covered: fc.boolean() }))
  fc.assert(
    fc.property(steps, (all) => {
      const lock = lockOf({ posting_sequence: 0 })
      let external = 0
      for (const { movement, amount, is_covered } of all.filter(isDirect)) {
        const before = [...bucketsOf(lock), lock.posting_sequence]
        try {
          if (is_covered && movements[movement].from === 'available') {
            coverOf(lock, movement, amount)
          } else postOf(lock, movement, amount)
        } catch {
          assert.deepEqual([...bucketsOf(lock), lock.posting_sequence], before)
          continue
        }
        const { from, to } = movements[movement]
        if (from === 'external') external -= amount
        if (to === 'external') external += amount
        assert.ok(bucketsOf(lock).every((amount) => amount >= 0))
        assert.equal(lock.available + lock.incoming + lock.held - lock.owed + external, 0)
        assert.ok(lock.owed === 0 || lock.available === 0)
      }
    }),
  )
})
