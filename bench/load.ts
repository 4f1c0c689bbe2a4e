// A load generator in a process of its own: connections that each send the next request when the
// answer to the last has come. Options come as JSON on stdin, the result goes to stdout.
//
// The lean client reads only what it must to find the end of an answer, so that it needs far less
// CPU than any server it measures. The ordinary one is Node's own, as any service has it.

import { Agent, request } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface LoadOptions {
  port: number
  connections: number
  seconds: number
  /** Whole requests as text; the connections walk through them together. */
  requests: string[]
  /** The status that counts; any other is wrong, or with a rate is refused. */
  status: number
  /** Requests a second, sent whether or not responses come; without it each waits for its answer. */
  rate?: number
  client?: 'lean' | 'ordinary'
}

export interface LoadResult {
  per_second: number
  p50_ms: number
  p99_ms: number
  responses: number
  wrong: number
  /** Answers that said 503: under a rate beyond its means a server says so instead of stalling. */
  refused: number
}

// Shared, so that two connections never send the same request at the same time for long.
let next = 0

class Connection {
  readonly #socket: Socket
  readonly #options: LoadOptions
  readonly #latencies: number[]
  readonly #sent_at: number[] = []
  #waiting = ''
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
    this.#waiting += chunk
    for (;;) {
      const head_end = this.#waiting.indexOf('\r\n\r\n')
      if (head_end === -1) return
      const length = /content-length: (\d+)/i.exec(this.#waiting)?.[1]
      const end = head_end + 4 + Number(length)
      if (this.#waiting.length < end) return
      this.#count(this.#waiting.slice(9, 12))
      this.#waiting = this.#waiting.slice(end)
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

interface Parsed {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

function parse(text: string): Parsed {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
  return { method, path, headers, body }
}

/** One after another over node:http, the answer read whole. */
class OrdinaryConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #options: LoadOptions
  readonly #requests: Parsed[]
  readonly #latencies: number[]
  #stopped = false
  wrong = 0
  refused = 0

  constructor(options: LoadOptions, requests: Parsed[], latencies: number[]) {
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

// Sends at a rate, on the connection with the fewest responses outstanding. What no connection can
// take any more is not sent: a client that has thirty-two responses outstanding waits too.
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
  const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1_000))
  // The first moments warm the connections up and are not counted.
  await pause(Math.min(0.5, options.seconds / 4))
  latencies.length = 0
  const started = performance.now()
  await pause(options.seconds)
  const seconds = (performance.now() - started) / 1_000
  const counted = latencies.slice()
  stop()
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
