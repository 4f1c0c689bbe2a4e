import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  currencies,
  currencies_dated,
  isCurrency,
  minorDigits,
} from '../../src/primitives/currencies.ts'

test('the table holds the 165 active codes that have a minor unit', () => {
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

test('codes that came lately are in', () => {
  for (const code of ['SLE', 'VED', 'VES', 'XAD', 'XCG', 'ZWG', 'MRU', 'STN']) {
    assert.ok(isCurrency(code), code)
  }
})

test('codes that have left the list are out', () => {
  const gone = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'DEM', 'LTL', 'VEF', 'MRO', 'STD', 'BYR']
  for (const code of gone) assert.ok(!isCurrency(code), code)
})

test('what has no minor unit is out', () => {
  const none = ['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA']
  for (const code of [...none, 'XXX']) assert.ok(!isCurrency(code), code)
})

test('other spellings and inventions are out', () => {
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

test('asking for the digits of a code outside the table is an error', () => {
  assert.throws(() => minorDigits('BGN'), RangeError)
})

test('Intl disagrees about the digits of 16 currencies, which is why the table exists', () => {
  const differing = [...currencies].filter(([currency, digits]) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits !== digits
  })
  // CLDR changes from one Node to the next, so the exact number may too.
  assert.ok(differing.length >= 12 && differing.length <= 20, String(differing))
})

test('every currency that Intl names is in the table or known to be gone', () => {
  const gone = new Set(['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'XDR', 'XSU'])
  const missing = Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code))
  assert.deepEqual(
    missing.filter((code) => !gone.has(code)),
    [],
  )
})
