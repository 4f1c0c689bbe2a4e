// The grammar and the canonical form of email addresses. Neither is repeated in SQL, so the
// application and an index cannot disagree on which addresses are equal.

import { codePointLength, isPlainText } from './text.ts'

// The longest address that fits an SMTP path (RFC 5321, erratum 1690).
export const email_length_max = 254

// The grammar of HTML's email field, which browsers enforce. It is stricter than RFC 5322: no
// quoted strings, no comments, ASCII only.
const localPart = String.raw`[a-zA-Z0-9.!#$%&'*+/=?^_\x60{|}~-]+`
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const shape = new RegExp(String.raw`^${localPart}@${label}(?:\.${label})*$`)

export function isEmail(text: string): boolean {
  return text.length <= email_length_max && shape.test(text)
}

/**
 * The form in which addresses are compared. Only A to Z are lowercased: `toLowerCase` also maps the
 * Kelvin sign to "k", which would make two different addresses equal.
 */
export function canonicalEmail(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}

export interface Mailbox {
  name: string
  address: string
}

const name_length_max = 100
// The longest name and address, with some spaces around them.
const mailbox_length_max = 500

/** `Acme Payments <pay@example.com>`, or only the address. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (text.length > mailbox_length_max) return undefined
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/.exec(text.trim())
  if (parts === null) return undefined
  const name = (parts[1] ?? '').trim()
  const address = parts[2] ?? parts[3] ?? ''
  const valid = isPlainText(name) && codePointLength(name) <= name_length_max && isEmail(address)
  return valid ? { name, address } : undefined
}
