// The edge of the dashboard. Its page calls the API under /dashboard/api with a cookie; here the
// cookie becomes a bearer token, and from there on it is a request like any other: the same route,
// limit, authentication and permission. No token reaches the browser.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { findAccessToken } from '../dashboard/cookie-session.ts'
import { readClockOffset } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { session_lifetime_s } from '../sessions/open-session.ts'
import { HttpFault } from './http-fault.ts'

const prefix = '/dashboard/api'

/** The API's own path of a call by the page; any other address as it is. */
export function apiAddress(url: string): string {
  return url.startsWith(`${prefix}/v1/`) ? url.slice(prefix.length) : url
}

export function isDashboardCall(request: FastifyRequest): boolean {
  return request.originalUrl.startsWith(`${prefix}/v1/`)
}

export interface DashboardEdge {
  db: Db
  /** Where browsers find the dashboard, whatever Host a proxy before us makes of it. */
  public_url: string
}

/**
 * Gives the request the bearer token that its cookie stands for, or none; and tells the page how
 * far the sandbox's clock is ahead, because it counts "in 3 days" from there. A page makes such
 * calls anyway, so it knows at once of a clock that somebody else has put forward.
 */
export async function authenticateFromCookie(
  { db, public_url }: DashboardEdge,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  requireSameOrigin(request, public_url)
  // One after the other: whoever has no session is asked of the database no more than elsewhere.
  const token = await findAccessToken(db, readCookie(request, public_url))
  const ahead_ms = token === undefined ? 0 : await readClockOffset(db)
  if (ahead_ms > 0) reply.header('florin-clock-ahead', `${ahead_ms}`)
  // What the page itself might send counts for nothing: here the cookie is the only credential.
  request.headers.authorization = `Bearer ${token ?? ''}`
}

/**
 * The cookie is SameSite=Strict, so another site's page does not send it. This is the second wall,
 * for a page on a sibling domain and for browsers that know no SameSite: the browser's own word on
 * who asks, or else the Origin; and on changes a header that no form sends and no other site may.
 */
export function requireSameOrigin(request: FastifyRequest, public_url: string): void {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  const site = request.headers['sec-fetch-site']
  const is_own =
    site === undefined
      ? !isForeignOrigin(request, public_url)
      : site === 'same-origin' || (reads && site === 'none')
  if (!is_own) throw foreign('Another site sent this request.')
  if (reads || request.headers['florin-dashboard'] === '1') return
  throw foreign('A change from the dashboard carries the header Florin-Dashboard: 1.')
}

// `null` says nothing: it is what no-referrer makes of a form's origin. The Host is what a proxy
// passes on, which may be its own name for us; but somebody may also come by an address of ours
// that is not the public one, as through a tunnel.
function isForeignOrigin(request: FastifyRequest, public_url: string): boolean {
  const { origin, host } = request.headers
  if (origin === undefined || origin === 'null') return false
  const sender = URL.parse(origin)
  return sender?.host !== host && sender?.origin !== new URL(public_url).origin
}

function foreign(reason: string): HttpFault {
  return new HttpFault(403, `${reason} Open /dashboard itself, and do it there.`)
}

// Browsers keep a cookie with this prefix only when it came over https, for this host alone.
const secure_name = '__Host-florin_dashboard'
const plain_name = 'florin_dashboard'

/** The one that was sent. Two of one name were not both set by us, so neither counts. */
export function readCookie(request: FastifyRequest, public_url: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const name = isSecure(request, public_url) ? secure_name : plain_name
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

/**
 * By TLS of our own, by what a trusted proxy says of its side, or by the public URL: a proxy that
 * is not trusted says nothing of the https that browsers speak to it.
 */
function isSecure(request: FastifyRequest, public_url: string): boolean {
  return request.protocol === 'https' || public_url.startsWith('https:')
}
