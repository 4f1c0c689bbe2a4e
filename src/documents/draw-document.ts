// The PDF file of a receipt or a credit note: a pure function of the stored document and a
// language.

import { toTypeId } from '../primitives/ids.ts'
import { amountText, namesCurrency } from '../primitives/money.ts'
import { stripBidiControls } from '../primitives/text.ts'
import { timeText } from '../primitives/time.ts'
import { document_translations } from '../translations/documents.ts'
import {
  inLanguage,
  type Language,
  type Localization,
  localizationFor,
} from '../translations/localization.ts'
import type { DocumentFacts, DocumentRow } from './document.ts'
import { PdfPage, page_size } from './pdf/pdf-page.ts'

const left = 56
const right = page_size.width - left
const middle = 320

export function drawDocument(row: DocumentRow, language: Language | undefined): Buffer {
  const facts: DocumentFacts = JSON.parse(row.facts)
  const localization = localizationFor(inLanguage(facts.language, language))
  const texts = document_translations[localization.lang]
  const title = texts[row.type]
  const page = new PdfPage(localization.lang)
  if (facts.sandbox) page.text(localization.labels.sandbox, { x: left, size: 10, gray: 0.4 })
  page.down(facts.sandbox ? 30 : 0)
  drawHead(page, row, facts, localization)
  drawParties(page, row, facts, localization)
  drawAmount(page, row, localization)
  drawDetails(page, row, facts, localization)
  return page.toPdf({
    title: `${title} ${row.number}`,
    author: facts.seller.name,
    created_at: row.issued_at,
  })
}

function drawHead(
  page: PdfPage,
  row: DocumentRow,
  facts: DocumentFacts,
  { lang, labels, locale }: Localization,
): void {
  const texts = document_translations[lang]
  page.text(texts[row.type], { x: left, size: 26, weight: 600 })
  page.down(46)
  const corrects = row.receipt_number
  const dated = row.type === 'receipt' ? facts.paid_at : facts.refunded_at
  drawFacts(page, [
    [texts.number, String(row.number)],
    [texts.issued_at, timeText(row.issued_at, locale, facts.timezone)],
    ...(corrects === null ? [] : [[texts.corrects, String(corrects)] as const]),
    [
      row.type === 'receipt' ? labels.paid_at : labels.refunded_at,
      timeText(dated!, locale, facts.timezone),
    ],
  ])
  page.down(18)
}

function drawParties(
  page: PdfPage,
  row: DocumentRow,
  { seller }: DocumentFacts,
  { lang }: Localization,
): void {
  const texts = document_translations[lang]
  const { name, email, phone, website } = seller
  const top = page.y
  const width = middle - left - 16
  page.text(texts.seller, { x: left, size: 9, gray: 0.4 })
  page.down(17)
  page.paragraph(clean(name), { x: left, width, size: 12, weight: 600 })
  for (const line of [email, phone, website]) {
    if (line !== null) page.paragraph(clean(line), { x: left, width, size: 10 })
  }
  const bottom = page.y
  page.y = top
  page.text(texts.customer, { x: middle, size: 9, gray: 0.4 })
  page.down(17)
  page.paragraph(clean(row.customer_email), { x: middle, width: right - middle, size: 10 })
  page.y = Math.min(page.y, bottom)
  page.down(22)
}

function drawAmount(page: PdfPage, row: DocumentRow, localization: Localization): void {
  const texts = document_translations[localization.lang]
  const amount = wholeAmount(row.amount, row.currency, localization)
  const [what, total] =
    row.type === 'receipt'
      ? [texts.payment, texts.amount_paid]
      : [texts.refund, texts.amount_refunded]
  page.text(texts.description, { x: left, size: 9, gray: 0.4 })
  page.text(texts.amount, { x: right, size: 9, gray: 0.4, align: 'right' })
  page.down(9)
  page.line(left, right, 0.75)
  page.down(20)
  page.text(amount, { x: right, size: 11, align: 'right' })
  page.paragraph(clean(row.reference ?? what), { x: left, width: 330, size: 11 })
  page.line(left, right, 0.75)
  page.down(26)
  page.text(total, { x: left, size: 14, weight: 600 })
  page.text(amount, { x: right, size: 14, weight: 600, align: 'right' })
  page.down(40)
}

function drawDetails(
  page: PdfPage,
  row: DocumentRow,
  facts: DocumentFacts,
  localization: Localization,
): void {
  const { lang, labels, locale } = localization
  const texts = document_translations[lang]
  const original = [
    [labels.paid, wholeAmount(facts.paid_amount, row.currency, localization)],
    [labels.paid_at, timeText(facts.paid_at, locale, facts.timezone)],
  ] as const
  drawFacts(page, [
    ...(row.type === 'receipt' ? [] : original),
    [texts.request, toTypeId('payment', row.payment_id)],
    [labels.transaction, toTypeId('transaction', row.transaction_id)],
  ])
}

function drawFacts(page: PdfPage, facts: (readonly [label: string, value: string])[]): void {
  for (const [label, value] of facts) {
    page.text(label, { x: left, size: 10, gray: 0.4 })
    page.paragraph(value, { x: left + 170, width: right - left - 170, size: 10 })
  }
}

/** With the code of the currency where its symbol is shared, such as "$75.00 USD". */
function wholeAmount(amount: number, currency: string, { locale }: Localization): string {
  const text = amountText(amount, currency, locale)
  return namesCurrency(text, currency) ? text : `${text} ${currency}`
}

function clean(text: string): string {
  return stripBidiControls(text)
}
