// Which Host headers are accepted. With DNS rebinding, a malicious site points its own name at
// 127.0.0.1 and reads the responses as same-origin; the request still carries that name in its
// Host header. A server that listens on loopback therefore accepts only loopback names, the
// public URL's host and the hosts that the operator lists.

import { isLoopbackName } from '../server-urls.ts'

interface HostSettings {
  /** The address that Florin listens on. */
  host: string
  public_url: string
  allowed_hosts: string[]
}

/**
 * Accepts any host unless the server listens on loopback: containers and networks choose the
 * names.
 */
export function hostCheck({ host, public_url, allowed_hosts }: HostSettings) {
  if (!isLoopbackName(host)) return () => true
  const names = new Set([new URL(public_url).hostname, ...allowed_hosts])
  let last_served: string | undefined
  return (sent: string | undefined): boolean => {
    // HTTP/1.0 does not require a Host header, and browsers do not use HTTP/1.0.
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
