// A URL as it is given for an endpoint: what can be refused without asking DNS is refused at once,
// with what to send instead. The rest is decided when a connection is made: see sending/post.ts.

import { isIP } from 'node:net'
import { Refusal } from '../primitives/refusal.ts'
import type { AddressPolicy } from './address-policy.ts'

export const url_length_max = 2_048

/** The URL as a browser would read it: decimal, octal and short addresses are written out. */
export function requireWebhookUrl(text: string, open: AddressPolicy): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:\/\//i.test(text)) {
    throw refuse('must be an https URL, such as https://example.com/webhooks')
  }
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user or password')
  if (url.hash !== '' || text.includes('#')) throw refuse('must not hold a fragment')
  requireHost(hostOf(url), open)
  if (url.protocol !== 'https:' && !mayBeClear(hostOf(url), open)) {
    throw refuse('must begin with https: events must not travel in the clear')
  }
  if (url.href.length > url_length_max)
    throw refuse(`must have ${url_length_max} characters or less`)
  return url.href
}

/** Without the brackets of IPv6 and the dot that ends a full name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function requireHost(host: string, open: AddressPolicy): void {
  if (isIP(host) !== 0) {
    if (!open.isReachable(host)) throw refuse('must not name a private or reserved address')
    return
  }
  if (isLocalhost(host)) {
    if (!open.loopback && !open.has_networks) throw refuse('must not name this machine')
    return
  }
  // These never name a host of the public internet; an operator may have opened theirs.
  if (!isPublicName(host) && !open.has_networks) throw refuse('must name a public host')
}

function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

const private_ends = /\.(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/

function isPublicName(host: string): boolean {
  return host.includes('.') && !private_ends.test(host) && !host.includes('..')
}

// Which address a name has is known at the connection, where the clear is held to what is opened.
function mayBeClear(host: string, open: AddressPolicy): boolean {
  if (isIP(host) !== 0) return open.isExplicitlyAllowed(host)
  return open.has_networks || (open.loopback && isLocalhost(host))
}

function refuse(rule: string): Refusal {
  return new Refusal('invalid_request', `url ${rule}.`)
}
