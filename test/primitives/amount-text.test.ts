import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountText, decimalText, namesCurrency } from '../../src/primitives/amount-text.ts'

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
