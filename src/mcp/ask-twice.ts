// A request to the API, sent a second time where the first one's answer got lost.

import { wasNeverSent } from '../primitives/never-sent.ts'

export interface Target {
  url: string
  /** An API key or an access token; undefined for calls that need none. */
  credential: string | undefined
  account: string | undefined
  /** For both tries together: 30 000 ms unless told. */
  patience_ms?: number
}

export interface Prepared {
  url: string
  init: RequestInit
}

// Longer than the server itself takes for anything.
const patience_ms_default = 30_000

// A page of a hundred entries has some hundred kilobytes; more than this no reader of text wants.
const answer_bytes_max = 4_194_304

/** Read to its end. */
export interface Answer {
  status: number
  is_ok: boolean
  request_id: string | null
  text: string
}

/**
 * A server that is started again cuts connections. The second request has the first one's
 * Idempotency-Key, so what was done is done once.
 */
export class Tries {
  readonly url: string
  readonly patience_ms: number
  readonly #request: Prepared
  readonly #credential: string | undefined
  readonly #limit: AbortSignal
  #was_lost = false

  constructor(request: Prepared, target: Target, signal: AbortSignal) {
    this.url = target.url
    this.patience_ms = target.patience_ms ?? patience_ms_default
    this.#request = request
    this.#credential = target.credential
    this.#limit = AbortSignal.any([signal, AbortSignal.timeout(this.patience_ms)])
  }

  async ask(): Promise<Answer> {
    try {
      return await this.#askOnce()
    } catch (error) {
      if (wasNeverSent(error)) throw error
      this.#was_lost = true
      if (this.#limit.aborted || error instanceof TooLong) throw error
      return this.#askOnce()
    }
  }

  /**
   * A refusal of the request itself says that nothing was done: under its key, what was done would
   * have been answered again. Who may not ask now, or must wait, hears nothing about it.
   */
  mayBeDone(answer?: Answer): boolean {
    if (answer === undefined) return this.#was_lost
    if (answer.status >= 500) return true
    const is_about_request = answer.status >= 400 && ![401, 409, 429].includes(answer.status)
    return this.#was_lost && !is_about_request
  }

  async #askOnce(): Promise<Answer> {
    const { url, init } = this.#request
    const answer = await fetch(url, { ...init, signal: this.#limit })
    const text = withoutSecret(await readBounded(answer), this.#credential)
    const request_id = answer.headers.get('request-id')
    return { status: answer.status, is_ok: answer.ok, request_id, text }
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > answer_bytes_max) throw new TooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export class TooLong extends Error {}

// The API never repeats a credential; should something in between, it goes no further.
function withoutSecret(text: string, credential: string | undefined): string {
  return credential === undefined ? text : text.replaceAll(credential, '[credential]')
}
