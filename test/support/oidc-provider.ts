// A real OpenID Connect provider on loopback. Its login page is skipped: each authorization request
// logs in the person that the test has chosen.

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Provider } from 'oidc-provider'
import { findFreePort } from './free-port.ts'
import { newPassword } from './secrets.ts'

interface ProviderPerson {
  sub: string
  email?: string
  email_verified?: boolean
}

interface TestProvider {
  issuer: string
  client_id: string
  client_secret: string
  /** The person who logs in next. `cancels` presses Cancel instead. */
  person: ProviderPerson | 'cancels'
  /** Whether ID tokens get a signature of another key. */
  is_forged: boolean
  /** Follows the redirects of a browser, from the authorization URL to Florin's callback. */
  visit(authorization_url: string): Promise<string>
  stop(): Promise<void>
  resume(): Promise<void>
}

const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

export async function startOidcProvider(
  redirect_uri: string,
  host = '127.0.0.1',
): Promise<TestProvider> {
  const port = await findFreePort()
  const issuer = `http://${host}:${port}`
  const [client_id, client_secret] = ['florin', newPassword()]
  const known = new Map<string, ProviderPerson>()
  const provider = new Provider(issuer, {
    clients: [{ client_id, client_secret, redirect_uris: [redirect_uri] }],
    jwks: { keys: [{ ...jwk, use: 'sig', kid: 'test' }] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ ...(known.get(sub) ?? { sub }) }),
    }),
    // Consent is given, as by an administrator of the organization.
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client!.clientId,
        accountId: context.oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
  })
  const it: TestProvider = {
    issuer,
    client_id,
    client_secret,
    person: 'cancels',
    is_forged: false,
    visit: (authorization_url) => visit(authorization_url, redirect_uri),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    resume: async () => {
      server.listen(port, host)
      await once(server, 'listening')
    },
  }
  const handle = provider.callback()
  const server = createServer((request, response) => {
    if (it.is_forged && request.url === '/token') forgeSignature(response)
    if (!request.url!.startsWith('/interaction/')) return handle(request, response)
    return finishLogin(provider, it, known, request, response)
  })
  await it.resume()
  after(() => {
    if ((server.address() as AddressInfo | null) === null) return undefined
    return it.stop()
  })
  return it
}

function forgeSignature(response: ServerResponse): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse
  response.end = (body?: unknown) =>
    end(String(body).replace(/(?<="id_token":"[\w-]+\.[\w-]+\.)[\w-]{8}/, 'forgedAA'))
}

async function finishLogin(
  provider: Provider,
  { person }: TestProvider,
  known: Map<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (person === 'cancels') {
    const error = { error: 'access_denied', error_description: 'The user canceled.' }
    return provider.interactionFinished(request, response, error)
  }
  known.set(person.sub, person)
  await provider.interactionFinished(request, response, { login: { accountId: person.sub } })
}

async function visit(authorization_url: string, redirect_uri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = authorization_url
  for (let redirects_left = 10; redirects_left > 0; redirects_left--) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(location, url).href
    if (url.startsWith(redirect_uri)) return url
  }
  throw new Error('the provider redirects in circles')
}
