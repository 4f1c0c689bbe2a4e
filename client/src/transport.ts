// Sends calls: retries, token refresh, pagination and streams.

import { attempt, Deadline, type Fetch, type Limits } from './attempt.ts'
import type { Call, Options, RawResponse } from './call.ts'
import { type CredentialOptions, Credentials, type Tokens } from './credentials.ts'
import { followEvents, type OpenStream } from './event-stream.ts'
import { readContent } from './file-content.ts'
import { errorOf, FlorinError } from './florin-error.ts'
import type { FlorinEvent } from './florin-event.ts'
import type { RefreshResponse, StreamEventsQuery } from './generated/requests.ts'
import { type Change, verdictOf, withOutcome } from './outcome.ts'
import { CursorPage, NumberedPage, PageRequest, type Pagination } from './pages.ts'
import { type PreparedRequest, prepare } from './prepare.ts'
import { pause, waitBeforeRetry } from './retry.ts'

interface TransportOptions extends CredentialOptions {
  base_url: string
  fetch: Fetch
  timeout_ms: number
  retries_max: number
  account: string | undefined
}

export class Transport {
  readonly credentials: Credentials
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
    this.credentials = new Credentials(options, (tokens) => this.#refresh(tokens))
  }

  json<Result>(call: Call, options: Options): Promise<Result> {
    return this.#send(call, options, (response) => {
      try {
        return JSON.parse(response.text)
      } catch {
        throw errorOf(response)
      }
    })
  }

  text(call: Call, options: Options): Promise<string> {
    return this.#send(call, options, ({ text }) => text)
  }

  /** A file. Another type, such as the page of a proxy, is an error. */
  bytes(call: Call, options: Options): Promise<Uint8Array<ArrayBuffer>> {
    return this.#send(call, options, (response) => {
      if (response.headers.get('content-type')?.startsWith(call.accept!)) return response.bytes
      throw errorOf(response)
    })
  }

  raw(call: Call, options: Options): Promise<RawResponse> {
    return this.#send(call, options, (response) => response)
  }

  cursorPages<Item extends object>(call: Call, options: Options): PageRequest<CursorPage<Item>> {
    const load = async (query: object): Promise<CursorPage<Item>> =>
      new CursorPage(await this.json({ ...call, query }, options), { ...call, query }, load)
    return new PageRequest(() => load(call.query ?? {}))
  }

  numberedPages<Item, Numbers extends Pagination>(
    call: Call,
    options: Options,
  ): PageRequest<NumberedPage<Item, Numbers>> {
    const load = async (query: object): Promise<NumberedPage<Item, Numbers>> =>
      new NumberedPage(await this.json({ ...call, query }, options), query, load)
    return new PageRequest(() => load(call.query ?? {}))
  }

  stream(call: Call, options: Options): AsyncGenerator<FlorinEvent, void, undefined> {
    const { after, type }: StreamEventsQuery = call.query ?? {}
    const newest = { ...call, path: '/v1/events', query: { limit: 1 } }
    // Reconnections use the session of the first connection only.
    let started: { session: number | undefined } | undefined
    return followEvents(after, options.signal, {
      findLastSequence: async () => {
        const page = await this.json<{ data: FlorinEvent[] }>(newest, options)
        return page.data[0]?.sequence ?? 0
      },
      open: (start) => {
        const request = this.#prepare({ ...call, query: { type } }, options)
        started ??= { session: request.session }
        return this.#open({ ...request, ...started }, options, start)
      },
      onRetry: options.onRetry,
      includes_account_closed: [undefined, 'account.*', 'account.closed'].includes(type),
    })
  }

  /** Never retried: the token works once, and a lost request may have used it. */
  #refresh({ refresh_token }: Tokens): Promise<RefreshResponse> {
    return this.json({ method: 'POST', path: '/v1/auth/refresh', body: { refresh_token } }, {})
  }

  async #send<Result>(
    call: Call,
    options: Options,
    read: (response: RawResponse) => Result,
  ): Promise<Result> {
    const request = this.#prepare(call, options)
    if ('file' in call) request.body = await readContent(call.file!, options.signal)
    return this.#sendTracked(request, options, async (init) => {
      const limits = this.#limits(options)
      const response = await attempt(this.#options.fetch, request.url, init, limits)
      if (response.status < 200 || response.status > 299) throw errorOf(response)
      return read(response)
    })
  }

  /** Opens a stream. The timeout applies until the response headers. */
  async #open(
    request: PreparedRequest,
    options: Options,
    { position, is_first }: { position: number; is_first: boolean },
  ): Promise<OpenStream | undefined> {
    request.headers.accept = 'text/event-stream'
    request.headers['last-event-id'] = String(position)
    // followEvents retries reconnections without a limit, so only the first one is retried here.
    const retry_options = is_first ? options : { ...options, retries_max: 0 }
    return this.#sendTracked(request, retry_options, async (init) => {
      const deadline = new Deadline(this.#limits(options))
      try {
        const response = await deadline.fetch(this.#options.fetch, request.url, init)
        if (response.status === 200 && response.body !== null) {
          return { body: response.body, deadline }
        }
        const bytes = await deadline.read(response, this.#limits(options).timeout_ms)
        if (response.status === 204) {
          deadline.end()
          return undefined
        }
        const text = new TextDecoder().decode(bytes)
        throw errorOf({ status: response.status, headers: response.headers, text })
      } catch (error) {
        deadline.end()
        throw error
      }
    })
  }

  #prepare(call: Call, options: Options): PreparedRequest {
    const { base_url, account } = this.#options
    return prepare(call, options, { base_url, account, session: this.credentials.session })
  }

  #limits({ timeout_ms, signal }: Options): Limits {
    return { timeout_ms: timeout_ms ?? this.#options.timeout_ms, signal }
  }

  /**
   * A retry never runs unauthenticated or in another session: it would sign up a user, or make the
   * change for another caller.
   */
  #bearerFor(request: PreparedRequest, before: string | undefined): string | undefined {
    if (!request.takes_token || request.session === undefined) return undefined
    const { session, bearer } = this.credentials
    if (session !== request.session) throw this.credentials.sessionEndedError(before)
    return bearer
  }

  /** Sends with retries. A change that may have been applied is reported whatever error follows. */
  async #sendTracked<Result>(
    request: PreparedRequest,
    options: Options,
    work: (init: RequestInit) => Promise<Result>,
  ): Promise<Result> {
    // Login and token refresh take no token; their unknown outcome does not matter.
    const is_change = request.method !== 'GET' && request.takes_token
    if (!is_change) return this.#sendWithRetries(request, options, work)
    const idempotency_key = request.headers['idempotency-key']
    const change: Change = { idempotency_key, lost: undefined }
    const workOnce = async (init: RequestInit) => {
      try {
        return await work(init)
      } catch (error) {
        if (error instanceof FlorinError && verdictOf(error).outcome === 'unknown') {
          change.lost ??= error
        }
        throw error
      }
    }
    try {
      return await this.#sendWithRetries(request, options, workOnce)
    } catch (error) {
      // The caller's signal and bugs in the client are thrown unchanged.
      throw error instanceof FlorinError ? withOutcome(error, change) : error
    }
  }

  /** Retries transient errors, and refreshes an expired token once. */
  async #sendWithRetries<Result>(
    request: PreparedRequest,
    options: Options,
    work: (init: RequestInit) => Promise<Result>,
  ): Promise<Result> {
    const retries_max = options.retries_max ?? this.#options.retries_max
    let refreshed = false
    let attempts = 0
    let bearer: string | undefined
    for (;;) {
      bearer = this.#bearerFor(request, bearer)
      try {
        return await work(initOf(request, bearer))
      } catch (error) {
        if (!refreshed && bearer !== undefined && isTokenExpired(error)) {
          refreshed = true
          if (await this.credentials.replace(bearer, options.signal)) continue
          throw error
        }
        attempts += 1
        if (!request.is_repeatable || attempts > retries_max) throw error
        const wait_ms = waitBeforeRetry(error, attempts, Math.random())
        if (wait_ms === undefined) throw error
        options.onRetry?.(error as FlorinError)
        await pause(wait_ms, options.signal)
      }
    }
  }
}

function initOf(
  { method, headers, body }: PreparedRequest,
  bearer: string | undefined,
): RequestInit {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  return { method, headers: toHeaders({ ...headers, ...authorization }), body }
}

/** Rejects invalid header values, because fetch reports some of them as a lost connection. */
function toHeaders(values: Record<string, string>): Headers {
  for (const [name, value] of Object.entries(values)) {
    // Headers trims white space, such as the line ending of a file.
    if (/^[\t\n\r ]*[\x20-\x7e]*[\t\n\r ]*$/.test(value)) continue
    const shown = name.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase())
    throw new TypeError(`The value of ${shown} must be printable ASCII. Nothing was sent.`)
  }
  return new Headers(values)
}

/** A 401 with a valid token means a missing permission or a wrong password. */
function isTokenExpired(error: unknown): boolean {
  return error instanceof FlorinError && error.status === 401 && !error.token_is_valid
}
