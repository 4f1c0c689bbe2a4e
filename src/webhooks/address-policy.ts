// Which addresses a webhook may reach: the public internet, and what the operator has opened. A
// webhook is a request that strangers aim, from inside our network; it must not reach the database
// next door or the machine's metadata service. Asked when a URL is given and again, about the very
// address, when a connection is made: a name may answer otherwise the second time.

import { BlockList, isIP } from 'node:net'
import { isLoopbackName } from '../primitives/web-address.ts'

// IANA's registry of special-purpose addresses, and multicast. Private, shared, link-local (with
// every cloud's metadata service), loopback, documentation, benchmarks, relays, reserved.
const closed_v4 = [
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

// Of IPv6 only 2000::/3 is given out to the public internet, so everything else is closed without
// a list: mapped IPv4, NAT64, unique-local, link-local, multicast. Within it these are closed: IETF
// assignments with Teredo and ORCHID, documentation, 6to4, which wraps any IPv4 address.
const public_v6 = ['2000::/3']
const closed_v6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

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

const is_closed_v4 = blockList(closed_v4)
const is_closed_v6 = blockList(closed_v6)
const is_public_v6 = blockList(public_v6)
const is_loopback = blockList(loopback)

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !is_closed_v4.check(address, 'ipv4')
  // A zone (fe80::1%eth0) belongs to link-local addresses only.
  if (family !== 6 || address.includes('%')) return false
  return is_public_v6.check(address, 'ipv6') && !is_closed_v6.check(address, 'ipv6')
}

export interface AddressPolicy {
  /** Loopback, in a sandbox that only this machine can reach. */
  readonly loopback: boolean
  /** Whether the operator opened any network. */
  readonly has_networks: boolean
  /** Opened beside the public internet: only there may a webhook travel in the clear. */
  isExplicitlyAllowed(address: string): boolean
  /** Public or opened. */
  isReachable(address: string): boolean
}

export interface AddressSettings {
  mode: 'sandbox' | 'live'
  /** Where Florin listens; undefined when that is not known here. */
  host: string | undefined
  public_url: string
  trust_proxy: number | string[] | undefined
  webhook_allow: string[]
}

export function addressPolicy(settings: AddressSettings): AddressPolicy {
  const open_loopback = settings.mode === 'sandbox' && isOnlyLocal(settings)
  const allowed = blockList(settings.webhook_allow)
  const isExplicitlyAllowed = (address: string) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0 || address.includes('%')) return false
    // Node also finds a mapped IPv4 address in a list of IPv4 networks; loopback is said plainly.
    const is_mapped = address.toLowerCase().startsWith('::ffff:')
    return (
      allowed.check(address, family) ||
      (open_loopback && !is_mapped && is_loopback.check(address, family))
    )
  }
  return {
    loopback: open_loopback,
    has_networks: settings.webhook_allow.length > 0,
    isExplicitlyAllowed,
    isReachable: (address) => isPublicAddress(address) || isExplicitlyAllowed(address),
  }
}

// A caller who sits at this machine can call loopback anyway. Behind a proxy Florin listens on
// loopback too, while strangers reach it: a public URL and a trusted proxy tell of one.
function isOnlyLocal({ host, public_url, trust_proxy }: AddressSettings): boolean {
  if (host === undefined || trust_proxy !== undefined) return false
  return isLoopbackName(host) && isLoopbackName(new URL(public_url).hostname)
}
