// The only reader of process.env. Settings are read and validated once, at startup, and all errors
// are reported together.

import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type OidcSettings, readOidcSettings } from './oidc-settings.ts'
import { type Mailbox, parseMailbox } from './primitives/email-address.ts'
import { password_length_max, passwordLength } from './primitives/secrets.ts'
import { isPlainText, nearestName } from './primitives/text.ts'
import { type ProcessorSettings, readProcessorSettings } from './processor-settings.ts'
import { readSecretFiles, secretNames } from './secret-files.ts'
import {
  defaultPublicUrl,
  isNetwork,
  type MailServer,
  parseDatabaseUrl,
  parseMailServer,
  parseWebAddress,
} from './server-urls.ts'
import { readTraceSettings, type TraceSettings } from './trace-settings.ts'

export interface Config extends ProcessorSettings, TraceSettings {
  mode: 'sandbox' | 'live'
  database_url: string | undefined
  data_path: string
  host: string
  /** Whether HOST is set, or `host` is the default. */
  has_explicit_host: boolean
  port: number
  /** Without a trailing slash. */
  public_url: string
  admin: { email: string; password: string } | undefined
  signup: 'open' | 'closed'
  settle_after_s: number
  payment_instructions: string | undefined
  /** If undefined, emails are stored and not sent. */
  smtp: { server: MailServer; from: Mailbox } | undefined
  /** Distinct addresses that one account may send email to per day. */
  email_recipients: number
  /** Requests per second for one credential or IP address; undefined means no limit. */
  rate_limit: number | undefined
  password_min: number
  /** Encrypt the secrets of second factors; the newest first. Without one, some are unavailable. */
  secret_keys: Buffer[]
  trust_proxy: number | string[] | undefined
  tls: { cert_path: string; key_path: string } | undefined
  /** If undefined, users log in with their password only. */
  oidc: OidcSettings | undefined
  webhook_allow: string[]
  /** Accepted besides loopback names and the host of the public URL, if `host` is loopback. */
  allowed_hosts: string[]
  log_level: LogLevel
  /** Set by systemd for a unit with Type=notify. */
  notify_socket: string | undefined
}

export type LogLevel = (typeof logLevels)[number]
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

export const settingNames = [
  'FLORIN_MODE',
  'FLORIN_DATA',
  'FLORIN_PUBLIC_URL',
  'FLORIN_ADMIN_EMAIL',
  'FLORIN_ADMIN_PASSWORD',
  'FLORIN_SIGNUP',
  'FLORIN_PROCESSOR',
  'FLORIN_STRIPE_SECRET_KEY',
  'FLORIN_STRIPE_WEBHOOK_SECRET',
  'FLORIN_STRIPE_API_URL',
  'FLORIN_MOLLIE_API_KEY',
  'FLORIN_MOLLIE_ACCESS_TOKEN',
  'FLORIN_MOLLIE_API_URL',
  'FLORIN_BANK_IBAN',
  'FLORIN_BANK_NAME',
  'FLORIN_BANK_BIC',
  'FLORIN_LATE_PAYMENTS',
  'FLORIN_SETTLE_AFTER',
  'FLORIN_PAYMENT_INSTRUCTIONS',
  'FLORIN_SMTP_URL',
  'FLORIN_EMAIL_FROM',
  'FLORIN_EMAIL_RECIPIENTS',
  'FLORIN_RATE_LIMIT',
  'FLORIN_PASSWORD_MIN',
  'FLORIN_SECRET_KEY',
  'FLORIN_TRUST_PROXY',
  'FLORIN_TLS_CERT',
  'FLORIN_TLS_KEY',
  'FLORIN_OIDC_ISSUER',
  'FLORIN_OIDC_CLIENT_ID',
  'FLORIN_OIDC_CLIENT_SECRET',
  'FLORIN_OIDC_NAME',
  'FLORIN_WEBHOOK_ALLOW',
  'FLORIN_ALLOWED_HOSTS',
  'FLORIN_LOG',
] as const

/** Read by the commands that call a server. The server does not use them. */
const clientSettingNames = ['FLORIN_SERVER', 'FLORIN_API_KEY'] as const
const clientSecretNames = ['FLORIN_API_KEY'] as const

type Env = Record<string, string | undefined>

export function readConfig(env: Env = process.env): Config {
  const read = new Reader(env, secretNames)
  const mode = read.oneOf('FLORIN_MODE', ['sandbox', 'live'], 'sandbox')
  const host = read.text('HOST') ?? '127.0.0.1'
  const port = read.integer('PORT', 4000, 0, 65_535)
  const tls = read.pair('FLORIN_TLS_CERT', 'FLORIN_TLS_KEY')
  const admin = read.admin('FLORIN_ADMIN_EMAIL', 'FLORIN_ADMIN_PASSWORD')
  const configured_url = read.publicUrl('FLORIN_PUBLIC_URL')
  const config: Config = {
    mode,
    database_url: read.databaseUrl('DATABASE_URL'),
    data_path: resolve(read.text('FLORIN_DATA') ?? '.florin'),
    host,
    has_explicit_host: read.text('HOST') !== undefined,
    port,
    public_url: configured_url ?? defaultPublicUrl(host, port, tls !== undefined),
    admin,
    signup: read.oneOf('FLORIN_SIGNUP', ['open', 'closed'], mode === 'live' ? 'closed' : 'open'),
    ...readProcessorSettings(read, mode),
    settle_after_s: read.integer('FLORIN_SETTLE_AFTER', 30, 0, 31_536_000),
    payment_instructions: read.text('FLORIN_PAYMENT_INSTRUCTIONS'),
    smtp: read.smtp('FLORIN_SMTP_URL', 'FLORIN_EMAIL_FROM'),
    email_recipients: read.integer('FLORIN_EMAIL_RECIPIENTS', 10_000, 1, 100_000_000),
    rate_limit: read.rateLimit('FLORIN_RATE_LIMIT', 100),
    password_min: read.integer(
      'FLORIN_PASSWORD_MIN',
      mode === 'live' ? 15 : 8,
      8,
      password_length_max,
    ),
    secret_keys: read.secretKeys('FLORIN_SECRET_KEY'),
    trust_proxy: read.trustProxy('FLORIN_TRUST_PROXY'),
    tls: tls && { cert_path: tls[0], key_path: tls[1] },
    oidc: readOidcSettings(read, mode),
    webhook_allow: read.networks('FLORIN_WEBHOOK_ALLOW'),
    allowed_hosts: read.hosts('FLORIN_ALLOWED_HOSTS'),
    log_level: read.oneOf('FLORIN_LOG', logLevels, 'info'),
    notify_socket: read.text('NOTIFY_SOCKET'),
    ...readTraceSettings(read),
  }
  const faults = [...read.faults, ...liveFaults(config, configured_url)]
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

/**
 * The environment of the worker that a server starts. With PORT=0 only the server knows its URL,
 * and the worker puts it into emails and events.
 */
export function workerEnv({ public_url }: Config, env: Env = process.env): Env {
  return { ...env, FLORIN_PUBLIC_URL: public_url }
}

/** Whether the URL depends on the port that the server will get. */
export function isAddressUnknown({ port, public_url }: Config): boolean {
  return port === 0 && public_url.endsWith(':0')
}

export const unknown_address =
  'With PORT=0 only the server knows its URL. ' +
  'Set FLORIN_PUBLIC_URL to the URL that "florin start" printed.'

/** A warning for each unknown FLORIN_ variable, which is most likely a typo. */
export function unknownSettings(env: Env = process.env): string[] {
  const files = [...secretNames, ...clientSecretNames].map((name) => `${name}_FILE`)
  const known: readonly string[] = [...settingNames, ...clientSettingNames, ...files]
  return Object.keys(env)
    .filter((name) => name.startsWith('FLORIN_') && !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known)
      const hint = nearest ? ` Did you mean ${nearest}?` : ''
      return `${name} is not a Florin setting and is ignored.${hint}`
    })
}

/** For commands that call a server, possibly on another machine. */
export interface ClientSettings {
  /** The folder of stored logins. */
  config_path: string
  /** From FLORIN_SERVER. */
  server_url: string | undefined
  /** The URL of a local server with these settings. */
  local_url: string
  api_key: string | undefined
}

export function readClientSettings(env: Env = process.env): ClientSettings {
  const read = new Reader(env, clientSecretNames)
  const host = read.text('HOST') ?? '127.0.0.1'
  const port = read.integer('PORT', 4000, 0, 65_535)
  const tls = read.text('FLORIN_TLS_CERT') !== undefined
  const base = read.text('XDG_CONFIG_HOME') ?? join(read.text('HOME') ?? homedir(), '.config')
  const settings = {
    config_path: join(resolve(base), 'florin'),
    server_url: read.publicUrl('FLORIN_SERVER'),
    local_url: defaultPublicUrl(host, port, tls),
    api_key: read.text('FLORIN_API_KEY'),
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return settings
}

// Live mode moves real money, so it requires an external database and https. The public URL must be
// set explicitly: the default has the local host name, which would be in every emailed link.
function liveFaults(config: Config, configured_url: string | undefined): string[] {
  if (config.mode !== 'live') return []
  const faults: string[] = []
  if (config.database_url === undefined) {
    faults.push(
      'FLORIN_MODE=live requires DATABASE_URL: set it to your PostgreSQL server, 15 or newer.',
    )
  }
  if (!configured_url?.startsWith('https://')) {
    faults.push(
      'FLORIN_MODE=live requires FLORIN_PUBLIC_URL: set it to the https URL that customers open.',
    )
  }
  if (config.signup === 'open' && config.smtp === undefined) {
    faults.push(
      'FLORIN_SIGNUP=open requires FLORIN_SMTP_URL in live mode: new users confirm their email ' +
        'address with a link. Set it, or set FLORIN_SIGNUP to "closed".',
    )
  }
  if (config.processors.includes('sandbox')) {
    faults.push(
      'FLORIN_MODE=live requires a live processor: set FLORIN_PROCESSOR to "stripe", ' +
        '"mollie", "bank_transfer", "manual" or a list of them. "sandbox" does not move money.',
    )
  }
  return faults
}

class Reader {
  readonly faults: string[]
  readonly #env: Env

  constructor(env: Env, secret_names: readonly string[]) {
    const { values, faults } = readSecretFiles(env, secret_names)
    this.#env = { ...env, ...values }
    this.faults = faults
  }

  // An empty value counts as unset: compose files and shells pass `NAME=` for unset variables.
  text(name: string): string | undefined {
    const value = this.#env[name]
    return value === undefined || value.trim() === '' ? undefined : value
  }

  oneOf<const Value extends string>(
    name: string,
    values: readonly Value[],
    fallback: Value,
  ): Value {
    const text = this.text(name)
    if (text === undefined) return fallback
    const found = values.find((value) => value === text)
    const allowed = values.map((value) => `"${value}"`).join(' or ')
    if (found === undefined) this.#fault(name, `must be ${allowed}`, text)
    return found ?? fallback
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    this.#fault(name, `must be a whole number from ${least} to ${most}`, text)
    return fallback
  }

  rateLimit(name: string, fallback: number): number | undefined {
    return this.text(name) === 'off' ? undefined : this.integer(name, fallback, 1, 1_000_000)
  }

  pair(first: string, second: string): [string, string] | undefined {
    const values = [this.text(first), this.text(second)]
    if (values[0] !== undefined && values[1] !== undefined) return [values[0], values[1]]
    if (values[0] !== undefined) this.faults.push(`${second} must be set if ${first} is set.`)
    if (values[1] !== undefined) this.faults.push(`${first} must be set if ${second} is set.`)
    return undefined
  }

  // Rejects a password that login would reject, such as one with the carriage return of a Windows
  // file: that admin could never log in. The password is never echoed.
  admin(email_name: string, password_name: string): Config['admin'] {
    const both = this.pair(email_name, password_name)
    if (both === undefined) return undefined
    const [email, password] = both
    const fits = passwordLength(password) <= password_length_max
    if (isPlainText(password) && fits) return { email, password }
    this.faults.push(
      `${password_name} must be one line of at most ${password_length_max} characters.`,
    )
    return undefined
  }

  // The URL is never echoed, because it contains a password.
  databaseUrl(name: string): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const parsed = parseDatabaseUrl(text)
    if (!('rule' in parsed)) return text
    this.faults.push(`${name} ${parsed.rule}.`)
    return undefined
  }

  // The SMTP URL is never echoed, because it contains a password.
  smtp(url_name: string, from_name: string): Config['smtp'] {
    const url = this.text(url_name)
    const sender = this.text(from_name)
    const server = url === undefined ? undefined : parseMailServer(url)
    const from = sender === undefined ? undefined : parseMailbox(sender)
    if (url !== undefined && server === undefined) {
      this.faults.push(
        `${url_name} must look like smtp://user:password@mail.example.com:587, or smtps:// for ` +
          'TLS from the first byte.',
      )
    }
    if (sender !== undefined && from === undefined) {
      this.#fault(from_name, 'must be a sender such as Acme Payments <pay@example.com>', sender)
    }
    if (url !== undefined && sender === undefined) {
      this.faults.push(
        `${from_name} must be set if ${url_name} is set: it is the sender of all emails.`,
      )
    }
    return server && from && { server, from }
  }

  publicUrl(name: string): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const address = parseWebAddress(text)
    if ('url' in address) return address.url
    // The text before an @ may be a password, which is never echoed.
    if (text.includes('@')) this.faults.push(`${name} ${address.rule}.`)
    else this.#fault(name, address.rule, text)
    return undefined
  }

  trustProxy(name: string): number | string[] | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    return /^\d{1,2}$/.test(text) ? Number(text) : this.networks(name)
  }

  // Keys are never echoed.
  secretKeys(name: string): Buffer[] {
    const parts = this.list(name)
    const keys = parts.map((part) => Buffer.from(part, 'base64'))
    const fits = parts.every((part, at) => /^[\w+/-]+=?$/.test(part) && keys[at]!.length === 32)
    if (fits) return keys
    this.faults.push(
      `${name} must be 32 random bytes in base64, such as the output of ` +
        '"openssl rand -base64 32". To replace a key, put the new one in front of it, with a ' +
        'comma.',
    )
    return []
  }

  hosts(name: string): string[] {
    return this.list(name).map((part) => {
      const host = isIP(part) === 6 ? `[${part}]` : part.toLowerCase()
      if (!host.includes('*') && URL.parse(`http://${host}`)?.hostname === host) return host
      this.#fault(name, 'must list host names such as pay.internal, without a port', part)
      return part
    })
  }

  list(name: string): string[] {
    return (this.text(name) ?? '').split(',').flatMap((part) => part.trim() || [])
  }

  networks(name: string): string[] {
    const parts = this.list(name)
    for (const part of parts) {
      if (!isNetwork(part)) this.#fault(name, 'must list networks such as 10.0.0.0/8, ::1', part)
    }
    return parts
  }

  #fault(name: string, rule: string, text: string): void {
    this.faults.push(`${name} ${rule}; got ${JSON.stringify(text)}.`)
  }
}
