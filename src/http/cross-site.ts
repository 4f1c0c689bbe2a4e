// Accepts forms from Florin's own pages only.

import type { FastifyRequest } from 'fastify'
import { HttpFault } from './http-fault.ts'

/** Whether another site caused the browser to send this request. */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Whether the browser reports that one of Florin's pages sent this request. */
export function isOwnPage(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'same-origin'
}

/**
 * Uses Sec-Fetch-Site, which a page cannot forge. Origin is useless here: pages are sent with
 * no-referrer, so browsers send `Origin: null` with every form. `none` means that the user
 * acted, for example by reloading. The header is absent over plain http to other machines and
 * from programs; there the secret in the path is the protection.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (isCrossSite(request)) throw foreign()
}

function foreign(): HttpFault {
  return new HttpFault(
    403,
    'The form was submitted from another site. Open the link directly and submit it there.',
  )
}

/**
 * For a form without a secret in its path. Where browsers send no Sec-Fetch-Site, over plain http
 * to another machine, Origin decides: the page of the form must be sent with `ownOrigin`.
 */
export function requireOwnForm(request: FastifyRequest, public_url: string): void {
  refuseCrossSite(request)
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (site !== undefined || origin === undefined) return
  const sender = URL.parse(origin)
  if (sender?.host !== host && sender?.origin !== new URL(public_url).origin) throw foreign()
}

/** The header with which browsers send the origin of a page to this server, and only to it. */
export const ownOrigin = { 'referrer-policy': 'same-origin' }
