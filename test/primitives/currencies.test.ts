import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  currencies,
  currencies_dated,
  isCurrency,
  minorDigits,
} from '../../src/primitives/currencies.ts'

test('the table has the 165 active codes with a minor unit', () => {
  assert.equal(currencies.size, 165)
  assert.match(currencies_dated, /^\d{4}-\d{2}-\d{2}$/)
  for (const code of currencies.keys()) assert.match(code, /^[A-Z]{3}$/)
})

test('minor digits are those of ISO 4217', () => {
  const expected = {
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }
  for (const [digits, codes] of Object.entries(expected)) {
    const found = [...currencies.keys()].filter((code) => minorDigits(code) === Number(digits))
    assert.equal(found.join(' '), codes)
  }
  for (const code of [
    'USD',
    'EUR',
    'GBP',
    'HUF',
    'IDR',
    'COP',
    'MRU',
    'MGA',
    'TWD',
    'SLE',
    'XCG',
  ]) {
    assert.equal(minorDigits(code), 2, code)
  }
})

test('includes recently added codes', () => {
  for (const code of ['SLE', 'VED', 'VES', 'XAD', 'XCG', 'ZWG', 'MRU', 'STN']) {
    assert.ok(isCurrency(code), code)
  }
})

test('excludes retired codes', () => {
  const gone = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'DEM', 'LTL', 'VEF', 'MRO', 'STD', 'BYR']
  for (const code of gone) assert.ok(!isCurrency(code), code)
})

test('excludes codes without a minor unit', () => {
  const none = ['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA']
  for (const code of [...none, 'XXX']) assert.ok(!isCurrency(code), code)
})

test('excludes other spellings and unknown codes', () => {
  for (const code of [
    'usd',
    'Usd',
    'US',
    'USDT',
    'BTC',
    '840',
    '',
    ' USD',
    'toString',
    '__proto__',
  ]) {
    assert.ok(!isCurrency(code), code)
  }
})

test('minorDigits throws for an unknown code', () => {
  assert.throws(() => minorDigits('BGN'), RangeError)
})

test('Intl has different digits for 16 currencies, so the table is needed', () => {
  const differing = [...currencies].filter(([currency, digits]) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits !== digits
  })
  // CLDR changes between Node versions, so the exact number may change.
  assert.ok(differing.length >= 12 && differing.length <= 20, String(differing))
})

test('every currency of Intl is in the table or known to be retired', () => {
  const gone = new Set(['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'XDR', 'XSU'])
  const missing = Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code))
  assert.deepEqual(
    missing.filter((code) => !gone.has(code)),
    [],
  )
})
