// Postings without a database: the effect of every movement, and its errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountLock } from '../../src/ledger/lock-row.ts'
import { post } from '../../src/ledger/post.ts'
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

const bucketsOf = ({ available, incoming, held }: AccountLock) => [available, incoming, held]

function postOf(lock: AccountLock, movement: Movement, amount: number) {
  return post(lock, { transaction_id: 't', movement, amount, at })
}

// Written by hand: [available, incoming, held] of an account that had 100 in each.
const expected: Record<Movement, number[]> = {
  arrive: [100, 130, 100],
  settle: [130, 70, 100],
  return: [100, 70, 100],
  hold: [70, 100, 130],
  pay_out: [100, 100, 70],
  release: [130, 100, 70],
}

for (const [movement, after] of Object.entries(expected)) {
  test(`${movement} moves its amount between buckets and takes the next sequence number`, () => {
    const lock = lockOf({ available: 100, incoming: 100, held: 100 })
    const posting = postOf(lock, movement as Movement, 30)
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
  assert.deepEqual(bucketsOf(lock), [0, 100, 110])
})

test('an inconsistent balance is an internal error, not a client error', () => {
  for (const movement of ['settle', 'return', 'pay_out', 'release'] as const) {
    const lock = lockOf({ available: 100, incoming: 10, held: 10 })
    assert.throws(
      () => postOf(lock, movement, 11),
      (error) => !(error instanceof Refusal),
    )
    assert.deepEqual(bucketsOf(lock), [100, 10, 10])
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
  assert.deepEqual(bucketsOf(lock), [max, 0, 0])
})

test('in any sequence of movements, no bucket is negative and the sum is zero', () => {
  const movement = fc.constantFrom(...(Object.keys(movements) as Movement[]))
  const steps = fc.array(fc.record({ movement, amount: fc.integer({ min: 1, max: 1_000 }) }))
  fc.assert(
    fc.property(steps, (all) => {
      const lock = lockOf({ posting_sequence: 0 })
      let external = 0
      for (const { movement, amount } of all) {
        const before = [...bucketsOf(lock), lock.posting_sequence]
        try {
          postOf(lock, movement, amount)
        } catch {
          assert.deepEqual([...bucketsOf(lock), lock.posting_sequence], before)
          continue
        }
        const { from, to } = movements[movement]
        if (from === 'external') external -= amount
        if (to === 'external') external += amount
        assert.ok(bucketsOf(lock).every((amount) => amount >= 0))
        assert.equal(lock.available + lock.incoming + lock.held + external, 0)
      }
    }),
  )
})
