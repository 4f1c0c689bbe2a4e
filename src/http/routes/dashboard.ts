// The dashboard: its built files and its session. Everything else that the page does is an API
// call, see ../dashboard-edge.ts.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  type BuiltFile,
  builtFiles,
  dashboardPolicy,
  isCompressible,
} from '../../dashboard/built-files.ts'
import {
  deleteCookieSession,
  findAccessToken,
  openCookieSession,
} from '../../dashboard/cookie-session.ts'
import { type DashboardUser, describeCaller } from '../../dashboard/describe-caller.ts'
import type { Caller } from '../../identity/caller.ts'
import { endAllSessions } from '../../identity/login/login.ts'
import { endSession } from '../../identity/sessions/end-session.ts'
import { hasAdmin } from '../../identity/users/create-admin.ts'
import { preferredLanguage } from '../../translations/localization.ts'
import { rateLimitAddress } from '../client-address.ts'
import { clearCookie, readCookie, requireSameOrigin, setCookie } from '../dashboard-edge.ts'
import { isWanted } from '../hashing-client.ts'
import { HttpFault } from '../http-fault.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { factorCode } from '../schemas/factor.ts'
import { strictObject } from '../schemas/resources.ts'
import { sendBytes, sendDocument } from '../send-document.ts'

const file = { method: 'GET', access: { token: 'never' }, quiet: true } as const

export const dashboardPageRoute = page({
  ...file,
  url: '/dashboard',
  handler: (request, _, reply) => sendIndex(request, reply),
})

export const dashboardFileRoute = page({
  ...file,
  url: '/dashboard/*',
  handler: (request, _, reply) => {
    const { '*': name } = request.params as { '*': string }
    const found = builtFiles().get(name)
    if (found !== undefined) return sendFile(request, reply, found)
    // Pages of the dashboard have no dot in their last segment, except for the email of a customer.
    // A missing file must not get the page.
    if (/^(assets|api)(\/|$)|^[^@]*\.[a-z0-9]+$/.test(name)) {
      throw new HttpFault(404, 'The dashboard has no such file. Reload the page.')
    }
    return sendIndex(request, reply)
  },
})

export const dashboardSession = {
  url: '/dashboard/api/session',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never' },
  beforeBody: (request: FastifyRequest, { public_url }: RouteContext) =>
    requireSameOrigin(request, public_url),
} as const

export const dashboardSessionRoute = page({
  ...dashboardSession,
  method: 'GET',
  handler: (request, context, reply) => describeSession(context, request, reply),
})

export const dashboardLoginRoute = page({
  ...dashboardSession,
  method: 'POST',
  schema: {
    body: strictObject({
      email: Type.String({ format: 'line', minLength: 1, maxLength: 320 }),
      password: Type.String({ format: 'line', minLength: 1, 'x-secret': true }),
      code: Type.Optional(factorCode),
    }),
  },
  handler: async (request, { db, secret_keys, public_url }, reply) => {
    const cookie = await openCookieSession(db, secret_keys, request.body, {
      address: rateLimitAddress(request.ip),
      user_agent: request.headers['user-agent'],
      language: preferredLanguage(request.headers['accept-language']),
      isWanted: () => isWanted(request, reply),
    })
    setCookie(reply, cookie, public_url)
    return { message: 'You are logged in.' }
  },
})

export const dashboardLogoutRoute = page({
  ...dashboardSession,
  method: 'DELETE',
  body_optional: true,
  schema: { body: strictObject({ everywhere: Type.Optional(Type.Boolean()) }) },
  handler: async (request, context, reply) => {
    await logOut(context, request, request.body.everywhere === true)
    clearCookie(reply, context.public_url)
    return { message: 'You are logged out.' }
  },
})

export const dashboardRoutes = [
  dashboardPageRoute,
  dashboardFileRoute,
  dashboardSessionRoute,
  dashboardLoginRoute,
  dashboardLogoutRoute,
]

interface SessionResponse {
  user: DashboardUser | null
  has_admin: boolean
  mode: 'sandbox' | 'live'
  /** Whether anyone can create an account, at /signup. */
  signup_open: boolean
  /** Otherwise money moves by bank transfer, and the page must not mention cards. */
  takes_cards: boolean
  /** False if the public URL has an IP address: browsers then have no passkeys. */
  has_passkeys: boolean
  /** Whether a mail server is configured. */
  sends_email: boolean
  /** The minimum length of a password. */
  password_min: number
  version: string
  /** The name of the OpenID Connect provider, if there is one. */
  oidc_name: string | null
}

async function describeSession(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionResponse> {
  const caller = await findCookieCaller(context, request)
  const user = caller === undefined ? undefined : await describeCaller(context, caller)
  const has_cookie = readCookie(request, context.public_url) !== undefined
  if (user === undefined && has_cookie) clearCookie(reply, context.public_url)
  return {
    user: user ?? null,
    // Not needed for a logged-in user, and it costs a query.
    has_admin: user !== undefined || (await hasAdmin(context.db)),
    mode: context.mode,
    signup_open: context.signup_open,
    takes_cards: context.takes_cards,
    has_passkeys: context.passkey_site !== undefined,
    sends_email: context.sends_email,
    password_min: context.passwords.length_min,
    version: context.version,
    oidc_name: context.oidc?.name ?? null,
  }
}

async function logOut(
  context: RouteContext,
  request: FastifyRequest,
  everywhere: boolean,
): Promise<void> {
  const caller = await findCookieCaller(context, request)
  if (caller !== undefined && everywhere) await endAllSessions(context.db, caller)
  else if (caller !== undefined) await endSession(context.db, caller, undefined)
  const cookie = readCookie(request, context.public_url)
  if (cookie !== undefined) await deleteCookieSession(context.db, cookie)
}

export async function findCookieCaller(
  { db, findCaller, public_url }: RouteContext,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const token = await findAccessToken(db, readCookie(request, public_url))
  const found = token === undefined ? undefined : await findCaller(token)
  return found && { ...found, request_id: request.id, header_account_id: undefined }
}

function sendIndex(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const file = builtFiles().get('index.html')
  if (file === undefined) {
    throw new HttpFault(404, 'The dashboard is not built. Run: npm ci && npm run build')
  }
  return sendFile(request, reply, file)
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): Promise<FastifyReply> {
  reply.type(file.type).headers(pageHeaders).header('cache-control', cachingOf(file))
  if (!isCompressible(file)) return sendBytes(request, reply, file.bytes)
  return sendDocument(request, reply, file)
}

const pageHeaders = {
  'content-security-policy': dashboardPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}

// One year is the maximum that the HTTP standard recommends.
function cachingOf(file: BuiltFile): string {
  return file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
}
