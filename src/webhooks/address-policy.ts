// SSRF protection: webhooks may reach the public internet and networks that the operator allows,
// but not internal hosts or cloud metadata services. Checked when a URL is set, and again for the
// resolved address when a connection is made, because DNS can change in between.

import { BlockList, isIP } from 'node:net'
import { isLoopbackName } from '../server-urls.ts'

// The IANA special-purpose address registry, and multicast: private, shared, link-local (including
// cloud metadata services), loopback, documentation, benchmarking, relay and reserved ranges.
const blocked_v4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

// Only 2000::/3 is public IPv6, so mapped IPv4, NAT64, unique-local, link-local and multicast are
// blocked without a list. Blocked within it: IETF assignments (Teredo, ORCHID), documentation, and
// 6to4, which can embed any IPv4 address.
const public_v6 = ['2000::/3']
const blocked_v6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const loopback = ['127.0.0.0/8', '::1/128']

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string | undefined]
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : +bits, family)
  }
  return list
}

const is_blocked_v4 = blockList(blocked_v4)
const is_blocked_v6 = blockList(blocked_v6)
const is_public_v6 = blockList(public_v6)
const is_loopback = blockList(loopback)

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !is_blocked_v4.check(address, 'ipv4')
  // Only link-local addresses have a zone (fe80::1%eth0).
  if (family !== 6 || address.includes('%')) return false
  return is_public_v6.check(address, 'ipv6') && !is_blocked_v6.check(address, 'ipv6')
}

export interface AddressPolicy {
  /** Whether loopback is allowed: in a sandbox that only this machine can reach. */
  readonly loopback: boolean
  /** Whether the operator allows any networks. */
  readonly has_networks: boolean
  /** Allowed in addition to the public internet. Only these addresses allow plain HTTP. */
  isExplicitlyAllowed(address: string): boolean
  /** Public or explicitly allowed. */
  isReachable(address: string): boolean
}

export interface AddressSettings {
  mode: 'sandbox' | 'live'
  /** The listen address; undefined if unknown in this process. */
  host: string | undefined
  public_url: string
  trust_proxy: number | string[] | undefined
  webhook_allow: string[]
}

export function addressPolicy(settings: AddressSettings): AddressPolicy {
  const allow_loopback = settings.mode === 'sandbox' && isOnlyLocal(settings)
  const allowed = blockList(settings.webhook_allow)
  const isExplicitlyAllowed = (address: string) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0 || address.includes('%')) return false
    // BlockList also matches IPv4-mapped IPv6 addresses, which do not count as loopback here.
    const is_mapped = address.toLowerCase().startsWith('::ffff:')
    return (
      allowed.check(address, family) ||
      (allow_loopback && !is_mapped && is_loopback.check(address, family))
    )
  }
  return {
    loopback: allow_loopback,
    has_networks: settings.webhook_allow.length > 0,
    isExplicitlyAllowed,
    isReachable: (address) => isPublicAddress(address) || isExplicitlyAllowed(address),
  }
}

// Local callers can reach loopback anyway. Behind a reverse proxy Florin also listens on loopback
// but is public: a public URL or a trusted proxy indicates that.
function isOnlyLocal({ host, public_url, trust_proxy }: AddressSettings): boolean {
  if (host === undefined || trust_proxy !== undefined) return false
  return isLoopbackName(host) && isLoopbackName(new URL(public_url).hostname)
}
