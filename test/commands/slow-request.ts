// A request whose body comes in two halves, so that a test decides when it can be answered.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { newPassword } from '../support/secrets.ts'

export interface SlowRequest {
  socket: Socket
  /** Sends the second half, and gives what came back until the connection closed. */
  finish(): Promise<string>
}

/** A sign-up. */
export function openSlowRequest(url: string, email: string): Promise<SlowRequest> {
  return openSlow(url, '/v1/users', { email, password: newPassword() })
}

/** A payment by whoever the token belongs to. */
export function openSlowPayment(url: string, account_id: string, token: string) {
  const payment = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  return openSlow(url, '/v1/transactions', payment, `Authorization: Bearer ${token}\r\n`)
}

async function openSlow(
  url: string,
  path: string,
  content: object,
  header = '',
): Promise<SlowRequest> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let response = ''
  socket.setEncoding('utf8').on('error', () => {})
  const closed = once(socket, 'close')
  const body = JSON.stringify(content)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${header}` +
      `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  // The server must have read it before it is told to stop, or it may close it unread. It says so
  // by asking for the rest.
  const [asked] = await once(socket, 'data')
  if (asked !== 'HTTP/1.1 100 Continue\r\n\r\n') throw new Error(`not asked to go on: ${asked}`)
  socket.on('data', (text) => {
    response += text
  })
  return {
    socket,
    async finish() {
      socket.write(body.slice(10))
      await closed
      return response
    },
  }
}
