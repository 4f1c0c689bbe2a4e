// Which Host headers are served. A page of any site can make a browser send requests to a name that
// the site has pointed at 127.0.0.1 (DNS rebinding), and the browser takes the responses for the
// site's own. Such a request names the site in its Host header. So a server that only this machine
// can reach serves only this machine's names, the public URL's, and those the operator lists.

import { isLoopbackName } from '../primitives/web-address.ts'

export interface HostSettings {
  /** Where Florin listens. */
  host: string
  public_url: string
  allowed_hosts: string[]
}

/** Any host is served where others can reach the server: containers and networks name it freely. */
export function hostCheck({ host, public_url, allowed_hosts }: HostSettings) {
  if (!isLoopbackName(host)) return () => true
  const names = new Set([new URL(public_url).hostname, ...allowed_hosts])
  let last_served: string | undefined
  return (sent: string | undefined): boolean => {
    // HTTP/1.0 needs no Host header, and no browser speaks it.
    if (sent === undefined || sent === last_served) return true
    const name = nameIn(sent)
    if (name === undefined || !(names.has(name) || isLoopbackName(name))) return false
    last_served = sent
    return true
  }
}

/** The name in a Host header, in lower case and without the port. */
export function nameIn(host: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}
