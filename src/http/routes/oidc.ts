// Login to the dashboard with an OpenID Connect provider. The provider redirects the browser to the
// callback, so that request comes from another site. Its response is a page that opens the
// dashboard: a redirect would continue the cross-site navigation, without the session's cookie.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { storeAsCookie } from '../../dashboard/cookie-session.ts'
import { logIn } from '../../identity/login/login.ts'
import {
  endAttempt,
  findAttempt,
  type PendingLink,
  storeAttempt,
} from '../../identity/oidc/attempts.ts'
import { linkIdentity, logInWithIdentity } from '../../identity/oidc/identity-login.ts'
import { OidcError, type OidcProvider } from '../../identity/oidc/provider.ts'
import type { IssuedTokens, Origin } from '../../identity/sessions/open-session.ts'
import {
  type LinkFaults,
  linkIdentityPage,
  loggedInPage,
  type OidcFault,
  oidcFaultPage,
} from '../../pages/oidc-pages.ts'
import { findUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { rateLimitAddress } from '../client-address.ts'
import { isCrossSite, refuseCrossSite } from '../cross-site.ts'
import { readAttemptCookie, setAttemptCookie, setCookie } from '../dashboard-edge.ts'
import { isWanted } from '../hashing-client.ts'
import { HttpFault } from '../http-fault.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { sendPage } from '../send-page.ts'

const access = { token: 'never' } as const

export const startOidcRoute = page({
  method: 'GET',
  url: '/dashboard/oidc/start',
  access,
  handler: async (request, context, reply) => {
    const oidc = requireOidc(context)
    if (isCrossSite(request)) return sendFault(context, reply, 'cross_site')
    try {
      const { url, ...checks } = await oidc.start()
      const attempt = { step: 'started', ...checks, next: readNext(request) } as const
      setAttemptCookie(reply, await storeAttempt(context.db, attempt), context.public_url)
      return reply.redirect(url, 303)
    } catch (error) {
      return sendOidcError(context, request, reply, error)
    }
  },
})

export const oidcCallbackRoute = page({
  method: 'GET',
  url: '/dashboard/oidc/callback',
  access,
  handler: async (request, context, reply) => {
    const oidc = requireOidc(context)
    const { db, public_url } = context
    const cookie = readAttemptCookie(request, public_url)
    const started = await findAttempt(db, cookie, 'started')
    const { state } = request.query as { state?: unknown }
    // A callback with another state does not end the attempt: any site can send one.
    if (started === undefined || state !== started.state || !(await endAttempt(db, cookie!))) {
      return sendFault(context, reply, 'expired')
    }
    setAttemptCookie(reply, '', public_url)
    try {
      const query = request.originalUrl.slice(request.originalUrl.indexOf('?'))
      const identity = await oidc.finish(query, started)
      const login = await logInWithIdentity(db, identity, originOf(request, reply))
      if ('refused' in login) return sendFault(context, reply, login.refused)
      if ('tokens' in login) return sendLogin(context, reply, login.tokens, started.next)
      const pending = { step: 'link', ...login.link, next: started.next } as const
      setAttemptCookie(reply, await storeAttempt(db, pending), public_url)
      return reply.redirect(link_path, 303)
    } catch (error) {
      return sendOidcError(context, request, reply, error)
    }
  },
})

const link_path = '/dashboard/oidc/link'

export const linkIdentityPageRoute = page({
  method: 'GET',
  url: link_path,
  access,
  handler: async (request, context, reply) => {
    const oidc = requireOidc(context)
    const cookie = readAttemptCookie(request, context.public_url)
    const link = await findAttempt(context.db, cookie, 'link')
    if (link === undefined) return sendFault(context, reply, 'expired')
    return sendLinkForm(context, reply, oidc, link)
  },
})

export const linkIdentityRoute = page({
  method: 'POST',
  url: link_path,
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
  beforeBody: refuseCrossSite,
  handler: async (request, context, reply) => {
    const oidc = requireOidc(context)
    const { db, public_url } = context
    const cookie = readAttemptCookie(request, public_url)
    const link = await findAttempt(db, cookie, 'link')
    if (link === undefined) return sendFault(context, reply, 'expired')
    try {
      const tokens = await logInToLink(context, request, reply, link)
      await endAttempt(db, cookie!)
      setAttemptCookie(reply, '', public_url)
      return await sendLogin(context, reply, tokens, link.next)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'conflict') return sendFault(context, reply, 'conflict')
      const faults = faultsOf(error)
      if (faults !== undefined) return sendLinkForm(context, reply, oidc, link, faults)
      if (error.code === 'unauthorized') return sendFault(context, reply, 'inactive')
      throw error
    }
  },
})

export const oidcRoutes = [startOidcRoute, oidcCallbackRoute, linkIdentityPageRoute]
export const oidcFormRoutes = [linkIdentityRoute]

/** Logs in with the password, like the login page, and links the identity to that user. */
async function logInToLink(
  { db, secret_keys }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  link: PendingLink,
): Promise<IssuedTokens> {
  const code = readField(request, 'code').trim()
  const credentials = {
    email: link.email,
    password: readField(request, 'password'),
    ...(code !== '' && { code }),
  }
  const login = await logIn(db, secret_keys, credentials, originOf(request, reply))
  await linkIdentity(db, request.id, link, findUuid('user', login.user.id)!)
  return login
}

// A repeated field is parsed as an array, which no browser sends: treat it as missing.
function readField(request: FastifyRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

function requireOidc({ oidc }: RouteContext): OidcProvider {
  if (oidc !== undefined) return oidc
  throw new HttpFault(404, 'This server has no OpenID Connect provider. Log in at /dashboard.')
}

function originOf(request: FastifyRequest, reply: FastifyReply): Origin {
  return {
    address: rateLimitAddress(request.ip),
    user_agent: request.headers['user-agent'],
    isWanted: () => isWanted(request, reply),
  }
}

// Always a path inside the dashboard, so it cannot lead to another site.
function readNext(request: FastifyRequest): string {
  const { next } = request.query as { next?: unknown }
  return typeof next === 'string' && /^\/[\w\-/?=&%.]{0,500}$/.test(next) ? next : ''
}

async function sendLogin(
  { db, public_url, sandbox }: RouteContext,
  reply: FastifyReply,
  tokens: IssuedTokens,
  next: string,
): Promise<FastifyReply> {
  setCookie(reply, await storeAsCookie(db, tokens), public_url)
  const url = `/dashboard${next}`
  reply.header('refresh', `0; url=${url}`)
  return sendPage(reply, 200, loggedInPage(sandbox, url))
}

function sendLinkForm(
  { sandbox }: RouteContext,
  reply: FastifyReply,
  { name }: OidcProvider,
  { email }: PendingLink,
  faults: LinkFaults = {},
): FastifyReply {
  const has_faults = Object.keys(faults).length > 0
  const options = { sandbox, provider: name, email, faults }
  return sendPage(reply, has_faults ? 401 : 200, linkIdentityPage(options))
}

/** The errors of the form's fields; undefined if the error is not about a field. */
function faultsOf({ code, message, details }: Refusal): LinkFaults | undefined {
  if (code === 'invalid_credentials') return { password: 'This password is incorrect.' }
  if (code === 'rate_limited') return { password: message }
  if (details.needs_login === undefined) return undefined
  return {
    code:
      'Enter the password again, and the next code of your authenticator app or an unused ' +
      'recovery code.',
  }
}

function sendFault(context: RouteContext, reply: FastifyReply, fault: OidcFault): FastifyReply {
  const { sandbox } = context
  const shown = oidcFaultPage({ sandbox, provider: requireOidc(context).name }, fault)
  return sendPage(reply, shown.status, shown.page)
}

function sendOidcError(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  if (!(error instanceof OidcError)) throw error
  request.log.warn({ err: error, failure: error.failure }, 'login with the provider failed')
  return sendFault(context, reply, error.failure)
}
