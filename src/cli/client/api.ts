// The SDK client of a command: which server it calls, and with which credentials. Commands that
// share a stored session refresh it under a file lock.

import {
  Florin,
  FlorinError,
  type FlorinOptions,
  type RefreshResponse,
  type Tokens,
} from '../../../client/src/florin.ts'
import { type ClientSettings, readClientSettings, unknownSettings } from '../../config.ts'
import { version } from '../../version.ts'
import { ApiFailure, UsageError } from '../failures.ts'
import { readAddress } from '../read-address.ts'
import { warnUser } from '../terminal.ts'
import { explainError } from './explain-error.ts'
import { requireApiKey } from './header-values.ts'
import { StoredLogins, type StoredServer } from './stored-logins.ts'

export interface ApiOptions {
  server?: string
  account?: string
  json?: true
}

export interface Api {
  url: string
  logins: StoredLogins
  account: string | undefined
  /** A client without credentials: creating an account, logging in, pages. */
  anonymous(): Florin
  /** A client with other credentials than the caller's. */
  connect(credentials: Credentials): Florin
  /** A client with the stored session, even when FLORIN_API_KEY is set. */
  bySession(session: Tokens): Florin
  /** A client with FLORIN_API_KEY or the stored login; without either, unauthenticated. */
  caller(): Promise<Florin>
}

type Credentials = Pick<FlorinOptions, 'api_key' | 'tokens' | 'refreshTokens'>

/** Runs a command. Errors of the SDK become messages with the next command. */
export async function withApi(
  options: ApiOptions,
  work: (api: Api) => Promise<void>,
  command: { takes_idempotency_key?: boolean } = {},
): Promise<void> {
  const api = await openApi(options)
  try {
    await work(api)
  } catch (error) {
    throw error instanceof FlorinError ? explainError(error, api.url, command) : error
  }
}

/** Like withApi, but fails before anything is sent if there is no login. */
export function withLogin(
  options: ApiOptions,
  work: (florin: Florin, api: Api, stored: StoredServer) => Promise<void>,
): Promise<void> {
  return withApi(options, async (api) => {
    // The key overrides the stored login, whose account may be a different one.
    const has_key = readClientSettings().api_key !== undefined
    const stored = has_key ? {} : await api.logins.server(api.url)
    if (!has_key && (stored.key ?? stored.session) === undefined) throw notLoggedIn(api.url)
    await work(await api.caller(), api, stored)
  })
}

/** Selects the server and its stored login. */
async function openApi(options: ApiOptions): Promise<Api> {
  for (const sentence of unknownSettings()) warnUser('unknown_setting', sentence, options)
  const settings = readClientSettings()
  const logins = new StoredLogins(settings.config_path)
  const url = await chooseServer(options, settings, logins)
  const account = options.account === undefined ? undefined : requireAccountId(options.account)
  return makeApi(url, logins, { account, api_key: settings.api_key })
}

interface ApiContext {
  account?: string | undefined
  api_key?: string | undefined
  timeout_ms?: number
}

// A server starts its response within ten seconds. A refresh must end before another command
// considers the file lock stale.
const default_timeout_ms = 15_000

export function makeApi(url: string, logins: StoredLogins, context: ApiContext): Api {
  const { account, api_key, timeout_ms = default_timeout_ms } = context
  const common = {
    base_url: url,
    timeout_ms,
    // The user can run the command again; an early error is better than a long wait.
    retries_max: 1,
    fetch: (address: string, init: RequestInit) => {
      const headers = new Headers(init.headers)
      headers.set('user-agent', `florin-cli/${version}`)
      return fetch(address, { ...init, headers })
    },
  }
  const connect = (credentials: Credentials) => new Florin({ ...common, ...credentials, account })
  const refreshTokens = (expired: Tokens) =>
    refreshStored(url, logins, expired, (tokens) => connect({ tokens }).sessions.refresh())
  const bySession = (tokens: Tokens) => {
    requireIntact(tokens.access_token, url)
    return connect({ tokens, refreshTokens })
  }
  return {
    ...{ url, logins, account, connect, bySession },
    anonymous: () => new Florin(common),
    async caller() {
      if (api_key !== undefined) {
        return connect({ api_key: requireApiKey('FLORIN_API_KEY', api_key) })
      }
      const { key, session, name } = await logins.server(url)
      if (session !== undefined) return bySession(session)
      if (key !== undefined) return connect({ api_key: requireIntact(key, url) })
      // The name stays stored after the session ended, until the next login or logout. Without a
      // token, a request that adds a user to the account would create an unrelated user.
      if (name !== undefined) throw sessionEnded(url, name)
      return connect({})
    },
  }
}

/** Refreshes the stored session, unless another command has refreshed it meanwhile. */
async function refreshStored(
  url: string,
  logins: StoredLogins,
  expired: Tokens,
  refresh: (tokens: Tokens) => Promise<RefreshResponse>,
): Promise<RefreshResponse> {
  const { session, name } = await logins.change(async ({ servers }): Promise<StoredServer> => {
    const stored = servers[url] ?? {}
    const { session } = stored
    if (session === undefined) return stored
    // After another login, the command must not continue as another user.
    if (expired.session_id !== undefined && session.session_id !== expired.session_id) return {}
    if (session.access_token !== expired.access_token) return stored
    try {
      stored.session = await refresh(session)
    } catch (error) {
      if (!(error instanceof FlorinError && error.status === 401)) throw error
      delete stored.session
    }
    return stored
  })
  if (session === undefined) throw sessionEnded(url, name)
  return session
}

// An error of the SDK, which adds that an earlier attempt may have been applied.
function sessionEnded(url: string, name = 'the logged-in user'): FlorinError {
  const message =
    `The session of ${name} at ${url} has ended. ` +
    'Log in again, or run florin logout to continue without a login.'
  return new FlorinError('unauthorized', message, { status: 401 })
}

// Keys from options and settings are validated earlier, so an invalid token here means that the
// stored file is damaged.
function requireIntact(token: string, url: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new ApiFailure({
    error: 'not_logged_in',
    message: `The stored login for ${url} is damaged. Nothing was sent.`,
    next: 'florin login',
  })
}

function notLoggedIn(url: string): ApiFailure {
  return new ApiFailure({
    error: 'not_logged_in',
    message: `You are not logged in at ${url}.`,
    next: 'florin login',
  })
}

async function chooseServer(
  { server }: ApiOptions,
  { server_url, local_url }: ClientSettings,
  logins: StoredLogins,
): Promise<string> {
  if (server === undefined) return server_url ?? (await logins.read()).current ?? local_url
  const address = readAddress(server)
  if (address !== undefined) return address
  throw new UsageError(`--server must be a URL such as https://pay.example.com; got "${server}".`)
}

function requireAccountId(text: string): string {
  if (/^acct_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)) return text
  throw new UsageError(
    '--account must be an account id (acct_…). List them with: florin get /v1/accounts',
  )
}
