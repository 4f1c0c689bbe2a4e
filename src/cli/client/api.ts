// HTTP client of the CLI. It authenticates with FLORIN_API_KEY or the stored login and refreshes
// expired tokens under a file lock: a command that waited for the lock uses the new tokens.

import { randomUUID } from 'node:crypto'
import { type ClientSettings, readClientSettings, unknownSettings } from '../../config.ts'
import { version } from '../../version.ts'
import { ApiFailure, type Failure, UsageError } from '../failures.ts'
import { isThisMachine, readAddress } from '../read-address.ts'
import { warnUser } from '../terminal.ts'
import { requireApiKey } from './header-values.ts'
import {
  type RequestedChange,
  responseCutOff,
  unreachable,
  withUnknownOutcome,
} from './lost-response.ts'
import { nextStep } from './next-step.ts'
import { StoredLogins, type StoredServer, type StoredSession } from './stored-logins.ts'

export interface ApiOptions {
  server?: string
  account?: string
  json?: true
}

export interface RequestOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Send no credentials: creating an account, logging in. */
  anonymous?: boolean
  /** Use this token instead of the stored login. */
  token?: string
  /** Use the stored session even when FLORIN_API_KEY is set. */
  by_session?: boolean
  /** The command has --idempotency-key, so an error may suggest repeating it with the same key. */
  takes_idempotency_key?: boolean
  /** For streams: replaces the response timeout. */
  signal?: AbortSignal
}

export interface ApiCaller {
  account?: string
  key?: string
  response_timeout_ms?: number
}

// A server always starts its response within ten seconds. Reading the body has no limit.
const response_timeout_ms = 15_000

// Allows for clock skew and network latency.
const refresh_before_ms = 30_000

export class Api {
  readonly url: string
  readonly logins: StoredLogins
  readonly account: string | undefined
  readonly #key: string | undefined
  readonly #response_timeout_ms: number

  constructor(url: string, logins: StoredLogins, options: ApiCaller) {
    this.url = url
    this.logins = logins
    this.account = options.account
    this.#key = options.key
    this.#response_timeout_ms = options.response_timeout_ms ?? response_timeout_ms
  }

  /** Returns the parsed body. Throws ApiFailure, with the next command, on an error status. */
  // biome-ignore lint/suspicious/noExplicitAny: the API defines the response body.
  async request(method: string, path: string, options: RequestOptions = {}): Promise<any> {
    const text = await this.text(method, path, options)
    return text === '' ? undefined : JSON.parse(text)
  }

  /** Returns the complete body, unparsed. */
  async text(method: string, path: string, options: RequestOptions = {}): Promise<string> {
    const prepared = await this.#prepare(method, path, options)
    return this.#textOf(await this.#send(prepared), prepared.change)
  }

  /** Returns the response with its body unread. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send(await this.#prepare(method, path, options))
  }

  async #prepare(method: string, path: string, options: RequestOptions): Promise<PreparedRequest> {
    const headers = this.#headers(method, options)
    const token = options.token ?? (options.anonymous ? undefined : await this.#token(options))
    const key = token === undefined ? undefined : headers['idempotency-key']
    const change = { key, takes_idempotency_key: options.takes_idempotency_key === true }
    const is_change = method !== 'GET' && !options.anonymous
    return { method, path, options, headers, token, change: is_change ? change : undefined }
  }

  async #send(prepared: PreparedRequest): Promise<Response> {
    const { options, token, change } = prepared
    let response = await this.#fetch(prepared)
    const refreshed =
      response.status === 401 ? await this.#refreshedToken(response, options, token) : undefined
    if (refreshed !== undefined) response = await this.#fetch({ ...prepared, token: refreshed })
    if (response.ok) return response
    const failure = await this.#failure(prepared, response)
    const is_outcome_unknown = change !== undefined && response.status >= 500
    throw new ApiFailure(is_outcome_unknown ? withUnknownOutcome(failure, change) : failure)
  }

  async #textOf(response: Response, change?: RequestedChange): Promise<string> {
    try {
      return await response.text()
    } catch (error) {
      throw responseCutOff(this.url, error, change)
    }
  }

  #headers(
    method: string,
    { body, headers = {}, anonymous }: RequestOptions,
  ): Record<string, string> {
    return {
      'user-agent': `florin-cli/${version}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.account !== undefined && !anonymous && { 'florin-account': this.account }),
      // The same key for the second attempt after a token refresh, so the change is applied once.
      ...(method !== 'GET' && !anonymous && { 'idempotency-key': randomUUID() }),
      ...headers,
    }
  }

  async #fetch({
    method,
    path,
    options,
    headers,
    token,
    change,
  }: PreparedRequest): Promise<Response> {
    const { body, signal } = options
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw damagedLogin(this.url)
    // Limits the time until the response starts. AbortSignal.timeout would also abort its body.
    const timeout = new AbortController()
    const giveUp = () => timeout.abort(new DOMException('No response in time.', 'TimeoutError'))
    const timer = setTimeout(giveUp, this.#response_timeout_ms)
    try {
      return await fetch(this.url + path, {
        method,
        headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        // Never send the token to another server.
        redirect: 'manual',
        signal: signal ?? timeout.signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (error) {
      if (signal?.aborted) throw error
      throw unreachable(this.url, error, change)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Undefined without a login. An ended session is an error instead: without a token, a request
   * that adds a user to the account would create an unrelated user, and appear to succeed.
   */
  async #token({ by_session }: RequestOptions): Promise<string | undefined> {
    if (this.#key !== undefined && !by_session) return requireApiKey('FLORIN_API_KEY', this.#key)
    const { key, session, name } = await this.logins.server(this.url)
    if (session !== undefined && isValid(session)) return session.access_token
    const token = session === undefined ? key : await this.#refresh(session.access_token)
    // The name stays stored after the session ended, until the next login or logout.
    if (token === undefined && (session ?? name) !== undefined) throw sessionEnded(this.url, name)
    return token
  }

  /** A new token if the server rejected the one that was sent but its session is alive. */
  async #refreshedToken(
    response: Response,
    options: RequestOptions,
    token: string | undefined,
  ): Promise<string | undefined> {
    if (options.anonymous || options.token !== undefined || token === undefined) return undefined
    if (readChallenge(response) !== undefined) return undefined
    if (this.#key !== undefined && !options.by_session) return undefined
    return (await this.logins.server(this.url)).session && this.#refresh(token)
  }

  /**
   * Refreshes the session, unless another command has refreshed it meanwhile. Returns the new
   * token, or undefined when the session has ended. Other errors are thrown.
   */
  #refresh(expired_token: string): Promise<string | undefined> {
    return this.logins.change(async ({ servers }) => {
      const stored = servers[this.url]
      if (stored?.session === undefined) return undefined
      if (stored.session.access_token !== expired_token) return stored.session.access_token
      const { refresh_token } = stored.session
      // The caller's request has not been sent yet, so no outcome is unknown.
      const prepared = { ...refresh_request, options: { body: { refresh_token } } }
      const response = await this.#fetch(prepared)
      if (response.status === 401) {
        delete stored.session
        return undefined
      }
      if (!response.ok) throw new ApiFailure(await this.#failure(prepared, response))
      stored.session = toStoredSession(JSON.parse(await this.#textOf(response)) as Tokens)
      return stored.session.access_token
    })
  }

  async #failure({ method, path }: PreparedRequest, response: Response): Promise<Failure> {
    const { headers, status } = response
    const { error, message } = await readError(response)
    const next = nextStep({
      ...{ status, error, message, method, path },
      challenge: readChallenge(response),
      retry_after: headers.get('retry-after'),
      is_local: isThisMachine(this.url),
    })
    const request_id = headers.get('request-id')
    return {
      error,
      message,
      ...(next !== undefined && { next }),
      status,
      ...(request_id !== null && { request_id }),
    }
  }
}

/** A request that is sent again unchanged, except for the token, after a token refresh. */
interface PreparedRequest {
  method: string
  path: string
  options: RequestOptions
  headers: Record<string, string>
  token: string | undefined
  /** Undefined for reads. */
  change: RequestedChange | undefined
}

const refresh_request = {
  method: 'POST',
  path: '/v1/auth/refresh',
  headers: { 'content-type': 'application/json' },
  token: undefined,
  change: undefined,
}

/** The error code of a 401 for a reason other than the token, such as a missing scope. */
function readChallenge({ headers }: Response): string | undefined {
  const error = /\berror="?(\w+)/.exec(headers.get('www-authenticate') ?? '')?.[1]
  return error === 'invalid_token' ? undefined : error
}

async function readError(response: Response): Promise<{ error: string; message: string }> {
  const text = await response.text().catch(() => '')
  try {
    const { error, message } = JSON.parse(text)
    if (typeof error === 'string' && typeof message === 'string') return { error, message }
  } catch {
    // Not an error of Florin: an HTML page, or another program.
  }
  if (response.headers.get('request-id')?.startsWith('req_')) {
    return { error: 'http_error', message: `The server returned status ${response.status}.` }
  }
  const message = `The server returned status ${response.status} and is not Florin. Check --server.`
  return { error: 'not_florin', message }
}

interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
}

export function toStoredSession(tokens: Tokens): StoredSession {
  const { access_token, refresh_token, expires_in } = tokens
  return { access_token, refresh_token, expires_at: Date.now() + expires_in * 1_000 }
}

function isValid({ expires_at }: StoredSession): boolean {
  return Date.now() < expires_at - refresh_before_ms
}

function sessionEnded(url: string, name = 'the logged-in user'): ApiFailure {
  return new ApiFailure({
    error: 'unauthorized',
    message:
      `The session of ${name} at ${url} has ended. Nothing was sent. ` +
      'Log in again, or run florin logout to continue without a login.',
    next: 'florin login',
    status: 401,
  })
}

// fetch reports an invalid header value as a connection error. Keys from options and settings are
// validated earlier, so an invalid token here means that the stored file is damaged.
function damagedLogin(url: string): ApiFailure {
  return new ApiFailure({
    error: 'not_logged_in',
    message: `The stored login for ${url} is damaged. Nothing was sent.`,
    next: 'florin login',
  })
}

/** Selects the server and loads its stored login. */
export async function openApi(options: ApiOptions): Promise<Api> {
  for (const sentence of unknownSettings()) warnUser('unknown_setting', sentence, options)
  const settings = readClientSettings()
  const logins = new StoredLogins(settings.config_path)
  const url = await chooseServer(options, settings, logins)
  const { account } = options
  const key = settings.api_key
  return new Api(url, logins, {
    ...(account !== undefined && { account: requireAccountId(account) }),
    ...(key !== undefined && { key }),
  })
}

async function chooseServer(
  { server }: ApiOptions,
  { server_url, local_url }: ClientSettings,
  logins: StoredLogins,
): Promise<string> {
  if (server !== undefined) return readServer(server)
  return server_url ?? (await logins.read()).current ?? local_url
}

function readServer(text: string): string {
  const address = readAddress(text)
  if (address !== undefined) return address
  throw new UsageError(`--server must be a URL such as https://pay.example.com; got "${text}".`)
}

function requireAccountId(text: string): string {
  if (/^acct_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)) return text
  throw new UsageError(
    '--account must be an account id (acct_…). List them with: florin get /v1/accounts',
  )
}

/** Fails before anything is sent if there is no login. */
export async function openLoggedIn(
  options: ApiOptions,
): Promise<{ api: Api; stored: StoredServer }> {
  const api = await openApi(options)
  const stored = await api.logins.server(api.url)
  // The key overrides the stored login, whose account may be a different one.
  if (readClientSettings().api_key !== undefined) return { api, stored: {} }
  if (stored.key ?? stored.session) return { api, stored }
  throw new ApiFailure({
    error: 'not_logged_in',
    message: `You are not logged in at ${api.url}.`,
    next: 'florin login',
  })
}
