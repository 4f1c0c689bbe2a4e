// Checks of florin doctor for the public URL and the TLS certificate.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Config } from '../../config.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export function checkPublicUrl({ public_url, host, mode }: Config): Finding {
  const { protocol, hostname } = new URL(public_url)
  const local = isLoopback(hostname)
  // Live customers are on other machines, even if Florin listens on loopback behind a proxy.
  if (local && (mode === 'live' || !isLoopback(host))) {
    const advice = 'Set FLORIN_PUBLIC_URL to the URL that clients use.'
    return warn('Public URL', `${public_url} works only on this machine. ${advice}`)
  }
  if (!local && protocol === 'http:') {
    const advice = 'Enable TLS and set FLORIN_PUBLIC_URL to the https URL.'
    return warn('Public URL', `${public_url} sends passwords and tokens unencrypted. ${advice}`)
  }
  return ok('Public URL', public_url)
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost')
  return loopback.check(name, isIP(name) === 6 ? 'ipv6' : 'ipv4')
}

// Renewing a certificate can take days.
const notice_ms = 14 * 86_400_000

export function checkTls({ tls }: Config): Finding[] {
  if (tls === undefined) return []
  try {
    const cert = readFileSync(tls.cert_path)
    createSecureContext({ cert, key: readFileSync(tls.key_path) })
    const { validToDate } = new X509Certificate(cert)
    const until = validToDate.toISOString().slice(0, 10)
    const left_ms = validToDate.getTime() - Date.now()
    if (left_ms < 0) return [fail('TLS', `The certificate expired on ${until}. Renew it.`)]
    if (left_ms < notice_ms) return [warn('TLS', `The certificate expires on ${until}. Renew it.`)]
    return [ok('TLS', `the certificate is valid until ${until}`)]
  } catch (error) {
    const advice = 'Check FLORIN_TLS_CERT and FLORIN_TLS_KEY.'
    return [
      fail('TLS', `Cannot load the certificate and key: ${(error as Error).message}. ${advice}`),
    ]
  }
}
