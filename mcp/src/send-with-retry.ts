// An API request that is retried once if its response was lost.

import { wasNeverSent } from '../../src/primitives/never-sent.ts'

export interface Target {
  url: string
  /** An API key or an access token; undefined sends unauthenticated requests. */
  credential: string | undefined
  account: string | undefined
  /** For both attempts together. Default: 30 000 ms. */
  response_timeout_ms?: number
}

export interface PreparedRequest {
  url: string
  init: RequestInit
}

// Longer than the server's request timeout.
const default_timeout_ms = 30_000

// A page of 100 entries is a few hundred kilobytes.
const response_bytes_max = 4_194_304

/** A response with its complete body. */
export interface ApiResponse {
  status: number
  is_ok: boolean
  request_id: string | null
  text: string
}

/**
 * A server restart breaks connections. The retry has the same Idempotency-Key as the first attempt,
 * so the change is applied once.
 */
export class RetryingRequest {
  readonly url: string
  readonly response_timeout_ms: number
  readonly #request: PreparedRequest
  readonly #credential: string | undefined
  readonly #limit: AbortSignal
  #was_lost = false

  constructor(request: PreparedRequest, target: Target, signal: AbortSignal) {
    this.url = target.url
    this.response_timeout_ms = target.response_timeout_ms ?? default_timeout_ms
    this.#request = request
    this.#credential = target.credential
    this.#limit = AbortSignal.any([signal, AbortSignal.timeout(this.response_timeout_ms)])
  }

  async send(): Promise<ApiResponse> {
    try {
      return await this.#sendOnce()
    } catch (error) {
      if (wasNeverSent(error)) throw error
      this.#was_lost = true
      if (this.#limit.aborted || error instanceof ResponseTooLong) throw error
      return this.#sendOnce()
    }
  }

  /**
   * After a lost response, a 4xx about the request proves that nothing was applied: otherwise the
   * Idempotency-Key would have returned the stored response. 401, 409 and 429 prove nothing.
   */
  mayHaveBeenApplied(response?: ApiResponse): boolean {
    if (response === undefined) return this.#was_lost
    if (response.status >= 500) return true
    const is_about_request = response.status >= 400 && ![401, 409, 429].includes(response.status)
    return this.#was_lost && !is_about_request
  }

  async #sendOnce(): Promise<ApiResponse> {
    const { url, init } = this.#request
    const response = await fetch(url, { ...init, signal: this.#limit })
    const text = withoutSecret(await readBounded(response), this.#credential)
    const request_id = response.headers.get('request-id')
    return { status: response.status, is_ok: response.ok, request_id, text }
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > response_bytes_max) throw new ResponseTooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export class ResponseTooLong extends Error {}

// The API never returns the credential. This guards against a proxy that does.
function withoutSecret(text: string, credential: string | undefined): string {
  return credential === undefined ? text : text.replaceAll(credential, '[credential]')
}
