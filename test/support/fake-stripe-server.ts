// The HTTP side of the stand-in for Stripe: idempotency keys, and faults on demand.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failure, type Reply } from './fake-stripe-objects.ts'

/** What the next matching request suffers. */
export type StripeFault =
  | 'lose_request'
  | 'lose_response'
  // The request is executed, and a proxy loses the response. The stripe package does not repeat it.
  | 'bad_gateway'
  | 'freeze_500'
  | 'rate_limit'
  | 'reject_key'
  | 'reject'

export type ResponseCheck = (method: string, path: string, body: unknown) => void

export interface StripeRequest {
  method: string
  path: string
  params: Record<string, string>
  idempotency_key: string | undefined
}

export abstract class FakeStripeServer {
  readonly requests: StripeRequest[] = []
  /** By the beginning of the path, also with its method, the faults of the next requests. */
  readonly faults = new Map<string, StripeFault[]>()
  /** Idempotency keys whose stored response is a 500: repeating the request does not help. */
  readonly frozen_keys = new Set<string>()
  /** The difference between the clock of the provider and ours. */
  clock_offset_ms = 0
  /** If true, every connection is closed without a response. */
  is_down = false
  readonly #stored = new Map<string, Reply & { params: string }>()
  readonly #blocks = new Map<string, () => Promise<void>>()
  readonly #server: Server
  readonly #validate: ResponseCheck

  protected abstract respond(received: StripeRequest): Reply

  protected constructor(validate: ResponseCheck = () => {}) {
    this.#validate = validate
    this.#server = createServer(async (request, response) => {
      if (this.is_down) return void request.socket.destroy()
      const { fault, reply } = await this.#serve(request)
      if (fault === 'lose_request' || fault === 'lose_response') {
        return void request.socket.destroy()
      }
      const date = new Date(Date.now() + this.clock_offset_ms).toUTCString()
      response.writeHead(reply.status, { 'content-type': 'application/json', date })
      response.end(JSON.stringify(reply.body))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Holds the next request to this path until it is released. */
  block(path: string): { reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#blocks.set(path, async () => {
      reached.resolve()
      await released.promise
    })
    return { reached: reached.promise, release: released.resolve }
  }

  /** Stripe forgets idempotency keys after 24 hours. */
  forgetKeys(): void {
    this.#stored.clear()
  }

  protected async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async #serve(
    request: IncomingMessage,
  ): Promise<{ fault: StripeFault | undefined; reply: Reply }> {
    const url = new URL(request.url!, 'http://stripe')
    const body = await textOf(request)
    const params = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)])
    const idempotency_key = request.headers['idempotency-key'] as string | undefined
    const received = { method: request.method!, path: url.pathname, params, idempotency_key }
    this.requests.push(received)
    const block = this.#blocks.get(url.pathname)
    this.#blocks.delete(url.pathname)
    await block?.()
    const fault = this.#nextFault(received)
    if (fault === 'lose_request') return { fault, reply: failure(500, 'api_error') }
    if (fault === 'rate_limit') return { fault, reply: failure(429, 'rate_limit') }
    if (fault === 'reject') return { fault, reply: failure(400, 'amount_too_small') }
    if (fault === 'reject_key') return { fault, reply: failure(401, 'api_key_expired') }
    const reply = this.#once(received, fault)
    if (fault === 'bad_gateway') return { fault, reply: failure(502, 'api_error') }
    if (reply.status === 200) this.#validate(received.method, received.path, reply.body)
    return { fault, reply }
  }

  #nextFault({ method, path }: StripeRequest): StripeFault | undefined {
    for (const [start, faults] of this.faults) {
      if (path.startsWith(start) || `${method} ${path}`.startsWith(start)) return faults.shift()
    }
    return undefined
  }

  /** A key returns the stored response, even a 500; other parameters are an error. */
  #once(received: StripeRequest, fault: StripeFault | undefined): Reply {
    const { idempotency_key: key } = received
    const params = JSON.stringify(received.params)
    const stored = key === undefined ? undefined : this.#stored.get(key)
    if (stored !== undefined) {
      return stored.params === params ? stored : failure(400, 'idempotency_error')
    }
    const reply = fault === 'freeze_500' ? failure(500, 'api_error') : this.respond(received)
    if (key !== undefined && fault === 'freeze_500') this.frozen_keys.add(key)
    if (key !== undefined) this.#stored.set(key, { ...structuredClone(reply), params })
    return reply
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
