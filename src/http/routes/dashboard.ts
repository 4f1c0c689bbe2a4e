// The dashboard: its built files and its session. Everything else that the page does is an API
// call, see ../dashboard-edge.ts.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
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
import { endAllSessions } from '../../identity/login/end-all-sessions.ts'
import { endSession } from '../../identity/sessions/end-session.ts'
import type { FindCaller } from '../../identity/sessions/find-caller.ts'
import { hasAdmin } from '../../identity/users/create-admin.ts'
import type { Db } from '../../postgres/database.ts'
import { emptyBody } from '../admission.ts'
import { rateLimitAddress } from '../client-address.ts'
import { clearCookie, readCookie, requireSameOrigin, setCookie } from '../dashboard-edge.ts'
import { isWanted } from '../hashing-client.ts'
import { HttpFault } from '../http-fault.ts'
import { body_max_bytes } from '../json-body.ts'
import { strictObject } from '../schemas/resources.ts'
import { sendBytes, sendDocument } from '../send-document.ts'

export interface DashboardParts {
  db: Db
  public_url: string
  findCaller: FindCaller
  sandbox: boolean
  takes_cards: boolean
  password_min: number
  version: string
}

const fileOptions = {
  config: { access: { token: 'never' }, quiet: true },
  schema: { hide: true },
} as const

const sessionConfig = { access: { token: 'never' } } as const

export function dashboardRoutes(parts: DashboardParts): FastifyPluginAsyncTypebox {
  const { db, public_url } = parts
  const requireOwnPage = async (request: FastifyRequest) => requireSameOrigin(request, public_url)
  return async (app) => {
    app.get('/dashboard', fileOptions, (request, reply) => sendIndex(request, reply))
    app.get<{ Params: { '*': string } }>('/dashboard/*', fileOptions, (request, reply) => {
      const name = request.params['*']
      const file = builtFiles().get(name)
      if (file !== undefined) return sendFile(request, reply, file)
      // Pages of the dashboard have no dot in their last segment. A missing file must not
      // get the page.
      if (/^(assets|api)(\/|$)|\.[a-z0-9]+$/.test(name)) {
        throw new HttpFault(404, 'The dashboard has no such file. Reload the page.')
      }
      return sendIndex(request, reply)
    })

    app.route({
      method: 'GET',
      url: '/dashboard/api/session',
      config: sessionConfig,
      onRequest: requireOwnPage,
      schema: { hide: true },
      handler: (request, reply) => describeSession(parts, request, reply),
    })

    app.route({
      method: 'POST',
      url: '/dashboard/api/session',
      bodyLimit: body_max_bytes.login,
      config: sessionConfig,
      onRequest: requireOwnPage,
      schema: {
        hide: true,
        body: strictObject({
          email: Type.String({ format: 'line', minLength: 1, maxLength: 320 }),
          password: Type.String({ format: 'line', minLength: 1, 'x-secret': true }),
        }),
      },
      handler: async (request, reply) => {
        const cookie = await openCookieSession(db, request.body, {
          address: rateLimitAddress(request.ip),
          user_agent: request.headers['user-agent'],
          isWanted: () => isWanted(request, reply),
        })
        setCookie(reply, cookie, public_url)
        return { message: 'You are logged in.' }
      },
    })

    app.route({
      method: 'DELETE',
      url: '/dashboard/api/session',
      bodyLimit: body_max_bytes.login,
      config: sessionConfig,
      onRequest: requireOwnPage,
      preValidation: emptyBody,
      schema: { hide: true, body: strictObject({ everywhere: Type.Optional(Type.Boolean()) }) },
      handler: async (request, reply) => {
        await logOut(parts, request, request.body.everywhere === true)
        clearCookie(reply, public_url)
        return { message: 'You are logged out.' }
      },
    })
  }
}

interface SessionResponse {
  user: DashboardUser | null
  has_admin: boolean
  mode: 'sandbox' | 'live'
  /** Otherwise money moves by bank transfer, and the page must not mention cards. */
  takes_cards: boolean
  /** The minimum length of a password. */
  password_min: number
  version: string
}

async function describeSession(
  parts: DashboardParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionResponse> {
  const caller = await findCookieCaller(parts, request)
  const user = caller === undefined ? undefined : await describeCaller(parts.db, caller)
  const has_cookie = readCookie(request, parts.public_url) !== undefined
  if (user === undefined && has_cookie) clearCookie(reply, parts.public_url)
  return {
    user: user ?? null,
    // Not needed for a logged-in user, and it costs a query.
    has_admin: user !== undefined || (await hasAdmin(parts.db)),
    mode: parts.sandbox ? 'sandbox' : 'live',
    takes_cards: parts.takes_cards,
    password_min: parts.password_min,
    version: parts.version,
  }
}

async function logOut(
  parts: DashboardParts,
  request: FastifyRequest,
  everywhere: boolean,
): Promise<void> {
  const caller = await findCookieCaller(parts, request)
  if (caller !== undefined && everywhere) await endAllSessions(parts.db, caller)
  else if (caller !== undefined) await endSession(parts.db, caller, undefined)
  const cookie = readCookie(request, parts.public_url)
  if (cookie !== undefined) await deleteCookieSession(parts.db, cookie)
}

async function findCookieCaller(
  { db, findCaller, public_url }: DashboardParts,
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
