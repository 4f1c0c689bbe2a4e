// A proxy between the SDK and Florin that does what networks do: it refuses connections, loses
// answers after the work was done, keeps silent, or answers itself, as proxies before a server do.

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { after, beforeEach } from 'node:test'

export interface CannedResponse {
  status: number
  headers?: Record<string, string>
  body?: string
  /** So many bytes of the body are promised, and never come. */
  missing?: number
}

export class FaultProxy {
  url = ''
  /** The heads of the requests that came, with their bodies. */
  readonly requests: string[] = []
  /** So many of the next connections are cut as soon as they ask something. */
  refuse = 0
  /** So many of the next answers are lost on the way back. */
  lose = 0
  /** So many of the next requests are never answered. */
  hang = 0
  /** Given instead of asking Florin. */
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

  forget(): void {
    this.requests.length = 0
    this.canned.length = 0
    this.refuse = this.lose = this.hang = 0
  }

  /** Every connection is lost, in the middle of whatever it was doing. */
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
    client.on('data', (data) => this.#ask(data as Buffer, client, upstream))
    upstream.on('data', (data) => this.#response(data as Buffer, client))
  }

  #ask(data: Buffer, client: Socket, upstream: Socket): void {
    const text = data.toString('latin1')
    if (/^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(text)) this.requests.push(text)
    if (this.refuse > 0) {
      this.refuse -= 1
      client.destroy()
    } else if (this.hang > 0) this.hang -= 1
    else if (this.canned.length > 0) client.end(print(this.canned.shift()!))
    else upstream.write(data)
  }

  #response(data: Buffer, client: Socket): void {
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
  return [`HTTP/1.1 ${status} As Said`, ...lines, '', body].join('\r\n')
}

/** Call it at the top of a test file; each test begins without trouble. */
export async function startFaultProxy(target_url: string): Promise<FaultProxy> {
  const proxy = new FaultProxy(target_url)
  await proxy.listen()
  beforeEach(() => proxy.forget())
  after(() => proxy.stop())
  return proxy
}
