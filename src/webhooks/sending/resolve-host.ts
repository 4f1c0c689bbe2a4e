// The addresses of a name. Not by the system's resolver first: it holds one of four threads for as
// long as a dead name server takes, and four dead names would delay every other endpoint.

import { promises as dns } from 'node:dns'
import type { AddressPolicy } from '../address-policy.ts'

export type ResolveHost = (hostname: string) => Promise<string[]>

export interface ResolverOptions {
  /** Name servers; those of the machine unless told. */
  servers?: string[]
  /** Asks the system. */
  lookup?: ResolveHost
}

// There is no such name, or it has no address: all that a hosts file can still add to.
const unknown_codes = new Set(['ENOTFOUND', 'ENODATA'])

export function resolverFor(
  open: Pick<AddressPolicy, 'loopback' | 'has_networks'>,
  { servers, lookup = lookUp }: ResolverOptions = {},
): ResolveHost {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const askSystem = oneAtATime(lookup)
  return async (hostname) => {
    // RFC 6761: this name never leaves the machine.
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1']
    const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
    const found = await Promise.allSettled(asked)
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (addresses.length > 0) return addresses
    const failures = found.flatMap((one) => (one.status === 'rejected' ? one.reason : []))
    // Names of the machine's own hosts file are known to the system's resolver alone, and are of
    // use only where the operator has opened something. One that was slow is not asked about again.
    const is_unknown = failures.every(({ code }) => unknown_codes.has(code))
    if (is_unknown && (open.loopback || open.has_networks)) return askSystem(hostname)
    throw failures[0]
  }
}

async function lookUp(hostname: string): Promise<string[]> {
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address)
}

// A name server may answer us and leave the system waiting: that takes one of the threads by which
// the database's own name is looked up, and never all of them.
function oneAtATime(resolve: ResolveHost): ResolveHost {
  let last: Promise<unknown> = Promise.resolve()
  return (hostname) => {
    const response = last.then(() => resolve(hostname))
    last = response.catch(() => {})
    return response
  }
}
