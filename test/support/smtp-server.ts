// A real SMTP server on loopback that keeps what it is sent and can be told to misbehave.

import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedEmail {
  from: string
  to: string[]
  /** The whole message, head and body, as it came over the wire. */
  raw: string
  head: string
  secure: boolean
  user: string | undefined
}

export interface TestSmtpServer {
  port: number
  url: string
  received: ReceivedEmail[]
  /** An error with a responseCode refuses the recipient; nothing takes it. */
  onRecipient: (address: string) => Promise<Error | undefined>
  onMessage: (message: ReceivedEmail) => Promise<Error | undefined>
  stop(): Promise<void>
}

export async function startSmtpServer(
  options: SMTPServerOptions = {},
  port = 0,
): Promise<TestSmtpServer> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    ...options,
    onRcptTo({ address }, _session, done) {
      self.onRecipient(address).then((error) => done(error))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString()
        const message = {
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          head: raw.slice(0, raw.indexOf('\r\n\r\n')),
          secure: session.secure,
          user: session.user as string | undefined,
        }
        const error = await self.onMessage(message)
        if (error === undefined) self.received.push(message)
        done(error)
      })
    },
  })
  // A client that hangs up is no trouble here.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.server.address() as AddressInfo).port
  const self: TestSmtpServer = {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    received: [],
    onRecipient: async () => undefined,
    onMessage: async () => undefined,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return self
}

export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** A line of the head, unfolded; undefined when there is none, an error when there are two. */
export function headerOf({ head }: ReceivedEmail, name: string): string | undefined {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const found = lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  if (found.length > 1) throw new Error(`${name} stands there ${found.length} times`)
  return found[0]?.slice(name.length + 1).trim()
}
