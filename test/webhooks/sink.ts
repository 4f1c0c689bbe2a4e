// A receiver for tests: it notes what comes and answers as it is told.

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
  /** The address of ours that the last connection came to. */
  reached: string | undefined
  answer: (received: ReceivedDelivery, response: ServerResponse) => void
  /** Waits until so many have come. */
  until(count: number): Promise<ReceivedDelivery[]>
  stop(): Promise<void>
}

export async function startSink(port = 0, host = '127.0.0.1'): Promise<Sink> {
  const received: ReceivedDelivery[] = []
  // Systems give a port again: one that has stopped may still be sent something there, which is not
  // for this one.
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
    const one = { headers, text, path: request.url!, at_ms: Date.now(), event: parse(text) }
    if (!one.path.startsWith(path)) {
      response.writeHead(404).end()
      return
    }
    received.push(one)
    sink.answer(one, response)
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
    answer: (_, response) => response.end('ok'),
    async until(count) {
      const deadline_ms = Date.now() + 20_000
      while (received.length < count) {
        assert.ok(Date.now() < deadline_ms, `only ${received.length} of ${count} came`)
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

/** By the package that receivers use; throws when the signature is not this secret's. */
export function verify({ text, headers }: ReceivedDelivery, secret: string): void {
  new Webhook(secret).verify(text, headers as Record<string, string>)
}
