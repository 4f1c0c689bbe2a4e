// DATABASE_URL may list several hosts, as in libpq. Neither URL nor node-postgres can parse such a
// list, so it is split into one URL per host.

export const session_targets = ['any', 'read-write', 'primary'] as const

/** Any server that responds, one that accepts writes, or one that is not a standby. */
export type SessionTarget = (typeof session_targets)[number]

export interface DatabaseHosts {
  /** One URL per host, in the order of connection attempts. */
  urls: string[]
  target: SessionTarget
}

/** `rule` follows the name of the setting. The URL is never echoed: it contains a password. */
export type ParsedDatabaseUrl = DatabaseHosts | { rule: string }

const shape = 'must look like postgres://user:password@host:5432/database'

// A user name contains @ only as %40, so the last @ before the path ends the credentials.
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

export function parseDatabaseUrl(text: string): ParsedDatabaseUrl {
  const found = parts.exec(text)
  if (found === null) return { rule: shape }
  const [, start, list, rest] = found as unknown as [string, string, string, string]
  const hosts = list.split(',')
  if (hosts.length > 1 && hosts.includes('')) return { rule: 'must not list an empty host name' }
  const urls = hosts.map((host) => URL.parse(`${start}${host}${rest}`))
  if (!urls.every((url) => url !== null)) return { rule: shape }
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
