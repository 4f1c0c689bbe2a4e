// A load generator in a separate process. Each connection sends its next request when it has the
// response to the last one. Options arrive as JSON on stdin, the result goes to stdout.
//
// The lean client parses only enough to find the end of a response, so it needs far less CPU than
// any server it measures. The ordinary client is node:http, as any service would use it.

import { Agent, request } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface LoadOptions {
  port: number
  connections: number
  seconds: number
  /** Complete HTTP requests as text, sent in turn over all connections. */
  requests: string[]
  /** The expected status. 503 counts as refused, any other status as wrong. */
  status: number
  /** Requests per second, sent without waiting for responses. By default each request waits. */
  rate?: number
  client?: 'lean' | 'ordinary'
}

export interface LoadResult {
  per_second: number
  p50_ms: number
  p99_ms: number
  responses: number
  wrong: number
  /** Responses with status 503, which a server returns under overload instead of stalling. */
  refused: number
}

// Shared, so connections do not keep sending the same request at the same time.
let next = 0

class Connection {
  readonly #socket: Socket
  readonly #options: LoadOptions
  readonly #latencies: number[]
  readonly #sent_at: number[] = []
  #buffered = ''
  #stopped = false
  wrong = 0
  refused = 0

  constructor(options: LoadOptions, latencies: number[]) {
    this.#options = options
    this.#latencies = latencies
    this.#socket = createConnection({ host: '127.0.0.1', port: options.port, noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('connect', () => options.rate === undefined && this.send())
    this.#socket.on('data', (chunk) => this.#receive(String(chunk)))
    this.#socket.on('error', () => {
      this.wrong += 1
    })
  }

  get outstanding(): number {
    return this.#sent_at.length
  }

  send(): void {
    const { requests } = this.#options
    this.#sent_at.push(performance.now())
    this.#socket.write(requests[next++ % requests.length]!)
  }

  #receive(chunk: string): void {
    this.#buffered += chunk
    for (;;) {
      const head_end = this.#buffered.indexOf('\r\n\r\n')
      if (head_end === -1) return
      const length = /content-length: (\d+)/i.exec(this.#buffered)?.[1]
      const end = head_end + 4 + Number(length)
      if (this.#buffered.length < end) return
      this.#count(this.#buffered.slice(9, 12))
      this.#buffered = this.#buffered.slice(end)
    }
  }

  #count(status: string): void {
    const took = performance.now() - this.#sent_at.shift()!
    if (status === String(this.#options.status)) this.#latencies.push(took)
    else if (status === '503') this.refused += 1
    else this.wrong += 1
    if (!this.#stopped && this.#options.rate === undefined) this.send()
  }

  stop(): void {
    this.#stopped = true
    this.#socket.destroy()
  }
}

interface ParsedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

function parse(text: string): ParsedRequest {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
  return { method, path, headers, body }
}

/** Sends one request after another over node:http and reads each response completely. */
class OrdinaryConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #options: LoadOptions
  readonly #requests: ParsedRequest[]
  readonly #latencies: number[]
  #stopped = false
  wrong = 0
  refused = 0

  constructor(options: LoadOptions, requests: ParsedRequest[], latencies: number[]) {
    this.#options = options
    this.#requests = requests
    this.#latencies = latencies
    this.#send()
  }

  #send(): void {
    const { body, ...head } = this.#requests[next++ % this.#requests.length]!
    const started = performance.now()
    const { port } = this.#options
    const sent = request({ ...head, host: '127.0.0.1', port, agent: this.#agent }, (response) => {
      const chunks: string[] = []
      response.setEncoding('utf8')
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => this.#count(response.statusCode, performance.now() - started))
    })
    sent.on('error', () => {
      if (!this.#stopped) this.wrong += 1
    })
    sent.end(body)
  }

  #count(status: number | undefined, took: number): void {
    if (status === this.#options.status) this.#latencies.push(took)
    else if (status === 503) this.refused += 1
    else this.wrong += 1
    if (!this.#stopped) this.#send()
  }

  stop(): void {
    this.#stopped = true
    this.#agent.destroy()
  }
}

function connect(options: LoadOptions, latencies: number[]): (Connection | OrdinaryConnection)[] {
  const several = { length: options.connections }
  if (options.client !== 'ordinary') {
    return Array.from(several, () => new Connection(options, latencies))
  }
  const requests = options.requests.map(parse)
  return Array.from(several, () => new OrdinaryConnection(options, requests, latencies))
}

// Sends at a fixed rate, round robin. A connection with 32 responses outstanding sends nothing: a
// real client would wait too.
function sendAtRate(connections: Connection[], rate: number): () => void {
  const started = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1_000) * rate
    for (; sent < due; sent++) {
      const free = connections[sent % connections.length]!
      if (free.outstanding < 32) free.send()
    }
  }, 2)
  return () => clearInterval(timer)
}

async function run(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = []
  const connections = connect(options, latencies)
  const stop =
    options.rate === undefined ? () => {} : sendAtRate(connections as Connection[], options.rate)
  const result = await measure(connections, latencies, options.seconds)
  stop()
  return result
}

interface LoadConnection {
  readonly wrong: number
  readonly refused: number
  stop(): void
}

/** Counts the responses that arrive in a number of seconds, then stops the connections. */
export async function measure(
  connections: LoadConnection[],
  latencies: number[],
  seconds_planned: number,
): Promise<LoadResult> {
  const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1_000))
  // The first moments warm up the connections and are not counted.
  await pause(Math.min(0.5, seconds_planned / 4))
  latencies.length = 0
  const started = performance.now()
  await pause(seconds_planned)
  const seconds = (performance.now() - started) / 1_000
  const counted = latencies.slice()
  for (const connection of connections) connection.stop()
  counted.sort((a, b) => a - b)
  return {
    per_second: Math.round(counted.length / seconds),
    p50_ms: round(counted[Math.floor(counted.length * 0.5)] ?? 0),
    p99_ms: round(counted[Math.floor(counted.length * 0.99)] ?? 0),
    responses: counted.length,
    wrong: connections.reduce((sum, connection) => sum + connection.wrong, 0),
    refused: connections.reduce((sum, connection) => sum + connection.refused, 0),
  }
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}

if (import.meta.main) {
  const result = await run(JSON.parse(await text(process.stdin)))
  console.log(JSON.stringify(result))
}
