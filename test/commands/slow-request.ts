// A request whose body comes in two halves, so that a test decides when it can be answered.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { newPassword } from '../support/secrets.ts'

export interface SlowRequest {
  socket: Socket
  /** Sends the second half, and gives what came back until the connection closed. */
  finish(): Promise<string>
}

export async function openSlowRequest(url: string, email: string): Promise<SlowRequest> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('utf8').on('error', () => {})
  const closed = once(socket, 'close')
  const body = JSON.stringify({ email, password: newPassword() })
  socket.write(
    `POST /v1/users HTTP/1.1\r\nHost: florin\r\nContent-Type: application/json\r\n` +
      `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  // The server must have read it before it is told to stop, or it may close it unread. It says so
  // by asking for the rest.
  const [asked] = await once(socket, 'data')
  if (asked !== 'HTTP/1.1 100 Continue\r\n\r\n') throw new Error(`not asked to go on: ${asked}`)
  socket.on('data', (text) => {
    answer += text
  })
  return {
    socket,
    async finish() {
      socket.write(body.slice(10))
      await closed
      return answer
    },
  }
}
