// What every request passes before its handler, in the order that SPEC gives: the HTTP layer, the
// route, the rate limit, authentication, permission. Only then is a body read.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import type { Caller } from '../sessions/caller.ts'
import { type FindCaller, type FoundCaller, isCredential, kindOf } from '../sessions/find-caller.ts'
import { type Permission, requirePermission } from '../sessions/permissions.ts'
import { invalidToken } from '../sessions/require-live-token.ts'
import { rateLimitAddress } from './client-address.ts'
import { authenticateFromCookie, isDashboardCall } from './dashboard-edge.ts'
import { HttpFault } from './http-fault.ts'
import { url_length_max } from './http-server.ts'
import { admitBody } from './json-body.ts'
import type { KnownPaths } from './known-paths.ts'
import { RateLimit, tooMany } from './rate-limit.ts'
import { liveHeaders, standardHeaders } from './standard-headers.ts'

/**
 * never: no token is looked at (log-in, refresh, pages, documents). or_sign_up: without a token the
 * caller is undefined, where sign-up is open. required: a valid token is needed. uncounted: health
 * checks, which no limit applies to.
 */
export type Access =
  | { token: 'never'; form?: boolean }
  | { token: 'uncounted' }
  | AuthenticatedAccess

/** Of a route that knows its callers, as every change with a token does. */
export interface AuthenticatedAccess {
  token: 'or_sign_up' | 'required'
  operation: Permission
  lane?: LaneNoun
  /** The answer holds a secret: what is kept of it for an Idempotency-Key is sealed. */
  secret_response?: boolean
  /** Some of an account are told more than others: its request log, which all read, keeps none. */
  response_varies_by_role?: boolean
  /** It makes its caller somebody else, who might not ask for it: see defersPermissionCheck. */
  changes_caller?: boolean
  /** More than one database transaction: sent again, its handler does what was left undone. */
  multi_step?: boolean
}

/** Whose lanes a change goes through. */
export type LaneNoun = 'transactions' | 'payments' | 'subscriptions'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** Set on every route that needs a token; undefined where none is needed and none was sent. */
    caller: Caller | undefined
    /** Charges the caller, or else the address, for work whose size was not known at admission. */
    charge(units: number): void
  }
}

export interface Gate {
  db: Db
  public_url: string
  findCaller: FindCaller
  rate_limit: number | undefined
  signup: 'open' | 'closed'
  mode: 'sandbox' | 'live'
  /** Whether a change that goes through a lane would only be refused. */
  areLanesFull: (noun: LaneNoun) => boolean
  paths: KnownPaths
  /** Whether this Host header is served. */
  servesHost: (host: string | undefined) => boolean
}

export function admitRequests(app: FastifyInstance, gate: Gate): void {
  const limit = new RateLimit(gate.rate_limit)
  const headers = gate.mode === 'live' ? liveHeaders : standardHeaders
  app.decorateRequest('caller', undefined)
  app.decorateRequest('charge', function (this: FastifyRequest, units: number) {
    const { caller } = this
    if (caller === undefined) limit.count(rateLimitAddress(this.ip), units)
    else limit.count(caller.principal_id, units, allowanceFactor(caller))
  })
  const admitRequest = (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> | undefined => {
    reply.headers(headers)
    reply.header('request-id', request.id)
    refuseBadHead(request, gate)
    const access = request.routeOptions.config.access
    // Told before a body is read: a bad body sent to nowhere is sent to nowhere. A route that does
    // not say who may enter is closed.
    if (access === undefined) {
      limit.count(rateLimitAddress(request.ip))
      throw gate.paths.refuse(request)
    }
    const units = admitBodyOrCharge(request, access, limit)
    // Shedding comes before any work is done for the request.
    if ('lane' in access && access.lane && gate.areLanesFull(access.lane)) throw tooBusy()
    if (!isDashboardCall(request)) return admit(request, access, gate, limit, units)
    // What takes no token gives tokens, and those never reach a browser.
    if (!('operation' in access)) throw new HttpFault(404, 'The dashboard has no such call.')
    // The look-up of the cookie is a query, so it is paid for first; then whoever is found pays.
    const address = rateLimitAddress(request.ip)
    limit.count(address)
    return authenticateFromCookie(gate, request, reply).then(() => {
      limit.giveBack(address)
      return admit(request, access, gate, limit, units)
    })
  }
  // With a callback and not as an async function: every request goes this way, and each promise
  // that it need not make is a microsecond.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const admitted = admitRequest(request, reply)
      if (admitted === undefined) done()
      else admitted.then(() => done(), done)
    } catch (error) {
      done(error as Error)
    }
  })
}

// A rejected body counts too: its sender pays for the work of rejecting it.
function admitBodyOrCharge(request: FastifyRequest, access: Access, limit: RateLimit): number {
  try {
    return admitBody(request, acceptedType(access))
  } catch (error) {
    limit.count(rateLimitAddress(request.ip))
    throw error
  }
}

function acceptedType(access: Access): string {
  const is_form = access.token === 'never' && access.form === true
  return is_form ? 'application/x-www-form-urlencoded' : 'application/json'
}

// Node keeps the first of two Host or Authorization headers and drops the second in silence.
function refuseBadHead(request: FastifyRequest, { servesHost }: Gate): void {
  if (request.originalUrl.length > url_length_max) {
    throw new HttpFault(414, 'The address is too long: at most 8 KiB are accepted.')
  }
  const version = request.raw.httpVersion
  if (version !== '1.1' && version !== '1.0') throw new HttpFault(400, 'Speak HTTP/1.1.')
  const hosts = countHeader(request, 'host')
  if (hosts > 1 || (hosts === 0 && version === '1.1')) {
    throw new HttpFault(400, 'Send exactly one Host header.')
  }
  if (!servesHost(request.headers.host)) throw misdirected(request)
}

function misdirected({ headers }: FastifyRequest): HttpFault {
  return new HttpFault(
    421,
    `This server does not serve the host ${quote(headers.host ?? '')}. Use its own address, or ` +
      'add the host to FLORIN_ALLOWED_HOSTS.',
  )
}

export function countHeader(request: FastifyRequest, name: string): number {
  const raw = request.raw.rawHeaders
  let count = 0
  for (let at = 0; at < raw.length; at += 2) {
    const header = raw[at]!
    if (header.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count
}

/** Undefined when nobody has to be asked. */
function admit(
  request: FastifyRequest,
  access: Access,
  gate: Gate,
  limit: RateLimit,
  units: number,
): Promise<void> | undefined {
  if (access.token === 'uncounted') return undefined
  const address = rateLimitAddress(request.ip)
  if (access.token === 'never') {
    limit.count(address, units)
    return undefined
  }
  const token = readBearer(request)
  if (token === undefined && access.token === 'or_sign_up') {
    limit.count(address, units)
    requireOpenSignUp(gate.signup)
    return undefined
  }
  return authenticate(token, gate.findCaller, limit, address).then((found) => {
    // Known from here on, so that its request log shows what it was refused too.
    const caller = callerFrom(found, request)
    request.caller = caller
    limit.count(found.principal_id, units, allowanceFactor(found))
    if (!defersPermissionCheck(request, access)) requirePermission(caller, access.operation)
  })
}

function allowanceFactor({ role }: { role: Caller['role'] }): number {
  return role === 'platform' ? 10 : 1
}

/** What takes an Idempotency-Key. A HEAD is answered as its GET would be. */
export function isChange({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/**
 * Whoever opens an account with the own user is an owner afterwards, and owners may not open
 * accounts. So the answer to an Idempotency-Key is looked for first, and only without one is the
 * caller judged: where that is done, in idempotency.ts, and not here.
 */
export function defersPermissionCheck(
  request: FastifyRequest,
  access: AuthenticatedAccess,
): boolean {
  const takes_idempotency_key = isChange(request) && access.lane === undefined
  const has_idempotency_key = request.headers['idempotency-key'] !== undefined
  return access.changes_caller === true && takes_idempotency_key && has_idempotency_key
}

// Requests without a valid credential count against their address. One that brings a token gets it
// looked up even when the address is used up, so that a noisy neighbour cannot lock anyone out.
function authenticate(
  token: string | undefined,
  findCaller: FindCaller,
  limit: RateLimit,
  address: string,
): Promise<FoundCaller> {
  if (token === undefined || !isCredential(token)) {
    if (limit.isUsedUp(address)) throw tooMany(1_000)
    limit.count(address)
    throw invalidToken(kindOf(token))
  }
  return findCaller(token).then((found) => {
    if (found !== undefined) return found
    limit.count(address)
    throw invalidToken(kindOf(token))
  })
}

function callerFrom(found: FoundCaller, request: FastifyRequest): Caller {
  return {
    kind: found.kind,
    role: found.role,
    user_id: found.user_id,
    account_id: found.account_id,
    principal_id: found.principal_id,
    token_hash: found.token_hash,
    scopes: found.scopes,
    request_id: request.id,
    header_account_id: readAccountHeader(request),
  }
}

const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** The token, or undefined when no Authorization header came. A bad one is never anonymous. */
export function findBearer(request: FastifyRequest, refuse = invalidToken): string | undefined {
  const token = readBearer(request)
  if (token === malformed) throw refuse()
  return token
}

// No token is empty, so this one is never valid.
const malformed = ''

function readBearer(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  if (countHeader(request, 'authorization') > 1) return malformed
  return bearer.exec(header)?.[1] ?? malformed
}

function readAccountHeader(request: FastifyRequest): string | undefined {
  const header = request.headers['florin-account']
  if (header === undefined) return undefined
  return findUuid('account', String(header)) ?? 'unknown'
}

/** For handlers of routes that need a token: admission has made sure of it. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined)
    throw new Error('a route without required access read its caller')
  return request.caller
}

function requireOpenSignUp(signup: 'open' | 'closed'): void {
  if (signup === 'open') return
  throw new Refusal('unauthorized', 'Sign-up is closed here. Send the token of an admin.')
}

/** A route with an optional body treats none as an empty one. */
export async function emptyBody(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  request.body ??= {}
}
