import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { creditorReference } from '../../src/bank/creditor-reference.ts'
import { type PaymentFile, writePaymentFile } from '../../src/bank/payment-file.ts'
import { toSepaId, toSepaText } from '../../src/bank/sepa-text.ts'
import { Refusal } from '../../src/primitives/refusal.ts'
import { paymentFile } from './sample-payment-file.ts'

const written = (file: PaymentFile) => [...writePaymentFile(file)].join('')

test('writes the control sums and each transfer, in both versions', () => {
  for (const version of ['03', '09'] as const) {
    const text = written({ ...paymentFile, version })
    assert.equal(text.match(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>42\.05<\/CtrlSum>/g)?.length, 2)
    assert.match(text, /<InstdAmt Ccy="EUR">42\.00<\/InstdAmt>/)
    assert.match(text, /<InstdAmt Ccy="EUR">0\.05<\/InstdAmt>/)
    assert.match(text, new RegExp(`xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"`))
    assert.match(text, /<EndToEndId>po-01jd0000000000000000000001<\/EndToEndId>/)
    assert.match(text, /<Cdtr><Nm>Juergen's Cafe \+ Soehne<\/Nm>/)
    assert.match(text, /<Ref>RF[0-9]{2}K3M9TXPQ<\/Ref>/)
  }
  assert.match(written({ ...paymentFile, version: '03' }), /<ReqdExctnDt>2026-11-19<\/ReqdExctnDt>/)
  assert.match(written(paymentFile), /<ReqdExctnDt><Dt>2026-11-19<\/Dt><\/ReqdExctnDt>/)
  assert.match(written(paymentFile), /<SvcLvl><Cd>SEPA<\/Cd>/)
  assert.doesNotMatch(written({ ...paymentFile, currency: 'CHF' }), /SEPA/)
})

test('rejects a file that a bank would reject', () => {
  const [transfer] = paymentFile.transfers
  const withTransfer = (changes: object) => ({
    ...paymentFile,
    transfers: [{ ...transfer!, ...changes }],
  })
  const creditor = (changes: object) =>
    withTransfer({ creditor: { ...transfer!.creditor, ...changes } })
  const cases: [PaymentFile, RegExp][] = [
    [{ ...paymentFile, transfers: [] }, /"transfers" must not be empty/],
    [
      { ...paymentFile, transfers: [transfer!, transfer!] },
      /"transfers.id" must be unique; got "po_/,
    ],
    [{ ...paymentFile, id: 'x'.repeat(36) }, /"id" must have 1 to 35 letters, digits/],
    [{ ...paymentFile, execute_on: '19.11.2026' }, /"execute_on" must be a date, YYYY-MM-DD; got/],
    [{ ...paymentFile, execute_on: '2026-02-30' }, /"execute_on" must be a date.*got "2026-02-30"/],
    [{ ...paymentFile, execute_on: '2025-11-19' }, /"execute_on" must be from today to a year/],
    [{ ...paymentFile, execute_on: '2062-11-19' }, /"execute_on" must be from today to a year/],
    [withTransfer({ amount: 0 }), /"amount" of po_\w+ must be from 1 to 99999999999 .*; got "0"/],
    [withTransfer({ amount: 1.5 }), /"amount"/],
    [creditor({ iban: 'DE00370400440532013000' }), /"iban" has wrong check digits/],
    [creditor({ bic: 'NOPE' }), /"bic" must be a BIC/],
    [
      creditor({ name: '株式会社' }),
      /"name" of the creditor of po_\w+ must have Latin letters .*株/,
    ],
  ]
  for (const [file, message] of cases) {
    assert.throws(
      () => writePaymentFile(file).next(),
      (error) => error instanceof Refusal && message.test(error.message),
      String(message),
    )
  }
})

test('transliterates names, and keeps them readable', () => {
  const cases: [string, string | undefined][] = [
    ['Jürgen Groß', 'Juergen Gross'],
    ['ÄÖÜ ẞ', 'AeOeUe SS'],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Ångström & Søn', 'Angstroem + Soen'],
    ['Ελλάδα', 'Ellada'],
    ['Иван Щукин', 'Ivan Shtukin'],
    ['ﬁnance №5', 'finance No5'],
    ['a_b@c "d"', "a-b.c 'd'"],
    ['  two\n lines\t', 'two lines'],
    ['株式会社', undefined],
    ['', undefined],
  ]
  for (const [text, expected] of cases) assert.equal(toSepaText(text, 70), expected)
  assert.equal(toSepaText('abc def', 4), 'abc')
})

test('every text becomes one of the allowed characters', () => {
  const unit = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const plain = toSepaText(text, 70)
      if (plain !== undefined) assert.match(plain, /^[A-Za-z0-9/?:().,'+ -]{1,70}$/)
    }),
    { numRuns: 200 },
  )
})

test('an id keeps its characters, or is rejected', () => {
  assert.equal(toSepaId('po_01jd'), 'po-01jd')
  for (const id of ['', '/x', 'x/', 'a//b', ' x', 'ä', 'x'.repeat(36)]) {
    assert.equal(toSepaId(id), undefined, id)
  }
  assert.equal(toSepaId(creditorReference('K3M9TXPQ')), creditorReference('K3M9TXPQ'))
})
