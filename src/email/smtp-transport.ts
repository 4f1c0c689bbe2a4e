// The SMTP connection to the mail server. It is stateless: send-due.ts records what happens to each
// email.

import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Mailbox } from '../primitives/email-address.ts'
import type { MailServer } from '../server-urls.ts'

interface OutgoingMessage {
  to: string
  /** Where replies go; otherwise to the sender. */
  reply_to?: Mailbox | undefined
  message_id: string
  subject: string
  text: string
  html: string
}

export interface SmtpTransport {
  /** The sender's domain, for Message-IDs. */
  readonly domain: string
  send(message: OutgoingMessage): Promise<void>
  /** Connects, negotiates TLS and authenticates, without sending an email. */
  check(): Promise<void>
  /** Closes all connections, so pending sends fail. The next send reconnects. */
  disconnect(): void
}

/** Why the server did not accept an email, and whether a retry could succeed. */
export class SmtpError extends Error {
  readonly is_permanent: boolean

  constructor(message: string, is_permanent: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'SmtpError'
    this.is_permanent = is_permanent
  }
}

// A healthy server responds within a second; these values allow for a remote or busy one. RFC 5321
// suggests minutes for the socket timeout, but the email's lease would expire first.
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

// Mail services allow about ten concurrent connections per sender, shared by all workers.
const connections_max = 5

export function openSmtpTransport(server: MailServer, from: Mailbox): SmtpTransport {
  let transport = connectTo(server)
  return {
    domain: from.address.slice(from.address.lastIndexOf('@') + 1),
    async send(message) {
      try {
        await transport.sendMail(composeMail(message, from))
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
    // Never send a password unencrypted to another machine.
    requireTLS: !secure && login !== undefined && !isLoopback(host),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    maxConnections: connections_max,
    // One retry, for a pooled connection that the server closed while idle.
    maxRequeues: 1,
    idleTimeout: 5_000,
    ...timeouts,
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function composeMail(message: OutgoingMessage, from: Mailbox) {
  return {
    from,
    // An object is always one address. A string would be parsed as a list.
    to: { name: '', address: message.to },
    ...(message.reply_to && { replyTo: message.reply_to }),
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: message.message_id,
    // Suppresses automatic replies (RFC 3834).
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
 * Only a 5xx for the recipient or the content is permanent. A 5xx for the login or the sender is a
 * configuration error: emails are retried, so they are sent once the operator fixes it.
 */
function classifyError(error: NodemailerError): SmtpError {
  const about_email = error.command === 'RCPT TO' || error.command === 'DATA'
  const is_permanent = about_email && (error.responseCode ?? 0) >= 500
  return new SmtpError(oneLineOf(error.response ?? error.message), is_permanent, error)
}

// Server responses can be long and can quote the message.
const error_length_max = 300

function oneLineOf(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, error_length_max)
}
