// A request to the API, sent a second time where the first one's answer got lost.

import { wasNeverSent } from '../primitives/never-sent.ts'

export interface Target {
  url: string
  /** An API key or an access token; undefined for calls that need none. */
  credential: string | undefined
  account: string | undefined
  /** For both tries together: 30 000 ms unless told. */
  response_timeout_ms?: number
}

export interface PreparedRequest {
  url: string
  init: RequestInit
}

// Longer than the server itself takes for anything.
const default_timeout_ms = 30_000

// A page of a hundred entries has some hundred kilobytes; more than this no reader of text wants.
const response_bytes_max = 4_194_304

/** Read to its end. */
export interface ApiResponse {
  status: number
  is_ok: boolean
  request_id: string | null
  text: string
}

/**
 * A server that is started again cuts connections. The second request has the first one's
 * Idempotency-Key, so what was done is done once.
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
   * A refusal of the request itself says that nothing was done: under its key, what was done would
   * have been answered again. Who may not ask now, or must wait, hears nothing about it.
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

// The API never repeats a credential; should something in between, it goes no further.
function withoutSecret(text: string, credential: string | undefined): string {
  return credential === undefined ? text : text.replaceAll(credential, '[credential]')
}
