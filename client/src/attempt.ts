// Sends one request, with a timeout and the caller's AbortSignal.

import type { RawResponse } from './call.ts'
import { concat } from './file-content.ts'
import { FlorinError } from './florin-error.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Limits {
  timeout_ms: number
  signal: AbortSignal | undefined
}

/** Sends the request and reads the complete response within the limits. */
export async function attempt(
  fetcher: Fetch,
  url: string,
  init: RequestInit,
  limits: Limits,
): Promise<RawResponse> {
  const deadline = new Deadline(limits)
  try {
    const response = await deadline.fetch(fetcher, url, init)
    const bytes = await deadline.read(response, limits.timeout_ms)
    const text = new TextDecoder().decode(bytes)
    return { status: response.status, headers: response.headers, text, bytes }
  } finally {
    deadline.end()
  }
}

// The maximum delay of setTimeout, 24 days. Longer delays and Infinity fire after one millisecond.
const timeout_max_ms = 2_147_483_647

/**
 * Combines a timeout with the caller's signal. AbortSignal.any would do, but some browsers in use
 * lack it, and it leaks memory in early versions of Node.js 20.
 */
export class Deadline {
  readonly #limits: Limits
  readonly #controller = new AbortController()
  readonly #abort = () => this.#controller.abort(this.#limits.signal?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined
  #timed_out_ms: number | undefined

  constructor(limits: Limits) {
    limits.signal?.throwIfAborted()
    this.#limits = limits
    limits.signal?.addEventListener('abort', this.#abort, { once: true })
    this.restart(limits.timeout_ms)
  }

  /** Restarts the timeout, for example when a stream has received data. */
  restart(timeout_ms: number): void {
    this.suspend()
    this.#timer = setTimeout(
      () => {
        this.#timed_out_ms = timeout_ms
        this.#controller.abort()
      },
      Math.min(timeout_ms, timeout_max_ms),
    )
  }

  /** Stops the timeout while the client does not wait for the server. */
  suspend(): void {
    clearTimeout(this.#timer)
  }

  fetch(fetcher: Fetch, url: string, init: RequestInit): Promise<Response> {
    // Following a redirect could turn a POST into a GET or send the credentials to another host.
    const request: RequestInit = { ...init, redirect: 'manual', signal: this.#controller.signal }
    return this.translateErrors(() => fetcher(url, request))
  }

  /** Reads the body. The timeout restarts with each part, so a long statement may take longer. */
  async read(response: Response, timeout_ms: number): Promise<Uint8Array<ArrayBuffer>> {
    // Missing for an empty response, and in runtimes without streams, such as React Native.
    if (!response.body) return this.translateErrors(() => readWhole(response))
    const reader = response.body.getReader()
    const parts: Uint8Array[] = []
    for (;;) {
      this.restart(timeout_ms)
      const { done, value } = await this.translateErrors(() => reader.read())
      if (done) return concat(parts)
      parts.push(value)
    }
  }

  /** Turns failures into a FlorinError, or the reason of the caller's signal. */
  async translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (cause) {
      const { signal } = this.#limits
      if (signal?.aborted) throw signal.reason
      if (this.#timed_out_ms !== undefined) {
        throw new FlorinError('timed_out', `No response within ${this.#timed_out_ms} ms.`, {
          cause,
        })
      }
      throw new FlorinError(
        'connection_failed',
        `The connection to Florin failed: ${reasonOf(cause)}. Check "base_url" and the server.`,
        { cause },
      )
    }
  }

  end(): void {
    this.suspend()
    this.#limits.signal?.removeEventListener('abort', this.#abort)
    // Closes the connection of a stream.
    this.#controller.abort()
  }
}

/** Older versions of React Native lack `arrayBuffer`, so it is used for files only. */
async function readWhole(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const is_file = response.headers.get('content-type')?.startsWith('application/pdf')
  if (is_file) return new Uint8Array(await response.arrayBuffer())
  return new TextEncoder().encode(await response.text())
}

/** The message of Node.js is "fetch failed"; its cause has the reason. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause
  return inner instanceof Error && inner.message !== '' ? inner.message : cause.message
}
