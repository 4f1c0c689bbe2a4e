// How an operator names a mail server and a sender. Both are read strictly at the start: a slip is
// told then, and not by mail that never comes.

import { isEmail } from './email-address.ts'
import { decodePercent } from './percent.ts'
import { codePointLength, isPlainText } from './text.ts'

export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte. Otherwise the connection turns to TLS when the server offers it. */
  secure: boolean
  login: { user: string; password: string } | undefined
}

export interface Mailbox {
  name: string
  address: string
}

// 587 is where mail is submitted, 465 the same within TLS; 25 is for servers among themselves.
const ports = { 'smtp:': 587, 'smtps:': 465 }

/** smtp://user:password@host:587, or smtps:// for TLS from the start. */
export function parseMailServer(text: string): MailServer | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined
  const bare = !/[?#]/.test(text) && /^\/?$/.test(url.pathname)
  if (!bare || url.hostname === '') return undefined
  const user = decodePercent(url.username)
  const password = decodePercent(url.password)
  if (user === undefined || password === undefined) return undefined
  // Without a user name nobody would log in with it.
  if (user === '' && password !== '') return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? ports[url.protocol] : Number(url.port),
    secure: url.protocol === 'smtps:',
    login: user === '' ? undefined : { user, password },
  }
}

const name_length_max = 100
// The longest name, the longest address and some blanks around them.
const mailbox_length_max = 500

/** `Acme Payments <pay@example.com>`, or the address alone. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (text.length > mailbox_length_max) return undefined
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/.exec(text.trim())
  if (parts === null) return undefined
  const name = (parts[1] ?? '').trim()
  const address = parts[2] ?? parts[3] ?? ''
  const good = isPlainText(name) && codePointLength(name) <= name_length_max && isEmail(address)
  return good ? { name, address } : undefined
}
