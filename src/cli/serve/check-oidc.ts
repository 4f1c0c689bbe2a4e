// OpenID Connect check of florin doctor: fetches the description of the provider.

import type { Config } from '../../config.ts'
import { OidcProvider } from '../../identity/oidc/provider.ts'
import { type Finding, ok, warn } from './finding.ts'

const check = 'Login'

export async function checkOidc({ oidc, public_url }: Config): Promise<Finding> {
  if (oidc === undefined) return ok(check, 'with password; no OpenID Connect provider')
  try {
    await new OidcProvider(oidc, public_url).discover()
    return ok(check, `with password, or with ${oidc.name} through ${oidc.issuer}`)
  } catch (error) {
    // Florin runs without it: users log in with their password.
    const reason = reasonOf(error)
    const advice = 'Check FLORIN_OIDC_ISSUER. Until it works, users log in with their password.'
    return warn(check, `The provider ${oidc.issuer} is not usable: ${reason}. ${advice}`)
  }
}

/** The innermost cause: the others only state that a request failed. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? reasonOf(cause) : message || String(error)
}
