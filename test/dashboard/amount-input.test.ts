// Parsing of typed amounts in the notation of the account's language. Every amount that the
// dashboard formats can be typed, and ambiguous input is rejected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountText } from '../../src/primitives/money.ts'
import { amountError, formatAmountInput, parseAmount } from '../../src/primitives/typed-amount.ts'

type Line = [text: string, amount: number | undefined]

function requireAmounts(language: string, currency: string, lines: Line[]): void {
  for (const [text, amount] of lines) {
    const found = parseAmount(text, currency, language)
    assert.equal(found, amount, `"${text}" in ${currency}, ${language}`)
  }
}

test('English: decimal point and comma grouping', () => {
  requireAmounts('en', 'USD', [
    ['75', 7_500],
    ['75.5', 7_550],
    ['75,50', 7_550],
    [' 0.01 ', 1],
    ['0.001', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['75.', undefined],
    ['.5', undefined],
    ['1,000.00', 100_000],
    ['1,234,567.8', 123_456_780],
    ['1,234,567', 123_456_700],
    ['$1,234.56', 123_456],
    ['1,234.56 USD', 123_456],
    ['€1,234.56', undefined],
    ['1.234,56', undefined],
    ['12,34.56', undefined],
    ['1,2345.67', undefined],
    ['0,123.45', undefined],
    ['1 234.56', undefined],
    ['9999999999.99', 999_999_999_999],
    ['99999999999999', undefined],
  ])
})

test('German: decimal comma and point grouping', () => {
  requireAmounts('de', 'EUR', [
    ['1.234,56', 123_456],
    ['1.234,56 €', 123_456],
    ['1.234.567,8', 123_456_780],
    ['1.234.567', 123_456_700],
    ['1234,56', 123_456],
    ['12,5', 1_250],
    ['12.50', 1_250],
    ['12.5', 1_250],
    ['1234.56', 123_456],
    ['12.34,56', undefined],
    ['1,234.56', undefined],
    ['1,234', undefined],
  ])
  requireAmounts('de-CH', 'CHF', [
    ['1’234.50', 123_450],
    ["1'234.50", 123_450],
    ["1'234", 123_400],
  ])
})

// "1.234" can mean 1234 or a mistyped 1.23, which differ by a factor of a thousand.
test('rejects one separator with three digits when it is ambiguous', () => {
  requireAmounts('de', 'EUR', [['1.234', undefined]])
  requireAmounts('en', 'USD', [['1,234', undefined]])
  requireAmounts('de', 'KWD', [['1.234', undefined]])
  requireAmounts('en', 'KWD', [['1,234', undefined]])
  requireAmounts('fr', 'KWD', [['1.234', undefined]])
})

test('French: grouping by spaces of any width', () => {
  requireAmounts('fr', 'EUR', [
    ['1\u202f234,56', 123_456],
    ['1\u00a0234,56\u00a0€', 123_456],
    ['1 234,56', 123_456],
    ['1 234', 123_400],
    ['1234.56', 123_456],
    ['12 34', undefined],
    ['1.234,56', undefined],
  ])
})

test('a currency without decimals accepts none, and groups as its language does', () => {
  requireAmounts('ja', 'JPY', [
    ['7500', 7_500],
    ['7,500', 7_500],
    ['￥7,500', 7_500],
    ['7500.', undefined],
    ['75.5', undefined],
    ['7.500', undefined],
    ['7500.0', undefined],
  ])
  requireAmounts('de', 'JPY', [
    ['7.500', 7_500],
    ['7,500', undefined],
  ])
})

test('a currency with three decimals accepts three after the decimal separator', () => {
  requireAmounts('en', 'KWD', [
    ['1.234', 1_234],
    ['1.2', 1_200],
    ['1.2345', undefined],
    ['1,234.567', 1_234_567],
    ['1,5', 1_500],
  ])
  requireAmounts('de', 'KWD', [
    ['1,234', 1_234],
    ['1.234,567', 1_234_567],
    ['1.5', 1_500],
  ])
})

const languages = [
  'en',
  'en-IN',
  'de',
  'de-CH',
  'de-AT',
  'fr',
  'fr-CH',
  'es',
  'ja',
  'ar-EG',
].concat(['sv', 'pl', 'hi', 'fa', 'bn', 'pt-PT', 'tlh'])
const currencies = ['USD', 'EUR', 'CHF', 'JPY', 'KWD', 'CLF', 'CVE', 'SEK']

test('parses every amount that the dashboard formats, in every language', () => {
  for (const language of languages) {
    for (const currency of currencies) {
      for (const amount of [1, 1_234, 99_999, 123_456, 1_234_567, 123_456_789_012]) {
        const written = amountText(amount, currency, language)
        requireAmounts(language, currency, [
          [written, amount],
          [formatAmountInput(amount, currency, language), amount],
        ])
      }
    }
  }
})

test('a text is never parsed as different amounts in different languages', () => {
  const signs = ['.', ',', ' ', "'"]
  const tails = ['2', '23', '234', '2345', '234.5', '234,5', '234.567', '234,567']
  const texts = signs.flatMap((sign) => tails.map((tail) => `1${sign}${tail}`))
  for (const currency of currencies) {
    for (const text of texts) {
      const read = languages.map((language) => parseAmount(text, currency, language))
      const amounts = new Set(read.filter((amount) => amount !== undefined))
      assert.ok(amounts.size <= 1, `"${text}" in ${currency} is ${[...amounts].join(' and ')}`)
    }
  }
})

test('formats an input value with decimals and without grouping', () => {
  assert.equal(formatAmountInput(1_200, 'EUR', 'de'), '12,00')
  assert.equal(formatAmountInput(123_456, 'EUR', 'de'), '1234,56')
  assert.equal(formatAmountInput(123_456, 'USD', 'en'), '1234.56')
  assert.equal(formatAmountInput(7_500, 'JPY', 'ja'), '7500')
  assert.equal(formatAmountInput(1_234, 'KWD', 'fr'), '1,234')
})

function requireErrors(language: string, currency: string, lines: [string, string][]): void {
  for (const [text, error] of lines) {
    const actual = amountError(text, currency, language)
    assert.equal(actual, error, `"${text}" in ${currency}, ${language}`)
  }
}

test('explains why an amount is rejected', () => {
  requireErrors('de', 'EUR', [
    ['', 'Enter an amount, for example 75,00.'],
    ['viel', 'Enter an amount, for example 75,00.'],
    ['0', 'Enter an amount, for example 75,00.'],
    ['-5', 'Enter an amount, for example 75,00.'],
    ['1.234', '1.234 is ambiguous. Enter 1234 or 1234,00.'],
    ['1,234', '1,234 is ambiguous. Enter 1234 or 1234,00.'],
    ['1,2345', 'EUR has 2 digits after the decimal comma.'],
    ['0,001', 'EUR has 2 digits after the decimal comma.'],
    ['10000000000', 'The maximum is 9.999.999.999,99\u00a0€.'],
    ['99999999999999', 'The maximum is 9.999.999.999,99\u00a0€.'],
  ])
  requireErrors('en', 'KWD', [
    ['1,234', '1,234 is ambiguous. Enter 1234.000 or 1.234.'],
    ['1.2345', 'KWD has 3 digits after the decimal point.'],
  ])
  requireErrors('ja', 'JPY', [
    ['75.5', 'JPY has no digits after the decimal point.'],
    ['7.500', '7.500 is ambiguous. Enter 7500.'],
  ])
})

/** Pseudo-random signs and digits, the same in every run. */
function* randomInputs(count: number): Generator<string> {
  const signs = ['.', ',', ' ', "'", '-', '$', '0', '1', '2', '7', '000', '234', '99999']
  let state = 1
  for (let at = 0; at < count; at++) {
    let text = ''
    for (let length = at % 7; length > 0; length--) {
      state = (state * 48_271) % 2_147_483_647
      text += signs[state % signs.length]
    }
    yield text
  }
}

test('returns an error if and only if parsing fails, and its suggestions parse', () => {
  for (const language of languages) {
    for (const currency of currencies) {
      for (const text of randomInputs(60)) {
        const amount = parseAmount(text, currency, language)
        const error = amountError(text, currency, language)
        const where = `"${text}" in ${currency}, ${language}: ${error}`
        assert.equal(error === undefined, amount !== undefined, where)
        assert.doesNotMatch(error ?? 'none', /undefined|NaN|^$/, where)
        const pattern = /(?:for example|Enter(?! an)|The maximum is) (\S.*?)(?: or (.+))?\.$/
        for (const one of pattern.exec(error ?? '')?.slice(1) ?? []) {
          if (one === undefined) continue
          assert.notEqual(parseAmount(one, currency, language), undefined, where)
        }
      }
    }
  }
})
