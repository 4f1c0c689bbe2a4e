// Addresses of servers that an operator configures: Florin itself, database, mail server. All
// are validated strictly at startup, so a typo fails there, not at the first use.

import { isIP } from 'node:net'
import { decodePercent } from './primitives/text.ts'

// The base URL of a server. The result is the parser's normalized form, because only that was
// checked: the parser accepts `https:pay` and `https:\\pay`, and drops a lone `?`.

/** The URL without trailing slashes, or the rule that the text violates. */
type WebAddress = { url: string } | { rule: string }

const web_rule = 'must be an http or https URL such as https://pay.example.com'

export function parseWebAddress(text: string): WebAddress {
  // The parser would silently drop white space and control characters.
  if (/[\s\p{Cc}]/u.test(text)) return { rule: `${web_rule}, without spaces` }
  // Credentials would appear in every link.
  if (/^https?:\/\/[^/?#\\]*@/i.test(text)) {
    return { rule: `${web_rule}, without a user name or password` }
  }
  const url = /^https?:\/\/[^/\\][^\\]*$/i.test(text) ? URL.parse(text) : null
  if (url === null) return { rule: web_rule }
  if (/[?#]/.test(text)) return { rule: `${web_rule}, without ? or #` }
  return { url: url.href.replace(/\/+$/, '') }
}

/** The URL of a server that listens on this address. */
export function defaultPublicUrl(host: string, port: number, tls: boolean): string {
  const wildcard = host === '0.0.0.0' || host === '::'
  const name = wildcard ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}

/** Whether a host name or address, as in HOST or in a URL, always means this machine. */
export function isLoopbackName(name: string): boolean {
  const is_bare_v6 = name.includes(':') && !name.startsWith('[')
  const host = URL.parse(`http://${is_bare_v6 ? `[${name}]` : name}`)?.hostname
  return host !== undefined && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])\.?$/.test(host)
}

/** Whether a text is an IP address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

// DATABASE_URL may list several hosts, as in libpq. Neither URL nor node-postgres can parse such a
// list, so it is split into one URL per host.

const session_targets = ['any', 'read-write', 'primary'] as const

/** Any server that responds, one that accepts writes, or one that is not a standby. */
export type SessionTarget = (typeof session_targets)[number]

interface DatabaseHosts {
  /** One URL per host, in the order of connection attempts. */
  urls: string[]
  target: SessionTarget
}

/** `rule` follows the name of the setting. The URL is never echoed: it contains a password. */
type ParsedDatabaseUrl = DatabaseHosts | { rule: string }

const database_rule = 'must look like postgres://user:password@host:5432/database'

// A user name contains @ only as %40, so the last @ before the path ends the credentials.
const databaseParts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

export function parseDatabaseUrl(text: string): ParsedDatabaseUrl {
  const found = databaseParts.exec(text)
  if (found === null) return { rule: database_rule }
  const [, start, list, rest] = found as unknown as [string, string, string, string]
  const hosts = list.split(',')
  if (hosts.length > 1 && hosts.includes('')) return { rule: 'must not list an empty host name' }
  const urls = hosts.map((host) => URL.parse(`${start}${host}${rest}`))
  if (!urls.every((url) => url !== null)) return { rule: database_rule }
  if (urls[0]!.searchParams.get('host')?.includes(',')) {
    return { rule: 'must list several hosts before the path: postgres://user@a:5432,b:5432/name' }
  }
  const target = urls[0]!.searchParams.get('target_session_attrs') ?? 'any'
  const known = session_targets.find((one) => one === target)
  if (known === undefined) {
    const allowed = session_targets.map((one) => `"${one}"`).join(', ')
    return { rule: `must have "target_session_attrs" set to one of ${allowed}; got "${target}"` }
  }
  // A single host without the parameter is used unchanged.
  if (urls.length === 1 && !urls[0]!.searchParams.has('target_session_attrs')) {
    return { urls: [text], target: known }
  }
  for (const url of urls) url.searchParams.delete('target_session_attrs')
  return { urls: urls.map((url) => url.href), target: known }
}

export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte. Otherwise STARTTLS is used if the server offers it. */
  secure: boolean
  login: { user: string; password: string } | undefined
}

// 587 is submission and 465 is submission over TLS. 25 is for transfer between servers.
const mail_ports = { 'smtp:': 587, 'smtps:': 465 }

/** smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
export function parseMailServer(text: string): MailServer | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined
  const bare = !/[?#]/.test(text) && /^\/?$/.test(url.pathname)
  if (!bare || url.hostname === '') return undefined
  const user = decodePercent(url.username)
  const password = decodePercent(url.password)
  if (user === undefined || password === undefined) return undefined
  // A password without a user name would silently not be used.
  if (user === '' && password !== '') return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? mail_ports[url.protocol] : Number(url.port),
    secure: url.protocol === 'smtps:',
    login: user === '' ? undefined : { user, password },
  }
}
