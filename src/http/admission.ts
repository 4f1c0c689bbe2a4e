// The checks that every request passes before its handler, in this order: HTTP layer, route,
// rate limit, authentication, permission. The body is read only after them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../identity/caller.ts'
import { requireFactorOfAdmin } from '../identity/factors/admin-grace.ts'
import { type Permission, requirePermission } from '../identity/permissions.ts'
import {
  type FindCaller,
  type FoundCaller,
  isCredential,
  kindOf,
} from '../identity/sessions/find-caller.ts'
import { requireFreshLogin } from '../identity/sessions/fresh-login.ts'
import { invalidToken } from '../identity/sessions/require-live-token.ts'
import type { Db } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import { Refusal, tooBusy } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { rateLimitAddress } from './client-address.ts'
import { authenticateFromCookie, isDashboardCall } from './dashboard-edge.ts'
import { HttpFault } from './http-fault.ts'
import { url_length_max } from './http-server.ts'
import { admitBody } from './json-body.ts'
import type { KnownPaths } from './known-paths.ts'
import { RateLimit, tooMany } from './rate-limit.ts'
import { liveHeaders, standardHeaders } from './standard-headers.ts'

/**
 * never: the route ignores tokens (login, refresh, pages, documents). or_sign_up: a token is
 * optional while sign-up is open; without one the caller is undefined. required: a valid token
 * is required. uncounted: health checks, exempt from rate limits. is_provider: messages of payment
 * providers, which have a separate rate limit: behind one proxy, payers must not use it up.
 */
export type Access =
  | { token: 'never'; form?: boolean; is_provider?: boolean }
  | { token: 'uncounted' }
  | AuthenticatedAccess

/** Access to a route that identifies its caller. */
export interface AuthenticatedAccess {
  token: 'or_sign_up' | 'required'
  operation: Permission
  lane?: LaneKind
  /** The response contains a secret, so the copy stored for its Idempotency-Key is sealed. */
  secret_response?: boolean
  /**
   * The response depends on the caller's role. The account's request log, which all its users
   * read, must not store it.
   */
  response_varies_by_role?: boolean
  /** The change may remove the caller's own permission to repeat it: see defersPermissionCheck. */
  changes_caller?: boolean
  /**
   * A session needs a login or a confirmation of the last ten minutes. true: sessions of the
   * dashboard only, because the contract of the endpoint has no such rule. always: all sessions.
   * fields: as true, if the body has one of them and no `current_password`, which the handler
   * checks. API keys are unaffected.
   */
  step_up?: true | 'always' | { fields: readonly string[] }
  /** The body is a file, sent as application/octet-stream. */
  file?: boolean
  /** The change takes several database transactions; a retry completes the remaining steps. */
  multi_step?: boolean
}

/** The kinds of changes that go through lanes. */
type LaneKind = 'transactions' | 'payments' | 'subscriptions'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /**
     * Set on every route that requires a token; undefined when a token is optional and was
     * not sent.
     */
    caller: Caller | undefined
    /**
     * Charges the caller, or the address if there is none, for work whose size admission did
     * not know.
     */
    charge(units: number): void
    /** Charges the caller for its items instead of the units counted so far. */
    chargeItems(counted: number, items: number): void
  }
}

interface Gate {
  db: Db
  public_url: string
  findCaller: FindCaller
  rate_limit: number | undefined
  signup: 'open' | 'closed'
  mode: 'sandbox' | 'live'
  /** Whether the lane would reject a change because its queue is full. */
  areLanesFull: (noun: LaneKind) => boolean
  paths: KnownPaths
  /** Whether the server accepts this Host header. */
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
  app.decorateRequest('chargeItems', function (this: FastifyRequest, counted: number, items) {
    const { caller } = this
    if (caller) limit.raise(caller.principal_id, counted, items, allowanceFactor(caller))
  } satisfies FastifyRequest['chargeItems'])
  const admitRequest = (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> | undefined => {
    reply.headers(headers)
    reply.header('request-id', request.id)
    rejectBadHead(request, gate)
    const access = request.routeOptions.config.access
    // Checked before the body, so an unknown path is 404 even with an invalid body. A route
    // that declares no access is treated as unknown.
    if (access === undefined) {
      limit.count(rateLimitAddress(request.ip))
      throw gate.paths.errorFor(request)
    }
    const units = admitBodyOrCharge(request, access, limit)
    // Shed load before doing any work for the request.
    if ('lane' in access && access.lane && gate.areLanesFull(access.lane)) throw tooBusy()
    if (!isDashboardCall(request)) return admit(request, access, gate, limit, units)
    // Routes without a caller issue tokens, and tokens must never reach a browser.
    if (!('operation' in access))
      throw new HttpFault(404, 'This endpoint is not available to the dashboard.')
    // Looking up the cookie costs a query, so charge the address first. Refund it once the
    // caller is known and charged instead.
    const address = rateLimitAddress(request.ip)
    limit.count(address)
    return authenticateFromCookie(gate, request, reply).then(() => {
      limit.giveBack(address)
      return admit(request, access, gate, limit, units)
    })
  }
  // A callback instead of an async function: this runs for every request, and each promise
  // avoided saves about a microsecond.
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
    limit.count(anonymousKey(request, access))
    throw error
  }
}

/** Requests without a credential count against their address. */
function anonymousKey({ ip }: FastifyRequest, access: Access): string {
  const address = rateLimitAddress(ip)
  return 'is_provider' in access && access.is_provider ? `provider ${address}` : address
}

function acceptedType(access: Access): string {
  if ('file' in access && access.file) return 'application/octet-stream'
  const is_form = access.token === 'never' && access.form === true
  return is_form ? 'application/x-www-form-urlencoded' : 'application/json'
}

// Node silently drops a second Host or Authorization header.
function rejectBadHead(request: FastifyRequest, { servesHost }: Gate): void {
  if (request.originalUrl.length > url_length_max) {
    throw new HttpFault(414, 'The URL is too long. The maximum is 8 KiB.')
  }
  const version = request.raw.httpVersion
  if (version !== '1.1' && version !== '1.0') {
    throw new HttpFault(400, 'This server accepts only HTTP/1.0 and HTTP/1.1.')
  }
  const hosts = countHeader(request, 'host')
  if (hosts > 1 || (hosts === 0 && version === '1.1')) {
    throw new HttpFault(400, 'Send exactly one Host header.')
  }
  if (!servesHost(request.headers.host)) throw misdirected(request)
}

function misdirected({ headers }: FastifyRequest): HttpFault {
  return new HttpFault(
    421,
    `This server does not serve the host ${quote(headers.host ?? '')}. Use its public URL, or ` +
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

/** Returns undefined when no lookup is needed. */
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
    limit.count(anonymousKey(request, access), units)
    return undefined
  }
  const token = readBearer(request)
  if (token === undefined && access.token === 'or_sign_up') {
    limit.count(address, units)
    requireOpenSignUp(gate.signup)
    return undefined
  }
  return authenticate(token, gate.findCaller, limit, address).then((found) => {
    // Set before the remaining checks, so that rejected requests also appear in the caller's
    // request log.
    const caller = callerFrom(found, request)
    request.caller = caller
    limit.count(found.principal_id, units, allowanceFactor(found))
    if (!defersPermissionCheck(request, access)) requirePermission(caller, access.operation)
    return requireStrongLogin(request, access, gate, caller)
  })
}

/** Returns undefined for nearly all requests, which need no further query. */
function requireStrongLogin(
  request: FastifyRequest,
  access: AuthenticatedAccess,
  { db, mode }: Gate,
  caller: Caller,
): Promise<void> | undefined {
  const stepUp = () =>
    needsStepUp(request, access, caller) ? requireFreshLogin(db, caller) : undefined
  const needs_factor = mode === 'live' && caller.role === 'admin'
  if (!needs_factor || always_allowed.has(access.operation)) return stepUp()
  return requireFactorOfAdmin(db, caller).then(stepUp)
}

/** What an admin without a second factor can do: add one, and log out. */
const always_allowed: ReadonlySet<Permission> = new Set<Permission>([
  'manage_own_factors',
  'manage_own_sessions',
])

function needsStepUp(
  request: FastifyRequest,
  { step_up }: AuthenticatedAccess,
  { kind }: Caller,
): boolean {
  if (step_up === undefined || kind === 'api_key') return false
  return step_up === 'always' || (step_up === true && isDashboardCall(request))
}

/** Runs after the body was read. */
export async function requireStepUpForFields(
  db: Db,
  request: FastifyRequest,
  fields: readonly string[],
): Promise<void> {
  const { caller, body } = request
  const sent = body as Record<string, unknown>
  const has_field = fields.some((field) => sent[field] !== undefined)
  const is_confirmed = sent.current_password !== undefined
  if (caller !== undefined && has_field && !is_confirmed && isDashboardCall(request)) {
    await requireFreshLogin(db, caller)
  }
}

function allowanceFactor({ role }: { role: Caller['role'] }): number {
  return role === 'platform' ? 10 : 1
}

/** Whether the request is a change, which accepts an Idempotency-Key. */
export function isChange({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/**
 * A user who opens an account becomes its owner, and owners may not open accounts. A retry must
 * still receive the stored response, so idempotency.ts looks for that first and checks the
 * permission only if there is none.
 */
export function defersPermissionCheck(
  request: FastifyRequest,
  access: AuthenticatedAccess,
): boolean {
  const takes_idempotency_key = isChange(request) && access.lane === undefined
  const has_idempotency_key = request.headers['idempotency-key'] !== undefined
  return access.changes_caller === true && takes_idempotency_key && has_idempotency_key
}

// Requests without a valid credential count against their address. A token is looked up even
// when its address is over the limit, so other clients behind the same address cannot lock a
// caller out.
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

/**
 * The token, or undefined without an Authorization header. A malformed header is an error, never
 * anonymous access.
 */
export function findBearer(request: FastifyRequest, refuse = invalidToken): string | undefined {
  const token = readBearer(request)
  if (token === malformed) throw refuse()
  return token
}

// A valid token is never empty, so this value never authenticates.
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

function requireOpenSignUp(signup: 'open' | 'closed'): void {
  if (signup === 'open') return
  throw new Refusal('unauthorized', 'Sign-up is closed. Authenticate as an admin to create users.')
}

/** For routes with an optional body: treats a missing body as an empty object. */
export async function emptyBody(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  request.body ??= {}
}
