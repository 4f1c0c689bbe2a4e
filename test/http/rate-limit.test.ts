// The rate limit admits a whole second's allowance at once, independent of the clock's value.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimit, unitsOfBody, unitsOfDocument } from '../../src/http/rate-limit.ts'

test('admits one second of requests at once and rejects the next, at any clock value', (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  for (const per_second of [1, 2, 3, 7, 10, 100]) {
    const limit = new RateLimit(per_second)
    for (let moment = 0; moment < 400; moment++) {
      // Fractions of all kinds, up to a month after the start.
      now = (moment + 1) ** 3.6 / 3
      const key = `${moment}`
      for (let sent = 0; sent < per_second; sent++) {
        assert.equal(limit.isUsedUp(key), false, `${sent} of ${per_second} at ${now}`)
        limit.count(key)
      }
      assert.equal(limit.isUsedUp(key), true, `${per_second} at ${now}`)
      assert.throws(() => limit.count(key), /Too many requests/)
    }
  }
})

test('admits an expensive request while one unit is left, and delays the next', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const limit = new RateLimit(10)
  for (let sent = 0; sent < 9; sent++) limit.count('one')
  limit.count('one', 5)
  assert.equal(limit.isUsedUp('one'), true)
  now += 499
  assert.throws(() => limit.count('one'), /Too many requests/)
  now += 2
  limit.count('one')
  limit.count('two', 1_000)
  now += 99
  assert.throws(() => limit.count('two'), /Too many requests/)
  now += 2
  limit.count('two', 1_000)
  now += 998
  assert.throws(() => limit.count('two'), /Too many requests/)
  now += 2
  limit.count('two')
})

test('charges all items of a bulk request, however many, and forgets none of them', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const limit = new RateLimit(10)
  limit.count('one')
  // The request is admitted, however many items it has.
  limit.raise('one', 1, 100)
  limit.count('platform', 1, 10)
  limit.raise('platform', 1, 100, 10)
  for (const wait_ms of [100, 999, 2_000, 2_001, 2_500, 1_499]) {
    now += wait_ms
    limit.count(`other ${now}`)
    assert.equal(limit.isUsedUp('one'), true, `after ${now - 1_000} ms`)
    assert.throws(() => limit.count('one'), { code: 'rate_limited' })
  }
  now += 2
  limit.count('one')
  limit.count('platform', 1, 10)
  // Only what the request was really charged is deducted, and never refunded.
  limit.count('large', 250)
  limit.raise('large', 250, 20)
  now += 1_000 + 1_000 - 900 - 2
  assert.throws(() => limit.count('large'), { code: 'rate_limited' })
  now += 4
  limit.count('large')
  limit.count('short', 5)
  limit.raise('short', 5, 2)
  for (let units = 0; units < 5; units++) limit.count('short')
  assert.throws(() => limit.count('short'), { code: 'rate_limited' })
})

test('bulk requests that were admitted together wait for the items of the first', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const limit = new RateLimit(10)
  // The number of items is known only when the body has arrived.
  for (let requests = 0; requests < 5; requests++) limit.count('one', 2)
  limit.raise('one', 2, 50)
  for (let requests = 0; requests < 4; requests++) {
    assert.throws(() => limit.raise('one', 2, 50), {
      code: 'rate_limited',
      details: { retry_after_s: 5 },
    })
  }
  now += 5_000
  limit.raise('one', 2, 1)
})

test('a refunded unit can be used again', (t) => {
  t.mock.method(performance, 'now', () => 1_000)
  const limit = new RateLimit(2)
  limit.count('one')
  limit.count('one')
  limit.giveBack('one')
  limit.count('one')
  assert.throws(() => limit.count('one'), /Too many requests/)
})

test('charges bodies and documents by their size', () => {
  assert.deepEqual([0, 1, 4_096, 4_097, 16_384, 131_072].map(unitsOfBody), [1, 1, 1, 2, 4, 32])
  assert.deepEqual([0, 65_536, 65_537, 4_400_000].map(unitsOfDocument), [1, 1, 2, 68])
})

test('the allowance refills over time', (t) => {
  let now = 1_234.567
  t.mock.method(performance, 'now', () => now)
  const limit = new RateLimit(4)
  const passes = () => {
    try {
      limit.count('one')
      return true
    } catch {
      return false
    }
  }
  assert.deepEqual(
    [passes(), passes(), passes(), passes(), passes()],
    [true, true, true, true, false],
  )
  now += 249
  assert.equal(passes(), false)
  now += 2
  assert.deepEqual([passes(), passes()], [true, false])
  now += 5_000
  assert.deepEqual(
    [passes(), passes(), passes(), passes(), passes()],
    [true, true, true, true, false],
  )
})
