// The way to the mail server. It talks and does not remember: what becomes of an email is decided
// in send-due.ts.

import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Mailbox, MailServer } from '../primitives/mail-server.ts'

export interface OutgoingMessage {
  to: string
  message_id: string
  subject: string
  text: string
  html: string
}

export interface SmtpTransport {
  /** The domain of the sender, for the ids of messages. */
  readonly domain: string
  send(message: OutgoingMessage): Promise<void>
  /** Connects, turns to TLS and logs in as a send would, and sends nothing. */
  check(): Promise<void>
  /** Ends what is under way: each send that has not ended fails. The next one connects anew. */
  disconnect(): void
}

/** Why an email was not taken, and whether another try could help. */
export class SmtpError extends Error {
  readonly is_permanent: boolean

  constructor(message: string, is_permanent: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'SmtpError'
    this.is_permanent = is_permanent
  }
}

// A server that is there answers within a second; these are for one that is far away or busy. The
// last is for silence within a conversation: RFC 5321 would wait minutes, but here a lease runs,
// and who is not served now is tried again.
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

// Mail services allow a sender some ten connections at once, and several workers may share them.
const connections_max = 5

export function openSmtpTransport(server: MailServer, from: Mailbox): SmtpTransport {
  let transport = connectTo(server)
  return {
    domain: from.address.slice(from.address.lastIndexOf('@') + 1),
    async send(message) {
      try {
        await transport.sendMail(envelop(message, from))
      } catch (error) {
        throw classifyError(error as NodemailerError)
      }
    },
    async check() {
      try {
        await transport.verify()
      } catch (error) {
        throw classifyError(error as NodemailerError)
      }
    },
    disconnect() {
      transport.close({ force: true })
      transport = connectTo(server)
    },
  }
}

function connectTo(server: MailServer) {
  const { host, port, secure, login } = server
  return createTransport({
    pool: true,
    host,
    port,
    secure,
    // A password travels in the clear only within this machine.
    requireTLS: !secure && login !== undefined && !isThisMachine(host),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    maxConnections: connections_max,
    // Only for a connection that the server closed while it was idle.
    maxRequeues: 1,
    idleTimeout: 5_000,
    ...timeouts,
  })
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function envelop(message: OutgoingMessage, from: Mailbox) {
  return {
    from,
    // As an object it is one address, and never a list that somebody wrote into it.
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: message.message_id,
    // Tells answering machines to stay quiet (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

interface NodemailerError extends Error {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

/**
 * For good is only a 5xx about this email: its recipient or its content. Refused log-ins and
 * senders are 5xx too, but of the operator's making: those emails wait until it is mended.
 */
function classifyError(error: NodemailerError): SmtpError {
  const about_email = error.command === 'RCPT TO' || error.command === 'DATA'
  const is_permanent = about_email && (error.responseCode ?? 0) >= 500
  return new SmtpError(oneLineOf(error.response ?? error.message), is_permanent, error)
}

// What servers say may be long, and may quote what they were sent.
const error_length_max = 300

function oneLineOf(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, error_length_max)
}
