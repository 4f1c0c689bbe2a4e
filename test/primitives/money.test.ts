import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  amount_max,
  amountText,
  balance_max,
  decimalText,
  isAmount,
  namesCurrency,
} from '../../src/primitives/money.ts'

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

const cases: [number, string, string, string][] = [
  [7_500, 'USD', 'en', '$75.00'],
  [7_500, 'EUR', 'de', '75,00\u00a0€'],
  [7_500, 'JPY', 'ja', '￥7,500'],
  [7_500, 'HUF', 'en', 'HUF\u00a075.00'],
  [7_500, 'IQD', 'en', 'IQD\u00a07.500'],
  [1, 'KWD', 'en', 'KWD\u00a00.001'],
  [999_999_999_999, 'USD', 'en', '$9,999,999,999.99'],
  [100, 'USD', 'xx-unknown', '$1.00'],
]

for (const [amount, currency, language, text] of cases) {
  test(`${amount} ${currency} reads ${text} in ${language}`, () => {
    assert.equal(amountText(amount, currency, language), text)
  })
}

test('decimalText converts minor units to a decimal exactly', () => {
  assert.equal(decimalText(5, 2), '0.05')
  assert.equal(decimalText(123, 0), '123')
  assert.equal(decimalText(-5, 2), '-0.05')
  assert.equal(decimalText(-12_345, 2), '-123.45')
  assert.equal(decimalText(-7, 0), '-7')
})

test('namesCurrency detects whether a formatted amount identifies its currency', () => {
  const clear = (currency: string, language: string) =>
    namesCurrency(amountText(7_500, currency, language), currency)
  assert.deepEqual([clear('EUR', 'de'), clear('CHF', 'en'), clear('KWD', 'en')], [true, true, true])
  assert.deepEqual([clear('USD', 'de-CH'), clear('USD', 'fr-CA')], [false, true])
  assert.deepEqual(
    [clear('USD', 'en'), clear('JPY', 'ja'), clear('KWD', 'ar')],
    [false, false, false],
  )
})
