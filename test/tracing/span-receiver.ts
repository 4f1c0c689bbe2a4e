// Receives OTLP requests over HTTP and keeps their spans.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../support/until.ts'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  start_ns: bigint
  end_ns: bigint
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string; attributes: Record<string, unknown> }[]
  status: { code?: number }
}

export interface SpanReceiver {
  /** The base URL, without /v1/traces. */
  url: string
  requests: { headers: IncomingHttpHeaders; text: string; path: string }[]
  spans: ReceivedSpan[]
  /** Replaces the response to the next requests. */
  respond: (response: ServerResponse) => void
  /** Waits for a span. */
  find(isWanted: (span: ReceivedSpan) => boolean, what?: string): Promise<ReceivedSpan>
  stop(): Promise<void>
}

export async function startSpanReceiver(): Promise<SpanReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    receiver.requests.push({ headers: request.headers, text, path: request.url! })
    receiver.respond(response)
    if (response.statusCode < 300) receiver.spans.push(...spansIn(text))
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: SpanReceiver = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    spans: [],
    respond: (response) => response.setHeader('content-type', 'application/json').end('{}'),
    async find(isWanted, what) {
      await until(() => receiver.spans.some(isWanted), what)
      return receiver.spans.find(isWanted)!
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

type Pair = { key: string; value: Record<string, unknown> }

function spansIn(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text)
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP.
  const sent: any[] = resourceSpans.flatMap(({ scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP.
    scopeSpans.flatMap(({ spans }: any) => spans),
  )
  return sent.map((span) => ({
    ...span,
    start_ns: BigInt(span.startTimeUnixNano),
    end_ns: BigInt(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    links: (span.links ?? []).map((link: { attributes: Pair[] }) => ({
      ...link,
      attributes: attributesOf(link.attributes),
    })),
    status: span.status ?? {},
  }))
}

export function attributesOf(pairs: Pair[]): Record<string, unknown> {
  const read = ({ intValue, ...other }: Pair['value']) =>
    intValue === undefined ? Object.values(other)[0] : Number(intValue)
  return Object.fromEntries(pairs.map(({ key, value }) => [key, read(value)]))
}
