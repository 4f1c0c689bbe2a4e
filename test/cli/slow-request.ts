// A request whose body is sent in two halves, so that a test controls when it completes.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { newPassword } from '../support/secrets.ts'

interface SlowRequest {
  socket: Socket
  /** Sends the second half and returns the response after the connection closed. */
  finish(): Promise<string>
}

/** Creates a user. */
export function openSlowRequest(url: string, email: string): Promise<SlowRequest> {
  return openSlow(url, '/v1/users', { email, password: newPassword() })
}

/** Creates a payment with this token. */
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
  // Waits for 100 Continue: a stopping server may close a connection whose request it has not read.
  const [interim] = await once(socket, 'data')
  if (interim !== 'HTTP/1.1 100 Continue\r\n\r\n') throw new Error(`no 100 Continue: ${interim}`)
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
