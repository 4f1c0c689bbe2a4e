// Forms of ours are sent from our own pages only.

import type { FastifyRequest } from 'fastify'
import { HttpFault } from './http-fault.ts'

/** Whether another site made the browser send this. */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Whether the browser itself says that a page of ours sent this. */
export function isOwnPage(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'same-origin'
}

/**
 * Pages are sent with no-referrer, which makes browsers send `Origin: null` with every form: that
 * header says nothing. Sec-Fetch-Site is what a page cannot forge. `none` is the reader's own
 * doing, such as sending the form again; it is missing from plain http to other machines and from
 * programs, and there the secret in the path is the guard.
 */
export async function refuseCrossSite(request: FastifyRequest): Promise<void> {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (!isCrossSite(request)) return
  throw new HttpFault(
    403,
    'Another site sent this form. Open the link itself and fill it in there.',
  )
}
