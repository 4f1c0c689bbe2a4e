// Validates an endpoint URL as far as possible without DNS. The resolved address is checked when a
// connection is made: see sending/webhook-client.ts.

import { isIP } from 'node:net'
import { Refusal } from '../primitives/refusal.ts'
import type { AddressPolicy } from './address-policy.ts'

const url_length_max = 2_048

/** Returns the normalized URL, with decimal, octal and short IP addresses written out. */
export function requireWebhookUrl(text: string, policy: AddressPolicy): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:\/\//i.test(text)) {
    throw refuse('must be an https URL, such as https://example.com/webhooks')
  }
  if (url.username !== '' || url.password !== '')
    throw refuse('must not contain a user name or password')
  if (url.hash !== '' || text.includes('#')) throw refuse('must not contain a fragment')
  requireHost(hostOf(url), policy)
  if (url.protocol !== 'https:' && !allowsHttp(hostOf(url), policy)) {
    throw refuse('must start with https://, because events must be encrypted in transit')
  }
  if (url.href.length > url_length_max)
    throw refuse(`must have at most ${url_length_max} characters`)
  return url.href
}

/** Without IPv6 brackets and without the trailing dot of a fully qualified name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function requireHost(host: string, policy: AddressPolicy): void {
  if (isIP(host) !== 0) {
    if (!policy.isReachable(host)) throw refuse('must not use a private or reserved IP address')
    return
  }
  if (isLocalhost(host)) {
    if (!policy.loopback && !policy.has_networks) throw refuse('must not use localhost')
    return
  }
  // Such names are never public, but the operator may have allowed private networks.
  if (!isPublicName(host) && !policy.has_networks) throw refuse('must use a public host name')
}

function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

const private_suffixes = /\.(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/

function isPublicName(host: string): boolean {
  return host.includes('.') && !private_suffixes.test(host) && !host.includes('..')
}

// For names, the resolved address is checked again when the connection is made.
function allowsHttp(host: string, policy: AddressPolicy): boolean {
  if (isIP(host) !== 0) return policy.isExplicitlyAllowed(host)
  return policy.has_networks || (policy.loopback && isLocalhost(host))
}

function refuse(rule: string): Refusal {
  return new Refusal('invalid_request', `"url" ${rule}.`)
}
