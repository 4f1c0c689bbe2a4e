// DATABASE_URL, which may list several hosts as libpq does. Neither URL nor node-postgres can read
// such a list, so it becomes one URL for each host.

export const session_targets = ['any', 'read-write', 'primary'] as const

/** Which servers will do: any that answers, one that accepts writes, one that is not a standby. */
export type SessionTarget = (typeof session_targets)[number]

export interface DatabaseHosts {
  /** One URL for each host, in the order in which they are tried. */
  urls: string[]
  target: SessionTarget
}

/** The rule that was broken follows the name of the setting. The text itself holds a password. */
export type ParsedDatabaseUrl = DatabaseHosts | { rule: string }

const shape = 'must look like postgres://user:password@host:5432/database'

// The user may hold an @ only as %40, so the last one before the path ends it.
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

export function parseDatabaseUrl(text: string): ParsedDatabaseUrl {
  const found = parts.exec(text)
  if (found === null) return { rule: shape }
  const [, start, list, rest] = found as unknown as [string, string, string, string]
  const hosts = list.split(',')
  if (hosts.length > 1 && hosts.includes('')) return { rule: 'lists an empty host name' }
  const urls = hosts.map((host) => URL.parse(`${start}${host}${rest}`))
  if (!urls.every((url) => url !== null)) return { rule: shape }
  if (urls[0]!.searchParams.get('host')?.includes(',')) {
    return { rule: 'must list several hosts before the path: postgres://user@one:5432,two:5432/…' }
  }
  const target = urls[0]!.searchParams.get('target_session_attrs') ?? 'any'
  const known = session_targets.find((one) => one === target)
  if (known === undefined) {
    const list_of = session_targets.map((one) => `"${one}"`).join(', ')
    return { rule: `must have target_session_attrs as one of ${list_of}; got "${target}"` }
  }
  // One host without the parameter stays as it was written.
  if (urls.length === 1 && !urls[0]!.searchParams.has('target_session_attrs')) {
    return { urls: [text], target: known }
  }
  for (const url of urls) url.searchParams.delete('target_session_attrs')
  return { urls: urls.map((url) => url.href), target: known }
}
