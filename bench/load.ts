// A load generator in a process of its own: connections that each send the next request when the
// answer to the last has come. It reads only what it must to find the end of an answer, so that it
// needs far less CPU than any server it measures. Options come as JSON, the result goes to stdout.

import { createConnection, type Socket } from 'node:net'

export interface LoadOptions {
  port: number
  connections: number
  seconds: number
  /** Whole requests as text; each connection walks through them. */
  requests: string[]
  status: number
}

export interface LoadResult {
  per_second: number
  p50_ms: number
  p99_ms: number
  answers: number
  wrong: number
}

class Connection {
  readonly #socket: Socket
  readonly #options: LoadOptions
  readonly #latencies: number[]
  #next: number
  #sent_at = 0
  #waiting = ''
  #stopped = false
  wrong = 0

  constructor(options: LoadOptions, latencies: number[], first: number) {
    this.#options = options
    this.#latencies = latencies
    this.#next = first
    this.#socket = createConnection({ host: '127.0.0.1', port: options.port, noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('connect', () => this.#send())
    this.#socket.on('data', (chunk) => this.#receive(String(chunk)))
    this.#socket.on('error', () => {
      this.wrong += 1
    })
  }

  #send(): void {
    const { requests } = this.#options
    this.#sent_at = performance.now()
    this.#socket.write(requests[this.#next++ % requests.length]!)
  }

  #receive(chunk: string): void {
    this.#waiting += chunk
    const head_end = this.#waiting.indexOf('\r\n\r\n')
    if (head_end === -1) return
    const length = /content-length: (\d+)/i.exec(this.#waiting)?.[1]
    if (this.#waiting.length < head_end + 4 + Number(length)) return
    if (this.#waiting.slice(9, 12) !== String(this.#options.status)) this.wrong += 1
    this.#waiting = ''
    this.#latencies.push(performance.now() - this.#sent_at)
    if (!this.#stopped) this.#send()
  }

  stop(): void {
    this.#stopped = true
    this.#socket.destroy()
  }
}

async function run(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = []
  const connections = Array.from(
    { length: options.connections },
    (_, at) => new Connection(options, latencies, at),
  )
  const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1_000))
  // The first moments warm the connections up and are not counted.
  await pause(Math.min(0.5, options.seconds / 4))
  latencies.length = 0
  const started = performance.now()
  await pause(options.seconds)
  const seconds = (performance.now() - started) / 1_000
  const counted = latencies.slice()
  for (const connection of connections) connection.stop()
  counted.sort((a, b) => a - b)
  return {
    per_second: Math.round(counted.length / seconds),
    p50_ms: round(counted[Math.floor(counted.length * 0.5)] ?? 0),
    p99_ms: round(counted[Math.floor(counted.length * 0.99)] ?? 0),
    answers: counted.length,
    wrong: connections.reduce((sum, connection) => sum + connection.wrong, 0),
  }
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}

if (import.meta.main) {
  const result = await run(JSON.parse(process.argv[2]!))
  console.log(JSON.stringify(result))
}
