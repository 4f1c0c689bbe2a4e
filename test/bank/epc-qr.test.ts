import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'uqr'
import { creditorReference } from '../../src/bank/creditor-reference.ts'
import { epcQrText } from '../../src/bank/epc-qr.ts'

const request = {
  name: 'Acme GmbH',
  iban: 'DE89370400440532013000',
  bic: null,
  amount: 4_200,
  currency: 'EUR',
  creditor_reference: creditorReference('K3M9TXPQ'),
}

test('has the lines of EPC069-12, version 2', () => {
  const lines = ['BCD', '002', '1', 'SCT', '', 'Acme GmbH', request.iban, 'EUR42.00', '']
  const expected = [...lines, request.creditor_reference].join('\n')
  assert.equal(epcQrText(request), expected)
  assert.match(epcQrText({ ...request, bic: 'COBADEFF' })!, /\nSCT\nCOBADEFF\nAcme/)
  assert.match(epcQrText({ ...request, amount: 5 })!, /\nEUR0\.05\n/)
})

test('exists for amounts in euros that a SEPA transfer can have', () => {
  assert.equal(epcQrText({ ...request, currency: 'USD' }), undefined)
  assert.equal(epcQrText({ ...request, amount: 100_000_000_000 }), undefined)
  assert.equal(epcQrText({ ...request, amount: 0 }), undefined)
  assert.match(epcQrText({ ...request, amount: 99_999_999_999 })!, /EUR999999999\.99/)
})

test('fits into version 13 with level M, whatever the name is', () => {
  for (const name of [
    'x'.repeat(500),
    '€'.repeat(500),
    '🎉'.repeat(100),
    'two\nlines\r\n of name',
  ]) {
    const text = epcQrText({ ...request, name, bic: 'COBADEFF060' })!
    assert.equal(text.split('\n').length, 10)
    assert.ok(Buffer.byteLength(text) <= 331)
    assert.ok(text.isWellFormed())
    assert.ok(encode(text, { ecc: 'M', border: 0 }).version <= 13)
  }
})
