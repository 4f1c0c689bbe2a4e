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
  if (!isCrossSite(request)) return
  throw new HttpFault(
    403,
    'The form was submitted from another site. Open the link directly and submit it there.',
  )
}
