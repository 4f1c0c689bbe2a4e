// A proxy that injects network faults: it refuses connections, loses responses after the request
// was processed, hangs, or responds itself.

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { after, beforeEach } from 'node:test'

interface CannedResponse {
  status: number
  headers?: Record<string, string>
  body?: string
  /** Number of bytes of the body that are announced but not sent. */
  missing?: number
}

class FaultProxy {
  url = ''
  /** The received requests, head and body. */
  readonly requests: string[] = []
  /** Number of connections to cut when they send a request. */
  refuse = 0
  /** Number of responses to lose. */
  lose = 0
  /** Number of requests to leave without a response. */
  hang = 0
  /** Responses to send instead of forwarding the request. */
  readonly canned: CannedResponse[] = []
  readonly #target: { host: string; port: number }
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((client) => this.#accept(client))

  constructor(target_url: string) {
    const { hostname, port } = new URL(target_url)
    this.#target = { host: hostname, port: Number(port) }
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  reset(): void {
    this.requests.length = 0
    this.canned.length = 0
    this.refuse = this.lose = this.hang = 0
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  keysSeen(): string[] {
    const key = /^idempotency-key: (.*)$/im
    return this.requests.flatMap((text) => key.exec(text)?.[1]?.trim() ?? [])
  }

  #accept(client: Socket): void {
    const upstream = createConnection(this.#target)
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
    }
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.on('data', (data) => this.#onRequest(data as Buffer, client, upstream))
    upstream.on('data', (data) => this.#onResponse(data as Buffer, client))
  }

  #onRequest(data: Buffer, client: Socket, upstream: Socket): void {
    const text = data.toString('latin1')
    if (/^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(text)) this.requests.push(text)
    if (this.refuse > 0) {
      this.refuse -= 1
      client.destroy()
    } else if (this.hang > 0) this.hang -= 1
    else if (this.canned.length > 0) client.end(print(this.canned.shift()!))
    else upstream.write(data)
  }

  #onResponse(data: Buffer, client: Socket): void {
    if (this.lose === 0) client.write(data)
    else {
      this.lose -= 1
      client.destroy()
    }
  }
}

function print({ status, headers = {}, body = '', missing = 0 }: CannedResponse): string {
  const length = Buffer.byteLength(body) + missing
  const all = { ...headers, 'content-length': length, connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} Canned`, ...lines, '', body].join('\r\n')
}

/** Call at the top of a test file. Every test starts without faults. */
export async function startFaultProxy(target_url: string): Promise<FaultProxy> {
  const proxy = new FaultProxy(target_url)
  await proxy.listen()
  beforeEach(() => proxy.reset())
  after(() => proxy.stop())
  return proxy
}
