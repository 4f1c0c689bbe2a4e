// Resolves host names without the system resolver (getaddrinfo), which blocks one of four libuv
// threads: four names with an unresponsive name server would delay every other endpoint.

import { promises as dns } from 'node:dns'
import type { AddressPolicy } from '../address-policy.ts'

export type ResolveHost = (hostname: string) => Promise<string[]>

interface ResolverOptions {
  /** Name servers. Defaults to those of the machine. */
  servers?: string[]
  /** The system resolver. */
  lookup?: ResolveHost
}

// The name does not exist or has no address. Only then can the hosts file have an entry.
const unknown_codes = new Set(['ENOTFOUND', 'ENODATA'])

export function resolverFor(
  policy: Pick<AddressPolicy, 'loopback' | 'has_networks'>,
  { servers, lookup = lookUp }: ResolverOptions = {},
): ResolveHost {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const lookupInSystem = oneAtATime(lookup)
  return async (hostname) => {
    // RFC 6761: never send this name to a name server.
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1']
    const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
    const results = await Promise.allSettled(queries)
    const addresses = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (addresses.length > 0) return addresses
    const failures = results.flatMap((one) => (one.status === 'rejected' ? one.reason : []))
    // Only the system resolver reads the hosts file, whose names matter only if the operator allows
    // private networks. A name that timed out is not resolved again.
    const is_unknown = failures.every(({ code }) => unknown_codes.has(code))
    if (is_unknown && (policy.loopback || policy.has_networks)) return lookupInSystem(hostname)
    throw failures[0]
  }
}

async function lookUp(hostname: string): Promise<string[]> {
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address)
}

// The system resolver can hang even if our queries succeed. One lookup at a time leaves the other
// threads free, for example to resolve the database host.
function oneAtATime(resolve: ResolveHost): ResolveHost {
  let last: Promise<unknown> = Promise.resolve()
  return (hostname) => {
    const lookup = last.then(() => resolve(hostname))
    last = lookup.catch(() => {})
    return lookup
  }
}
