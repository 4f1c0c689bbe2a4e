// Parses the submitted card form into a card or a fault code per field. Fault codes never contain
// input, so a card number cannot leak into a response or a log.

import type { Confirmation } from '../processors/test-cards.ts'
import type { CardFault, CardFaults } from './payment-view.ts'

interface PaymentCard {
  /** 12 to 19 digits. Hold it in memory only, for the duration of the attempt. */
  number: string
  /** The last month in which the card is valid, as YYYY-MM. */
  expires: string
  csc: string
}

type PaymentForm =
  | { card: PaymentCard; faults?: undefined; values: { expires: string } }
  | { card?: undefined; faults: CardFaults; values: { expires: string } }

/** `now` is business time; the expiration date is checked against it. */
export function readPaymentForm(body: unknown, now: Date): PaymentForm {
  const test_card = readText(body, 'card')
  if (test_card !== '') return readTestCard(test_card, now)
  const number = readNumber(readText(body, 'number'))
  const expires = readExpires(readText(body, 'expires'), now)
  const csc = readCsc(readText(body, 'csc'))
  const values = { expires: expires.fault === undefined ? shortMonth(expires.value) : '' }
  if (number.fault === undefined && expires.fault === undefined && csc.fault === undefined) {
    return { card: { number: number.value, expires: expires.value, csc: csc.value }, values }
  }
  return { faults: faultsOf({ number, expires, csc }), values }
}

/** The hidden `form_token` field, or ''. */
export function readFormToken(body: unknown): string {
  return readText(body, 'form_token')
}

/** The provider that the payer chose, or ''. */
export function readProvider(body: unknown): string {
  return readText(body, 'provider')
}

/** The button of the page on which the payer confirms a card. */
export function readConfirmation(body: unknown): Confirmation | undefined {
  const text = readText(body, 'confirmation')
  return text === 'confirmed' || text === 'rejected' ? text : undefined
}

type FieldResult = { value: string; fault?: undefined } | { value?: undefined; fault: CardFault }

// A test card button submits only the number, so the other fields get valid placeholder values.
function readTestCard(text: string, now: Date): PaymentForm {
  const number = readNumber(text)
  const values = { expires: '' }
  if (number.fault !== undefined) return { faults: { number: number.fault }, values }
  return { card: { number: number.value, expires: thisMonth(now), csc: '000' }, values }
}

// No valid input is longer. Longer values are not parsed.
const text_length_max = 64

// A repeated field is parsed as an array, which no browser sends: treat it as missing.
// NFKC converts full-width digits from Japanese keyboards to ASCII.
function readText(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  if (typeof value !== 'string' || value.length > text_length_max * 4) return ''
  return value.normalize('NFKC').trim()
}

function readNumber(text: string): FieldResult {
  if (text === '') return { fault: 'missing' }
  const digits = text.replace(/[\s-]/g, '')
  const valid = text.length <= text_length_max && /^\d{12,19}$/.test(digits)
  return valid ? { value: digits } : { fault: 'malformed' }
}

// The formats that users type and browsers autofill: 04 / 28, 4/28, 0428, 04/2028.
const month_and_year = /^(0?[1-9]|1[0-2])\s*[/.-]\s*(?:20)?(\d\d)$|^(0[1-9]|1[0-2])(?:20)?(\d\d)$/

function readExpires(text: string, now: Date): FieldResult {
  if (text === '') return { fault: 'missing' }
  const parts = text.length <= text_length_max ? month_and_year.exec(text) : null
  if (parts === null) return { fault: 'malformed' }
  const month = (parts[1] ?? parts[3])!.padStart(2, '0')
  const value = `20${parts[2] ?? parts[4]}-${month}`
  return value < thisMonth(now) ? { fault: 'past' } : { value }
}

// A card is valid until its last month has ended in every time zone, 12 hours after UTC.
function thisMonth(now: Date): string {
  return new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 7)
}

function readCsc(text: string): FieldResult {
  if (text === '') return { fault: 'missing' }
  return /^\d{3,4}$/.test(text) ? { value: text } : { fault: 'malformed' }
}

function shortMonth(expires: string): string {
  return `${expires.slice(5)} / ${expires.slice(2, 4)}`
}

function faultsOf(fields: Record<keyof PaymentCard, FieldResult>): CardFaults {
  const faults: CardFaults = {}
  for (const [name, { fault }] of Object.entries(fields)) {
    if (fault !== undefined) faults[name as keyof PaymentCard] = fault
  }
  return faults
}
