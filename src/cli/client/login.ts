// florin login and logout: store a session or key for later commands, and delete it.

import { type Florin, FlorinError, type RefreshResponse } from '../../../client/src/florin.ts'
import { readClientSettings } from '../../config.ts'
import { emailFault } from '../collect-admin.ts'
import { UsageError } from '../failures.ts'
import { canPrompt, promptSecret, promptText } from '../prompts.ts'
import { isThisMachine } from '../read-address.ts'
import { readSecret } from '../read-stdin.ts'
import { print, printJson, symbols, warnUser } from '../terminal.ts'
import { type Api, type ApiOptions, withApi } from './api.ts'
import { requireApiKey } from './header-values.ts'
import type { StoredServer } from './stored-logins.ts'

export interface LoginCommand extends ApiOptions {
  email?: string
  passwordStdin?: true
  code?: string
  key?: string
  keyStdin?: true
}

export function logIn(options: LoginCommand): Promise<void> {
  return withApi(options, (api) => logInAt(api, options))
}

async function logInAt(api: Api, options: LoginCommand): Promise<void> {
  warnAboutPlainHttp(api.url, options)
  const key = await readKey(options)
  const login = key === undefined ? await logInByPassword(api, options) : await logInByKey(api, key)
  await storeLogin(api, login)
  warnAboutApiKey(options)
  if (options.json) {
    const { name, account_id = null } = login
    return printJson({ server: api.url, name, account_id })
  }
  print(`${symbols.ok} Logged in at ${api.url} as ${login.name}.\n`)
  if (login.account_id !== undefined) print(`  Account ${login.account_id}\n`)
}

type Login = StoredServer & { name: string }

async function logInByPassword(api: Api, options: LoginCommand): Promise<Login> {
  const fault = options.email === undefined ? undefined : emailFault(options.email)
  if (fault !== undefined) throw new UsageError(fault)
  if (!canPrompt() && (options.email === undefined || !options.passwordStdin)) {
    throw new UsageError(
      'There is no terminal to prompt in. Pipe the password to ' +
        'florin login --email ann@example.com --password-stdin, or a key to login --key-stdin.',
    )
  }
  const email = options.email ?? (await promptText('Email', emailFault))
  const password = options.passwordStdin
    ? await readSecret('password')
    : await promptSecret('Password')
  const florin = api.anonymous()
  const { user, ...session } = await logInWithCode(florin, { email, password }, options.code)
  const account_id = await findAccountId(florin)
  return { name: user.email, session, ...(account_id !== undefined && { account_id }) }
}

/** Prompts for a code only if the user has two-factor authentication. */
async function logInWithCode(
  florin: Florin,
  credentials: { email: string; password: string },
  code: string | undefined,
): ReturnType<Florin['sessions']['logIn']> {
  try {
    return await florin.sessions.logIn({ ...credentials, ...(code !== undefined && { code }) })
  } catch (error) {
    if (code !== undefined || !needsCode(error)) throw error
    if (!canPrompt()) {
      throw new UsageError(
        'This user has two-factor authentication, and there is no terminal to prompt in. Add ' +
          '--code with a code of the authenticator app or a recovery code.',
      )
    }
  }
  const prompted = await promptSecret('Code of the authenticator app, or a recovery code')
  return florin.sessions.logIn({ ...credentials, code: prompted })
}

function needsCode(error: unknown): boolean {
  return error instanceof FlorinError && error.code === 'unauthorized' && error.token_is_valid
}

async function readKey({ key, keyStdin }: LoginCommand): Promise<string | undefined> {
  if (keyStdin) return requireApiKey('--key-stdin', await readSecret('key'))
  return key === undefined ? undefined : requireApiKey('--key', key)
}

async function logInByKey(api: Api, key: string): Promise<Login> {
  const account_id = await findAccountId(api.connect({ api_key: key }))
  const name = `the API key ending in ${key.slice(-4)}`
  return { name, key, ...(account_id !== undefined && { account_id }) }
}

/** Undefined for callers without an account and for keys without the scope to read it. */
async function findAccountId(florin: Florin): Promise<string | undefined> {
  try {
    return (await florin.account.get()).id
  } catch (error) {
    if (error instanceof FlorinError && error.status === 403) return undefined
    throw error
  }
}

async function storeLogin(api: Api, login: Login): Promise<void> {
  await api.logins.change((logins) => {
    const secrets = logins.servers[api.url]?.secrets
    logins.current = api.url
    logins.servers[api.url] = { ...login, ...(secrets && { secrets }) }
  })
}

function warnAboutPlainHttp(url: string, options: LoginCommand): void {
  if (url.startsWith('https:') || isThisMachine(url)) return
  warnUser(
    'plain_http',
    `${url} does not use https. Passwords and tokens are sent unencrypted.`,
    options,
  )
}

// A forgotten FLORIN_API_KEY would silently override the new login.
function warnAboutApiKey(options: LoginCommand): void {
  if (readClientSettings().api_key === undefined) return
  const message =
    'FLORIN_API_KEY is set and overrides this login: commands use that key. ' +
    'Run: unset FLORIN_API_KEY'
  warnUser('api_key_overrides_login', message, options)
}

export function logOut(options: ApiOptions): Promise<void> {
  return withApi(options, (api) => logOutAt(api, options))
}

async function logOutAt(api: Api, options: ApiOptions): Promise<void> {
  const { session, key, name } = await api.logins.server(api.url)
  // After a session ended, its name is still stored, and is deleted too.
  if ((session ?? key ?? name) === undefined) {
    if (options.json) return printJson({ server: api.url, logged_out: false })
    return print(`You are not logged in at ${api.url}.\n`)
  }
  if (session !== undefined) await endSession(api, session, options)
  await api.logins.change(({ servers }) => {
    const secrets = servers[api.url]?.secrets
    if (secrets === undefined) delete servers[api.url]
    else servers[api.url] = { secrets }
  })
  if (options.json) return printJson({ server: api.url, logged_out: true })
  print(`${symbols.ok} Logged out at ${api.url}${name === undefined ? '' : ` (${name})`}.\n`)
}

// A failure does not stop the logout: the stored login is deleted in any case. An expired token is
// refreshed first, because the session outlives it by weeks; a 401 then means it has ended.
async function endSession(api: Api, session: RefreshResponse, options: ApiOptions): Promise<void> {
  try {
    await api.bySession(session).sessions.end()
  } catch (error) {
    if (error instanceof FlorinError && error.status === 401) return
    const message =
      'The stored login is deleted, but the session stays valid on the server until it expires.'
    warnUser('session_not_ended', message, options)
  }
}
