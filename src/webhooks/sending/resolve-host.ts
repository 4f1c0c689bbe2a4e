// The addresses of a name. Not by the system's resolver first: it holds one of four threads for as
// long as a dead name server takes, and four dead names would delay every other endpoint.

import { promises as dns } from 'node:dns'

export type ResolveHost = (hostname: string) => Promise<string[]>

const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })

export async function resolveHost(hostname: string): Promise<string[]> {
  // RFC 6761: this name never leaves the machine.
  if (/^(.+\.)?localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1']
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length > 0) return addresses
  const failure = found[0].status === 'rejected' ? found[0].reason : undefined
  // Names of the machine's own hosts file are known to the system's resolver alone. One that was
  // slow to answer is not asked about again.
  if (failure?.code === 'ETIMEOUT') throw failure
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address)
}
