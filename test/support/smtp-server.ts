// A real SMTP server on loopback that stores the messages it receives and can simulate failures.

import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedEmail {
  from: string
  to: string[]
  /** The complete message, header and body, as received. */
  raw: string
  head: string
  secure: boolean
  user: string | undefined
}

export interface TestSmtpServer {
  port: number
  url: string
  received: ReceivedEmail[]
  /** Returning an error with a responseCode rejects the recipient; undefined accepts it. */
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
  // Clients may disconnect at any time; that is not an error here.
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

/** Returns an unfolded header field; undefined if absent. Throws if it appears twice. */
export function headerOf({ head }: ReceivedEmail, name: string): string | undefined {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const found = lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  if (found.length > 1) throw new Error(`${name} appears ${found.length} times`)
  return found[0]?.slice(name.length + 1).trim()
}
