// A webhook receiver for tests: records requests and responds as configured.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders
  text: string
  path: string
  at_ms: number
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape.
  event: any
}

export interface Sink {
  url: string
  port: number
  path: string
  received: ReceivedDelivery[]
  connections: number
  /** The local address of the last connection. */
  reached: string | undefined
  respond: (received: ReceivedDelivery, response: ServerResponse) => void
  /** Waits for this many requests. */
  until(count: number): Promise<ReceivedDelivery[]>
  stop(): Promise<void>
}

export async function startSink(port = 0, host = '127.0.0.1'): Promise<Sink> {
  const received: ReceivedDelivery[] = []
  // The system can reuse a port, so requests for a stopped sink may arrive here. The path
  // distinguishes them.
  const path = port === 0 ? `/hook/${randomUUID()}` : '/hook'
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const text = Buffer.concat(chunks).toString()
    const { headers } = request
    const delivery = { headers, text, path: request.url!, at_ms: Date.now(), event: parse(text) }
    if (!delivery.path.startsWith(path)) {
      response.writeHead(404).end()
      return
    }
    received.push(delivery)
    sink.respond(delivery, response)
  })
  server.on('connection', (socket) => {
    sink.connections += 1
    sink.reached = socket.localAddress
  })
  server.listen({ host, port })
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  const sink: Sink = {
    url: `http://127.0.0.1:${bound}${path}`,
    port: bound,
    path,
    received,
    connections: 0,
    reached: undefined,
    respond: (_, response) => response.end('ok'),
    async until(count) {
      const deadline_ms = Date.now() + 20_000
      while (received.length < count) {
        assert.ok(Date.now() < deadline_ms, `received only ${received.length} of ${count}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return received
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return sink
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws if the signature does not match the secret. Uses the package that receivers use. */
export function verify({ text, headers }: ReceivedDelivery, secret: string): void {
  new Webhook(secret).verify(text, headers as Record<string, string>)
}
