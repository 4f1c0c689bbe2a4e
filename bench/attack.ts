// A hostile client in a separate process: it sends the next request when a response has arrived,
// with one connection for each request, and counts statuses. Options arrive as JSON on stdin, the
// result goes to stdout.

import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'

export interface AttackOptions {
  port: number
  connections: number
  seconds: number
  /** Complete HTTP requests as text. */
  requests: string[]
  /** Sends each request once, then stops. */
  once?: boolean
  /** Requests per second over all connections. Without it, each waits for its response only. */
  rate?: number
}

/** Number of responses by status. `closed` counts connections closed without a response. */
export type AttackResult = Record<string, number>

const result: AttackResult = {}
let next = 0
let ends_at = Number.POSITIVE_INFINITY

function count(what: string): void {
  result[what] = (result[what] ?? 0) + 1
}

async function attackForever(options: AttackOptions): Promise<void> {
  const { port, requests, rate, connections, once } = options
  const pause_ms = rate === undefined ? 0 : (connections / rate) * 1_000
  while (performance.now() < ends_at) {
    if (once && next >= requests.length) return
    const started = performance.now()
    count(await sendOnce(port, requests[next++ % requests.length]!))
    const rest_ms = pause_ms - (performance.now() - started)
    if (rest_ms > 0) await new Promise((done) => setTimeout(done, rest_ms))
  }
}

/** Opens a connection per request: per-connection state is part of the server's cost. */
function sendOnce(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
    let status = 'closed'
    let left = Number.POSITIVE_INFINITY
    socket.once('data', (chunk) => {
      const head = chunk.toString('latin1')
      status = head.slice(9, 12)
      const body_at = head.indexOf('\r\n\r\n') + 4
      left = body_at + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    })
    socket.on('data', (chunk) => {
      left -= chunk.length
      if (left <= 0) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(status))
    socket.setTimeout(20_000, () => socket.destroy())
    socket.write(request)
  })
}

if (import.meta.main) {
  const options: AttackOptions = JSON.parse(await text(process.stdin))
  ends_at = performance.now() + options.seconds * 1_000
  await Promise.all(Array.from({ length: options.connections }, () => attackForever(options)))
  console.log(JSON.stringify(result))
}
