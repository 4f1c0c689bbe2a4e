// The OpenID Connect provider: authorization code flow with PKCE, state and nonce. openid-client
// checks the issuer, signature, audience, expiry and nonce of each ID token.

import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client'
import type { OidcSettings } from '../../oidc-settings.ts'
import type { StartedLogin } from './attempts.ts'

/** A person as the provider identifies them. */
export interface ProviderIdentity {
  issuer: string
  subject: string
  email: string | undefined
  email_verified: boolean
}

/** denied: the person canceled. unreachable: no usable response. invalid: a check failed. */
type OidcFailure = 'denied' | 'unreachable' | 'invalid'

export class OidcError extends Error {
  readonly failure: OidcFailure

  constructor(failure: OidcFailure, cause: unknown) {
    super(`OpenID Connect: ${failure}`, { cause })
    this.name = 'OidcError'
    this.failure = failure
  }
}

const timeout_s = 10
// Long enough to cost nothing, and short enough that a moved endpoint is found without a restart.
const discovery_lifetime_ms = 3_600_000

export class OidcProvider {
  readonly name: string
  readonly #settings: OidcSettings
  readonly #redirect_uri: string
  #found: { configuration: Configuration; expires_at: number } | undefined

  constructor(settings: OidcSettings, public_url: string) {
    this.name = settings.name
    this.#settings = settings
    this.#redirect_uri = `${public_url}/dashboard/oidc/callback`
  }

  /** The URL of the provider's login page, and what to remember until the browser returns. */
  async start(): Promise<
    { url: string } & Pick<StartedLogin, 'state' | 'nonce' | 'code_verifier'>
  > {
    const configuration = await this.discover()
    const [state, nonce, code_verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirect_uri,
      scope: 'openid email',
      code_challenge: await calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    return { url: url.href, state, nonce, code_verifier }
  }

  /** Exchanges the code in the query of the callback, which starts with a question mark. */
  async finish(query: string, started: StartedLogin): Promise<ProviderIdentity> {
    const configuration = await this.discover()
    try {
      const tokens = await authorizationCodeGrant(
        configuration,
        new URL(`${this.#redirect_uri}${query}`),
        {
          pkceCodeVerifier: started.code_verifier,
          expectedState: started.state,
          expectedNonce: started.nonce,
          idTokenExpected: true,
        },
      )
      return await identityOf(configuration, tokens)
    } catch (error) {
      throw new OidcError(failureOf(error), error)
    }
  }

  async discover(): Promise<Configuration> {
    if (this.#found !== undefined && this.#found.expires_at > Date.now()) {
      return this.#found.configuration
    }
    try {
      const configuration = await discover(this.#settings)
      this.#found = { configuration, expires_at: Date.now() + discovery_lifetime_ms }
      return configuration
    } catch (error) {
      throw new OidcError('unreachable', error)
    }
  }
}

async function discover({ issuer, client_id, client_secret }: OidcSettings) {
  // The settings accept http only for a provider on this machine.
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  const found = await discovery(new URL(issuer), client_id, undefined, undefined, {
    execute,
    timeout: timeout_s,
  })
  const metadata = found.serverMetadata()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authenticate = methods.includes('client_secret_basic')
    ? ClientSecretBasic(client_secret)
    : ClientSecretPost(client_secret)
  const configuration = new Configuration(metadata, client_id, undefined, authenticate)
  configuration.timeout = timeout_s
  // Without it, openid-client relies on TLS and does not verify the signature of an ID token.
  enableNonRepudiationChecks(configuration)
  for (const apply of execute) apply(configuration)
  return configuration
}

// Many providers have the email in the user info only.
async function identityOf(
  configuration: Configuration,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
): Promise<ProviderIdentity> {
  const { iss, sub, ...claims } = tokens.claims()!
  const has_user_info = configuration.serverMetadata().userinfo_endpoint !== undefined
  const found =
    claims.email === undefined && has_user_info
      ? await fetchUserInfo(configuration, tokens.access_token, sub)
      : claims
  const { email, email_verified } = found
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? email : undefined,
    // Only the boolean counts: a string may be "false".
    email_verified: email_verified === true,
  }
}

function failureOf(error: unknown): OidcFailure {
  if (error instanceof AuthorizationResponseError) {
    return error.error === 'access_denied' ? 'denied' : 'invalid'
  }
  const { code, status, cause } = error as { code?: string; status?: number; cause?: unknown }
  const response_status = cause instanceof Response ? cause.status : status
  const is_outage =
    error instanceof TypeError || code === 'OAUTH_TIMEOUT' || (response_status ?? 0) >= 500
  return is_outage ? 'unreachable' : 'invalid'
}
