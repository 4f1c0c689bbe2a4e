// PDF files as pdftotext of poppler reads them: it is a test tool and not part of Florin.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { DocumentFacts, DocumentRow } from '../../src/documents/document.ts'
import { drawDocument } from '../../src/documents/draw-document.ts'
import { renderDocument } from '../../src/documents/render-thread.ts'
import { document_translations } from '../../src/translations/documents.ts'
import { type Language, languages } from '../../src/translations/localization.ts'

const skip =
  spawnSync('pdftotext', ['-v']).error !== undefined &&
  'pdftotext is not installed: see CONTRIBUTING.md'

const uuid = (last: number) => `0199a8f0-0000-7000-8000-00000000000${last}`

const facts: DocumentFacts = {
  seller: { name: 'Acme Ltd', email: 'billing@acme.example', phone: null, website: null },
  paid_at: '2026-11-18T09:30:00.000Z',
  paid_amount: 7_500,
  refunded_at: '2026-11-19T10:00:00.000Z',
  language: 'en',
  timezone: 'Europe/Warsaw',
  sandbox: false,
}

const receipt: DocumentRow = {
  account_id: uuid(1),
  number: 12,
  id: uuid(2),
  type: 'receipt',
  payment_id: uuid(3),
  transaction_id: uuid(4),
  receipt_number: null,
  amount: 7_500,
  currency: 'USD',
  customer_email: 'ann@example.com',
  reference: 'Invoice 2026-114',
  issued_at: new Date('2026-11-18T10:00:00.000Z'),
  facts: JSON.stringify(facts),
}

const credit_note: DocumentRow = {
  ...receipt,
  type: 'credit_note',
  number: 13,
  receipt_number: 12,
  amount: 2_500,
}

function textOf(pdf: Buffer): string {
  const { status, stdout, stderr } = spawnSync('pdftotext', ['-layout', '-', '-'], {
    input: pdf,
    encoding: 'utf8',
  })
  assert.deepEqual([status, stderr], [0, ''])
  // Direction marks of pdftotext.
  return stdout.replace(/[\u202a-\u202e]/g, '')
}

test('a receipt shows its facts', { skip }, () => {
  const lines = textOf(drawDocument(receipt, 'en'))
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' | '))
    .filter((line) => line !== '' && line !== '\f')
  assert.deepEqual(lines, [
    'Receipt',
    'Number | 12',
    'Issued on | November 18, 2026 at 11:00 AM GMT+1',
    'Paid on | November 18, 2026 at 10:30 AM GMT+1',
    'Seller | Customer',
    'Acme Ltd | ann@example.com',
    'billing@acme.example',
    'Description | Amount',
    'Invoice 2026-114 | $75.00 USD',
    'Amount paid | $75.00 USD',
    'Payment request | pay_01k6mf0000e008000000000003',
    'Transaction ID | txn_01k6mf0000e008000000000004',
  ])
})

test('a credit note names the receipt that it corrects', { skip }, () => {
  const text = textOf(drawDocument(credit_note, 'en'))
  for (const line of [
    /^Credit note$/m,
    /Corrects receipt number +12$/m,
    /Refunded on +November 19, 2026/,
    /Amount refunded +\$25\.00 USD$/m,
    /Original payment +\$75\.00 USD$/m,
  ]) {
    assert.match(text, line)
  }
})

test('documents are in the languages of the payment page', { skip }, () => {
  for (const language of Object.keys(languages) as Language[]) {
    const texts = document_translations[language]
    const text = textOf(drawDocument(credit_note, language))
    const shown = [texts.credit_note, texts.number, texts.seller, texts.amount_refunded]
    for (const one of shown) assert.ok(text.includes(one), `${language}: ${one}`)
    assert.ok(textOf(drawDocument(receipt, language)).includes(texts.receipt), language)
  }
  const german = { ...receipt, facts: JSON.stringify({ ...facts, language: 'de-AT' }) }
  assert.match(textOf(drawDocument(german, undefined)), /Zahlungsbeleg/)
})

const names = [
  'Łódź Spółka z o.o. – ąęćńśźż',
  'Ελληνικά Ώρα',
  'Кафе Ёлка Ґанок',
  'Nguyễn Thị Hương',
  '株式会社サンプル 髙島',
  '北京市朝阳区有限公司',
  '臺灣龍鳳麵館',
  '주식회사 예시',
  'ที่นี่ร้านกาแฟ',
  'हिन्दी क्षत्रिय',
  'Հայերեն',
  'გამარჯობა',
  'Ünïcödé “quotes” ½ € ₹ ₪ ₩ ₫ ₴',
  'שלום עולם',
  'محمد جعفر',
]

test('names are shown and copied in their script', { skip }, () => {
  for (const name of names) {
    const seller = { ...facts.seller, name }
    const row = { ...receipt, reference: name, facts: JSON.stringify({ ...facts, seller }) }
    const text = textOf(drawDocument(row, 'en'))
    assert.equal(text.split(name).length - 1, 2, `${name}\n${text}`)
  }
})

test('a character without a glyph is shown by its code, and copied as it is', { skip }, () => {
  const pdf = drawDocument({ ...receipt, reference: 'Pizza 🍕!' }, 'en')
  assert.match(textOf(pdf), /Pizza 🍕!/)
  const codes = drawDocument({ ...receipt, reference: 'Pizza [U+1F355]!' }, 'en')
  assert.deepEqual(glyphsOf(pdf), glyphsOf(codes))
})

test('a space without a glyph is shown as a space', { skip }, () => {
  // French amounts have narrow spaces between their digits.
  const draw = (reference: string) => glyphsOf(drawDocument({ ...receipt, reference }, 'fr'))
  assert.deepEqual(draw('1\u202f234'), draw('1\u00a0234'))
})

function glyphsOf(pdf: Buffer): string[] | null {
  return pdf.toString('latin1').match(/\[(?:<\w+>[\d. -]*)+\] TJ/g)
}

test('the longest texts are complete', { skip }, () => {
  const long = 'Wwwww'.repeat(40)
  const seller = {
    name: long,
    email: `${'m'.repeat(240)}@acme.example`,
    phone: long,
    website: long,
  }
  const row = {
    ...credit_note,
    reference: `${long}${long} 長い文`,
    customer_email: `${'m'.repeat(240)}@example.com`,
    facts: JSON.stringify({ ...facts, seller, sandbox: true }),
  }
  const pdf = drawDocument(row, 'ja')
  assert.equal(textOf(pdf).split('W').length - 1, 5 * 40)
  assert.match(textOf(pdf), /長い文/)
})

test('the thread renders the same bytes each time', async () => {
  const again = Array.from({ length: 3 }, () => renderDocument(credit_note, 'fr'))
  for (const bytes of await Promise.all(again)) {
    assert.deepEqual(bytes, drawDocument(credit_note, 'fr'))
  }
})

// A change of the layout, of a font or of a library changes documents that were issued before. That
// must be intended: then change this value, and say so in the changelog.
test('a document has the bytes that it had when it was issued', () => {
  assert.equal(
    hash('sha256', drawDocument(receipt, 'en')),
    '879af3b354e84752c9f994a98e1b7e6379d46c4aa09d10843924ae39cd4e9071',
  )
})
