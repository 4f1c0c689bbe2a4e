// Settings of the OpenID Connect provider. All three are set, or none. The secret is never echoed.

import { isLoopbackName, parseWebAddress } from './server-urls.ts'

export interface OidcSettings {
  issuer: string
  client_id: string
  client_secret: string
  /** Shown on the login page: "Continue with …". */
  name: string
}

/** The part of config.ts that this file uses. */
interface SettingReader {
  readonly faults: string[]
  text(name: string): string | undefined
}

const names = ['FLORIN_OIDC_ISSUER', 'FLORIN_OIDC_CLIENT_ID', 'FLORIN_OIDC_CLIENT_SECRET'] as const

const name_length_max = 40

export function readOidcSettings(
  read: SettingReader,
  mode: 'sandbox' | 'live',
): OidcSettings | undefined {
  const [issuer, client_id, client_secret] = names.map((name) => read.text(name)?.trim())
  const name = read.text('FLORIN_OIDC_NAME')?.trim()
  const missing = names.filter((setting) => read.text(setting) === undefined)
  if (missing.length === names.length && name === undefined) return undefined
  for (const setting of missing) {
    read.faults.push(`${setting} must be set if another FLORIN_OIDC_ setting is set.`)
  }
  if (name !== undefined && [...name].length > name_length_max) {
    const rule = `must have at most ${name_length_max} characters`
    read.faults.push(`FLORIN_OIDC_NAME ${rule}; got ${[...name].length}.`)
  }
  const fault = issuer === undefined ? undefined : issuerFault(issuer, mode)
  if (fault !== undefined) read.faults.push(fault)
  if (!issuer || !client_id || !client_secret || fault !== undefined) return undefined
  return { issuer, client_id, client_secret, name: name ?? new URL(issuer).hostname }
}

// The text itself is used, not its normalized form: it must equal the issuer in each token.
function issuerFault(text: string, mode: 'sandbox' | 'live'): string | undefined {
  const rule = 'FLORIN_OIDC_ISSUER must be an https URL such as https://login.example.com'
  const address = parseWebAddress(text)
  // The text before an @ may be a password, which is never echoed.
  const got = text.includes('@') ? '' : `; got ${JSON.stringify(text)}`
  if ('rule' in address) return `FLORIN_OIDC_ISSUER ${address.rule}${got}.`
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return undefined
  if (mode === 'sandbox' && isLoopbackName(hostname)) return undefined
  return `${rule}. In sandbox mode http is accepted for this machine${got}.`
}
