import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount_max, balance_max, isAmount } from '../../src/primitives/money.ts'

test('accepts whole numbers from 1 to the maximum', () => {
  assert.equal(amount_max, 999_999_999_999)
  for (const value of [1, 7500, 7.5e3, amount_max]) assert.ok(isAmount(value), String(value))
  fc.assert(fc.property(fc.integer({ min: 1, max: amount_max }), (value) => isAmount(value)))
})

test('rejects anything else', () => {
  const numbers = [0, -0, -1, 1.5, 0.1, amount_max + 1, 1e21, Number.NaN, Number.POSITIVE_INFINITY]
  const others = ['7500', '', true, [7500], [], {}, null, undefined, 7500n, new Number(7500)]
  for (const value of [...numbers, ...others]) assert.ok(!isAmount(value), String(value))
})

test('sums within the limits are exact', () => {
  assert.equal(balance_max, 2 ** 53 - 1)
  assert.ok(Number.isSafeInteger(balance_max))
  assert.equal(balance_max - amount_max + amount_max, balance_max)
})
