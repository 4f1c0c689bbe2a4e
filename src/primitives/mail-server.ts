// The SMTP server and the sender that an operator configures. Both are validated strictly at
// startup, so a typo fails there, not when the first email is sent.

import { isEmail } from './email-address.ts'
import { decodePercent } from './percent.ts'
import { codePointLength, isPlainText } from './text.ts'

export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte. Otherwise STARTTLS is used if the server offers it. */
  secure: boolean
  login: { user: string; password: string } | undefined
}

export interface Mailbox {
  name: string
  address: string
}

// 587 is submission and 465 is submission over TLS. 25 is for transfer between servers.
const ports = { 'smtp:': 587, 'smtps:': 465 }

/** smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
export function parseMailServer(text: string): MailServer | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined
  const bare = !/[?#]/.test(text) && /^\/?$/.test(url.pathname)
  if (!bare || url.hostname === '') return undefined
  const user = decodePercent(url.username)
  const password = decodePercent(url.password)
  if (user === undefined || password === undefined) return undefined
  // A password without a user name would silently not be used.
  if (user === '' && password !== '') return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? ports[url.protocol] : Number(url.port),
    secure: url.protocol === 'smtps:',
    login: user === '' ? undefined : { user, password },
  }
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
