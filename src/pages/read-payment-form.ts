// What came from the card form: a card, or which fields are at fault. A card number is never part
// of a fault, so nothing that is told, shown or logged about a fault can hold one.

import type { CardFault, CardFaults } from './payment-view.ts'

export interface PaymentCard {
  /** 12 to 19 digits. Keep it in memory only, and no longer than the attempt. */
  number: string
  /** The last month in which the card is good, as YYYY-MM. */
  expires: string
  csc: string
}

export type PaymentForm =
  | { card: PaymentCard; faults?: undefined; values: { expires: string } }
  | { card?: undefined; faults: CardFaults; values: { expires: string } }

/** `now` is business time: the month of a card is judged by it. */
export function readPaymentForm(body: unknown, now: Date): PaymentForm {
  const tapped = readText(body, 'card')
  if (tapped !== '') return readTapped(tapped, now)
  const number = readNumber(readText(body, 'number'))
  const expires = readExpires(readText(body, 'expires'), now)
  const csc = readCsc(readText(body, 'csc'))
  const values = { expires: expires.fault === undefined ? shortMonth(expires.value) : '' }
  if (number.fault === undefined && expires.fault === undefined && csc.fault === undefined) {
    return { card: { number: number.value, expires: expires.value, csc: csc.value }, values }
  }
  return { faults: faultsOf({ number, expires, csc }), values }
}

/** What the hidden field of the form brought back, or nothing. */
export function readFormToken(body: unknown): string {
  return readText(body, 'form_token')
}

type Read = { value: string; fault?: undefined } | { value?: undefined; fault: CardFault }

// A test card is sent by one tap, without its month and code: they would prove nothing.
function readTapped(text: string, now: Date): PaymentForm {
  const number = readNumber(text)
  const values = { expires: '' }
  if (number.fault !== undefined) return { faults: { number: number.fault }, values }
  return { card: { number: number.value, expires: thisMonth(now), csc: '000' }, values }
}

// Nothing that a person types into these fields is longer, and what is longer is not looked at.
const text_length_max = 64

// A field that came twice is a list, which no browser sends: it counts as not sent. NFKC makes the
// wide digits of a Japanese keyboard ours.
function readText(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  if (typeof value !== 'string' || value.length > text_length_max * 4) return ''
  return value.normalize('NFKC').trim()
}

function readNumber(text: string): Read {
  if (text === '') return { fault: 'missing' }
  const digits = text.replace(/[\s-]/g, '')
  const good = text.length <= text_length_max && /^\d{12,19}$/.test(digits)
  return good ? { value: digits } : { fault: 'malformed' }
}

// As a person reads it off the card, and as browsers fill it in: 04 / 28, 4/28, 0428, 04/2028.
const month_and_year = /^(0?[1-9]|1[0-2])\s*[/.-]\s*(?:20)?(\d\d)$|^(0[1-9]|1[0-2])(?:20)?(\d\d)$/

function readExpires(text: string, now: Date): Read {
  if (text === '') return { fault: 'missing' }
  const parts = text.length <= text_length_max ? month_and_year.exec(text) : null
  if (parts === null) return { fault: 'malformed' }
  const month = (parts[1] ?? parts[3])!.padStart(2, '0')
  const value = `20${parts[2] ?? parts[4]}-${month}`
  return value < thisMonth(now) ? { fault: 'past' } : { value }
}

// A card is good until its last month has ended everywhere, twelve hours after it has in UTC.
function thisMonth(now: Date): string {
  return new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 7)
}

function readCsc(text: string): Read {
  if (text === '') return { fault: 'missing' }
  return /^\d{3,4}$/.test(text) ? { value: text } : { fault: 'malformed' }
}

function shortMonth(expires: string): string {
  return `${expires.slice(5)} / ${expires.slice(2, 4)}`
}

function faultsOf(fields: Record<keyof PaymentCard, Read>): CardFaults {
  const faults: CardFaults = {}
  for (const [name, { fault }] of Object.entries(fields)) {
    if (fault !== undefined) faults[name as keyof PaymentCard] = fault
  }
  return faults
}
