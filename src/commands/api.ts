// Talking to a Florin as whoever is logged in. Tokens are renewed when they have run out, by one
// command at a time: another that waited for the lock finds the new ones.

import { randomUUID } from 'node:crypto'
import { type ClientSettings, readClientSettings, unknownSettings } from '../config.ts'
import { version } from '../version.ts'
import { ApiFailure, type Failure, UsageError } from './failures.ts'
import { requireApiKey } from './header-values.ts'
import {
  type RequestedChange,
  responseCutOff,
  unreachable,
  withUnknownOutcome,
} from './lost-response.ts'
import { nextStep } from './next-step.ts'
import { isThisMachine, readAddress } from './read-address.ts'
import { StoredLogins, type StoredServer, type StoredSession } from './stored-logins.ts'
import { warnUser } from './terminal.ts'

export interface ApiOptions {
  server?: string
  account?: string
  json?: true
}

export interface RequestOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Nobody in particular asks: opening an account, logging in. */
  anonymous?: boolean
  /** Instead of whoever is logged in. */
  token?: string
  /** As the session that is kept, although FLORIN_API_KEY stands above it. */
  by_session?: boolean
  /** The command takes --idempotency-key, so a key that is told can be given again. */
  takes_idempotency_key?: boolean
  /** For streams: ends when somebody says so, and not by itself. */
  signal?: AbortSignal
}

export interface ApiCaller {
  account?: string
  key?: string
  response_timeout_ms?: number
}

// A server begins its answer within ten seconds, whatever happens. A long one takes its time.
const response_timeout_ms = 15_000

// Clocks differ a little, and a request takes its time to arrive.
const renew_before_ms = 30_000

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

  /** The answer's body. A refusal is thrown, with the next command. */
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is the API's to say.
  async request(method: string, path: string, sent: RequestOptions = {}): Promise<any> {
    const text = await this.text(method, path, sent)
    return text === '' ? undefined : JSON.parse(text)
  }

  /** The body of the answer, whole and as it came. */
  async text(method: string, path: string, sent: RequestOptions = {}): Promise<string> {
    const asked = await this.#prepare(method, path, sent)
    return this.#textOf(await this.#send(asked), asked.change)
  }

  /** The answer itself, its body still to be read. */
  async send(method: string, path: string, sent: RequestOptions = {}): Promise<Response> {
    return this.#send(await this.#prepare(method, path, sent))
  }

  async #prepare(method: string, path: string, sent: RequestOptions): Promise<PreparedRequest> {
    const headers = this.#headers(method, sent)
    const token = sent.token ?? (sent.anonymous ? undefined : await this.#token(sent))
    const key = token === undefined ? undefined : headers['idempotency-key']
    const change = { key, takes_idempotency_key: sent.takes_idempotency_key === true }
    const is_change = method !== 'GET' && !sent.anonymous
    return { method, path, sent, headers, token, change: is_change ? change : undefined }
  }

  async #send(asked: PreparedRequest): Promise<Response> {
    const { sent, token, change } = asked
    let answer = await this.#fetch(asked)
    const renewed = answer.status === 401 ? await this.#renewed(answer, sent, token) : undefined
    if (renewed !== undefined) answer = await this.#fetch({ ...asked, token: renewed })
    if (answer.ok) return answer
    const failure = await this.#failure(asked, answer)
    const is_outcome_unknown = change !== undefined && answer.status >= 500
    throw new ApiFailure(is_outcome_unknown ? withUnknownOutcome(failure, change) : failure)
  }

  async #textOf(answer: Response, change?: RequestedChange): Promise<string> {
    try {
      return await answer.text()
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
      // The same for the second try after a renewal, so that it happens once.
      ...(method !== 'GET' && !anonymous && { 'idempotency-key': randomUUID() }),
      ...headers,
    }
  }

  async #fetch({ method, path, sent, headers, token, change }: PreparedRequest): Promise<Response> {
    const { body, signal } = sent
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw damagedLogin(this.url)
    // Until the answer begins, and no longer: AbortSignal.timeout would also cut its body.
    const patience = new AbortController()
    const giveUp = () => patience.abort(new DOMException('No answer came.', 'TimeoutError'))
    const timer = setTimeout(giveUp, this.#response_timeout_ms)
    try {
      return await fetch(this.url + path, {
        method,
        headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        // A token goes to this server and nowhere else.
        redirect: 'manual',
        signal: signal ?? patience.signal,
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
   * Undefined when nobody has logged in. Whoever has, and whose session ended, must not go on as
   * nobody: what adds a user to an account would then sign up a stranger, and seem to succeed.
   */
  async #token({ by_session }: RequestOptions): Promise<string | undefined> {
    if (this.#key !== undefined && !by_session) return requireApiKey('FLORIN_API_KEY', this.#key)
    const { key, session, name } = await this.logins.server(this.url)
    if (session !== undefined && isFresh(session)) return session.access_token
    const token = session === undefined ? key : await this.#renew(session.access_token)
    // The name outlives the session, until somebody logs in or out.
    if (token === undefined && (session ?? name) !== undefined) throw sessionEnded(this.url, name)
    return token
  }

  /** The new token when the one that was sent is found dead, and its session is not. */
  async #renewed(
    answer: Response,
    sent: RequestOptions,
    token: string | undefined,
  ): Promise<string | undefined> {
    if (sent.anonymous || sent.token !== undefined || token === undefined) return undefined
    if (readChallenge(answer) !== undefined) return undefined
    if (this.#key !== undefined && !sent.by_session) return undefined
    return (await this.logins.server(this.url)).session && this.#renew(token)
  }

  /**
   * The next token, unless another command has renewed the session meanwhile: then that one. It is
   * undefined when the session has ended; a server that only cannot say is no reason to log in.
   */
  #renew(dead_token: string): Promise<string | undefined> {
    return this.logins.change(async ({ servers }) => {
      const kept = servers[this.url]
      if (kept?.session === undefined) return undefined
      if (kept.session.access_token !== dead_token) return kept.session.access_token
      const { refresh_token } = kept.session
      // Nothing that the caller asked for has been done by then.
      const asked = { ...refresh, sent: { body: { refresh_token } } }
      const answer = await this.#fetch(asked)
      if (answer.status === 401) {
        delete kept.session
        return undefined
      }
      if (!answer.ok) throw new ApiFailure(await this.#failure(asked, answer))
      kept.session = toStoredSession(JSON.parse(await this.#textOf(answer)) as Tokens)
      return kept.session.access_token
    })
  }

  async #failure({ method, path }: PreparedRequest, answer: Response): Promise<Failure> {
    const { headers, status } = answer
    const { error, message } = await readError(answer)
    const next = nextStep({
      ...{ status, error, message, method, path },
      challenge: readChallenge(answer),
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

/** One request, the same for the second try after a renewal. */
interface PreparedRequest {
  method: string
  path: string
  sent: RequestOptions
  headers: Record<string, string>
  token: string | undefined
  /** Undefined for what only looks. */
  change: RequestedChange | undefined
}

const refresh = {
  method: 'POST',
  path: '/v1/auth/refresh',
  headers: { 'content-type': 'application/json' },
  token: undefined,
  change: undefined,
}

/** What a 401 says is wrong although the token is good; of one that has ended it says nothing. */
function readChallenge({ headers }: Response): string | undefined {
  const error = /\berror="?(\w+)/.exec(headers.get('www-authenticate') ?? '')?.[1]
  return error === 'invalid_token' ? undefined : error
}

async function readError(answer: Response): Promise<{ error: string; message: string }> {
  const text = await answer.text().catch(() => '')
  try {
    const { error, message } = JSON.parse(text)
    if (typeof error === 'string' && typeof message === 'string') return { error, message }
  } catch {
    // Not in our shape: a page, or another program.
  }
  if (answer.headers.get('request-id')?.startsWith('req_')) {
    return { error: 'http_error', message: `The server answered ${answer.status}.` }
  }
  const message = `Another program than Florin answered ${answer.status}. Is --server right?`
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

function isFresh({ expires_at }: StoredSession): boolean {
  return Date.now() < expires_at - renew_before_ms
}

function sessionEnded(url: string, name = 'whoever was logged in'): ApiFailure {
  return new ApiFailure({
    error: 'unauthorized',
    message:
      `The session of ${name} at ${url} has ended, and nothing was sent. ` +
      'To go on as nobody, run florin logout.',
    next: 'florin login',
    status: 401,
  })
}

// fetch would tell what no header can hold as a connection that failed. Keys that people give were
// judged by then, so it stood in a file that was edited or spoilt.
function damagedLogin(url: string): ApiFailure {
  return new ApiFailure({
    error: 'not_logged_in',
    message: `The log-in that is kept for ${url} is damaged, and nothing was sent.`,
    next: 'florin login',
  })
}

/** The server that is meant, and whoever is logged in there. */
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
  throw new UsageError(`--server must be an address such as https://pay.example.com; it is ${text}`)
}

function requireAccountId(text: string): string {
  if (/^acct_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)) return text
  throw new UsageError('--account must be an id: florin get /v1/accounts lists them (acct_…).')
}

/** Refuses before anything is asked when nobody is logged in. */
export async function openLoggedIn(options: ApiOptions): Promise<{ api: Api; kept: StoredServer }> {
  const api = await openApi(options)
  const kept = await api.logins.server(api.url)
  // Another one than the log-in, so nothing that is known of that one holds for it.
  if (readClientSettings().api_key !== undefined) return { api, kept: {} }
  if (kept.key ?? kept.session) return { api, kept }
  throw new ApiFailure({
    error: 'not_logged_in',
    message: `Nobody is logged in at ${api.url}.`,
    next: 'florin login',
  })
}
