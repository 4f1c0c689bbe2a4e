// Authentication for the dashboard. Its page calls the API under /dashboard/api with a cookie,
// which is exchanged here for a bearer token. The request then passes the same route, rate
// limit, authentication and permission checks as any other. No token reaches the browser.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { findAccessToken } from '../dashboard/cookie-session.ts'
import { attempt_lifetime_s } from '../identity/oidc/attempts.ts'
import { session_lifetime_s } from '../identity/sessions/open-session.ts'
import { readClockOffset } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { HttpFault } from './http-fault.ts'

const prefix = '/dashboard/api'

/** Maps a dashboard call to its API path. Returns any other URL unchanged. */
export function apiAddress(url: string): string {
  return url.startsWith(`${prefix}/v1/`) ? url.slice(prefix.length) : url
}

export function isDashboardCall(request: FastifyRequest): boolean {
  return request.originalUrl.startsWith(`${prefix}/v1/`)
}

interface DashboardEdge {
  db: Db
  /** The origin that browsers use, regardless of the Host a proxy sends. */
  public_url: string
}

/**
 * Replaces the request's credential with the token behind its cookie, if any. Also returns the
 * sandbox clock's offset in a header: the page needs it for relative times, and so notices at
 * once when another user advances the clock.
 */
export async function authenticateFromCookie(
  { db, public_url }: DashboardEdge,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  requireSameOrigin(request, public_url)
  // Sequential, so that a request without a session causes no second query.
  const token = await findAccessToken(db, readCookie(request, public_url))
  const ahead_ms = token === undefined ? 0 : await readClockOffset(db)
  if (ahead_ms > 0) reply.header('florin-clock-ahead', `${ahead_ms}`)
  // Overwrites any Authorization header: here the cookie is the only credential.
  request.headers.authorization = `Bearer ${token ?? ''}`
}

/**
 * A second defense behind SameSite=Strict, for sibling domains and browsers without SameSite
 * support. Checks Sec-Fetch-Site or else Origin. Changes also need a custom header, which forms
 * cannot send and other sites may not.
 */
export function requireSameOrigin(request: FastifyRequest, public_url: string): void {
  const is_read = request.method === 'GET' || request.method === 'HEAD'
  const site = request.headers['sec-fetch-site']
  const is_own =
    site === undefined
      ? !isForeignOrigin(request, public_url)
      : site === 'same-origin' || (is_read && site === 'none')
  if (!is_own) throw foreign('The request was sent from another site.')
  if (is_read || request.headers['florin-dashboard'] === '1') return
  throw foreign('The header "Florin-Dashboard: 1" is required for changes.')
}

// "null" carries no information: it is a form's origin under no-referrer. The Origin may match
// the Host or the public URL, because a proxy may rewrite the Host and a user may connect
// through a tunnel.
function isForeignOrigin(request: FastifyRequest, public_url: string): boolean {
  const { origin, host } = request.headers
  if (origin === undefined || origin === 'null') return false
  const sender = URL.parse(origin)
  return sender?.host !== host && sender?.origin !== new URL(public_url).origin
}

function foreign(reason: string): HttpFault {
  return new HttpFault(403, `${reason} Open /dashboard and retry from there.`)
}

// Browsers accept a cookie with this prefix only over https and only for this exact host.
const secure_name = '__Host-florin_dashboard'
const plain_name = 'florin_dashboard'

/**
 * The session cookie. A duplicate name means that another party set one of them, so neither is
 * used.
 */
export function readCookie(request: FastifyRequest, public_url: string): string | undefined {
  return readNamedCookie(request, isSecure(request, public_url) ? secure_name : plain_name)
}

function readNamedCookie(request: FastifyRequest, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const sent = pairs.filter((pair) => pair.startsWith(`${name}=`))
  return sent.length === 1 ? sent[0]!.slice(name.length + 1) : undefined
}

export function setCookie(reply: FastifyReply, cookie: string, public_url: string): void {
  const is_secure = isSecure(reply.request, public_url)
  reply.header('set-cookie', cookieLine(cookie, session_lifetime_s, is_secure))
}

export function clearCookie(reply: FastifyReply, public_url: string): void {
  reply.header('set-cookie', cookieLine('', 0, isSecure(reply.request, public_url)))
}

function cookieLine(value: string, lifetime_s: number, is_secure: boolean): string {
  const rest = `Path=/; Max-Age=${lifetime_s}; HttpOnly; SameSite=Strict`
  if (!is_secure) return `${plain_name}=${value}; ${rest}`
  return `${secure_name}=${value}; ${rest}; Secure`
}

// SameSite=Lax, because the provider's redirect to Florin must send it.
const secure_attempt_name = '__Host-florin_oidc'
const plain_attempt_name = 'florin_oidc'

/** The cookie of a login with an OpenID Connect provider. */
export function readAttemptCookie(request: FastifyRequest, public_url: string): string | undefined {
  const is_secure = isSecure(request, public_url)
  return readNamedCookie(request, is_secure ? secure_attempt_name : plain_attempt_name)
}

/** The value is empty to delete the cookie. */
export function setAttemptCookie(reply: FastifyReply, value: string, public_url: string): void {
  const is_secure = isSecure(reply.request, public_url)
  const name = is_secure ? secure_attempt_name : plain_attempt_name
  const lifetime_s = value === '' ? 0 : attempt_lifetime_s
  const rest = `Path=/; Max-Age=${lifetime_s}; HttpOnly; SameSite=Lax${is_secure ? '; Secure' : ''}`
  reply.header('set-cookie', `${name}=${value}; ${rest}`)
}

/**
 * Detects https from Florin's own TLS, a trusted proxy's headers or the public URL. An untrusted
 * proxy's headers are ignored, so only the public URL reveals its https.
 */
function isSecure(request: FastifyRequest, public_url: string): boolean {
  return request.protocol === 'https' || public_url.startsWith('https:')
}
