// One request on the wire: within its time, and ended by the caller's signal.

import type { RawResponse } from './call.ts'
import { FlorinError } from './florin-error.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Limits {
  timeout_ms: number
  signal: AbortSignal | undefined
}

/** Sends it and reads the answer to its end, all within the limits. */
export async function attempt(
  fetcher: Fetch,
  url: string,
  init: RequestInit,
  limits: Limits,
): Promise<RawResponse> {
  const deadline = new Deadline(limits)
  try {
    const response = await deadline.fetch(fetcher, url, init)
    const text = await deadline.translateErrors(() => response.text())
    return { status: response.status, headers: response.headers, text }
  } finally {
    deadline.end()
  }
}

// A timer that is told to wait longer, or for ever, waits for a millisecond. These are 24 days.
const timeout_max_ms = 2_147_483_647

/**
 * A time-out and the caller's signal in one. AbortSignal.any would do, but it is younger than some
 * browsers in use, and leaked in early versions of Node 20.
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

  /** The time begins anew: a stream that was alive a moment ago has its whole time again. */
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

  /** While nothing is asked of the other side, it cannot be late. */
  suspend(): void {
    clearTimeout(this.#timer)
  }

  fetch(fetcher: Fetch, url: string, init: RequestInit): Promise<Response> {
    // A redirect would turn a POST into a GET, or carry the request to another host.
    const whole: RequestInit = { ...init, redirect: 'manual', signal: this.#controller.signal }
    return this.translateErrors(() => fetcher(url, whole))
  }

  /** Says in our words why the work failed. */
  async translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (cause) {
      const { signal } = this.#limits
      if (signal?.aborted) throw signal.reason
      if (this.#timed_out_ms !== undefined) {
        throw new FlorinError('timed_out', `No answer within ${this.#timed_out_ms} ms.`, { cause })
      }
      throw new FlorinError(
        'connection_failed',
        `The connection to Florin failed: ${reasonOf(cause)}. Look whether it runs at base_url.`,
        { cause },
      )
    }
  }

  end(): void {
    this.suspend()
    this.#limits.signal?.removeEventListener('abort', this.#abort)
    // Nobody reads on: this closes the connection of a stream.
    this.#controller.abort()
  }
}

/** Node says "fetch failed" and hides why one level deeper. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause
  return inner instanceof Error && inner.message !== '' ? inner.message : cause.message
}
