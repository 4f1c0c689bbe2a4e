// The client, and all exports of the package.

import type { Fetch } from './attempt.ts'
import type { RawResponse, RequestOptions } from './call.ts'
import { type CredentialOptions, requireTokens, type Tokens } from './credentials.ts'
import { AllCalls } from './generated/resources.ts'
import { Sessions } from './sessions.ts'
import { Transport } from './transport.ts'

export interface FlorinOptions extends CredentialOptions {
  /** URL of the server, such as https://pay.example.com. */
  base_url: string
  /** The account to act for, as an admin or platform user. Calls can override it. */
  account?: string | undefined
  /**
   * Maximum wait until a response starts, and then for each part of it. Default: 30 000 ms. A
   * `signal` limits the whole call.
   */
  timeout_ms?: number | undefined
  /** Maximum number of retries of a call. Default: 3. */
  retries_max?: number | undefined
  /** Replaces the global `fetch`, for proxies, certificates or instrumentation. */
  fetch?: Fetch | undefined
}

export class Florin extends AllCalls {
  override readonly sessions: Sessions
  readonly #transport: Transport

  constructor(options: FlorinOptions) {
    const transport = new Transport({
      ...options,
      base_url: readBaseUrl(options.base_url),
      // Browsers reject `fetch` when it is called as a method of another object.
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      timeout_ms: options.timeout_ms ?? 30_000,
      retries_max: options.retries_max ?? 3,
      account: options.account,
    })
    super(transport)
    this.#transport = transport
    this.sessions = new Sessions(transport)
  }

  /**
   * Sends a request to any path, for endpoints that have no method. It is authenticated, retried
   * and made idempotent like every other call. Returns the response with its complete body.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<RawResponse> {
    if (!/^\/[^/]/.test(path))
      throw new TypeError(`"path" must be like /v1/payments; got "${path}".`)
    const { query, body } = options
    const takes_idempotency_key = method !== 'GET'
    const takes = { takes_token: true, takes_account: true, takes_idempotency_key }
    return this.#transport.raw({ method, path, query, body, ...takes }, options)
  }

  /** The current tokens; null without a session. */
  get tokens(): Tokens | null {
    return this.#transport.credentials.tokens
  }

  /** Sets tokens from elsewhere, such as another window that refreshed them. Null removes them. */
  async useTokens(tokens: Tokens | null): Promise<void> {
    requireTokens(tokens)
    return this.#transport.credentials.set(tokens)
  }
}

function readBaseUrl(base_url: string): string {
  const is_http = URL.canParse(base_url) && /^https?:$/.test(new URL(base_url).protocol)
  if (is_http) return base_url.replace(/\/+$/, '')
  throw new TypeError(
    `"base_url" must be a URL such as https://pay.example.com; got "${base_url}".`,
  )
}

export type { Fetch } from './attempt.ts'
export type {
  AccountCallOptions,
  AccountWriteOptions,
  CallOptions,
  RawResponse,
  RequestOptions,
  WriteOptions,
} from './call.ts'
export type { OnTokens, RefreshTokens, Tokens } from './credentials.ts'
export type { FileContent } from './file-content.ts'
export { type ClientErrorCode, FlorinError, type FlorinErrorCode } from './florin-error.ts'
export type { EventType, FlorinEvent, TestEvent, WebhookEvent } from './florin-event.ts'
export type { ErrorCode } from './generated/error-codes.ts'
export type * from './generated/requests.ts'
export type * from './generated/schemas.ts'
export { type Outcome, type Verdict, verdictOf } from './outcome.ts'
export type { CursorPage, NumberedPage, PageRequest } from './pages.ts'
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
