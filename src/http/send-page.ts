// Sending HTML. The standard headers of every answer (no-store, no-referrer, nosniff) are set at
// admission; these are what a page needs besides.

import type { FastifyReply } from 'fastify'
import type { Markup } from '../pages/html.ts'
import { contentSecurityPolicy } from '../pages/style.ts'

export function sendPage(reply: FastifyReply, status: number, page: Markup): FastifyReply {
  return reply
    .code(status)
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(page.text)
}

// Addresses of pages hold secrets, so no search engine may keep one that leaked.
const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}

const pagePaths = /^\/(confirm-email|dashboard|docs|pay|setup)(\/|\?|$)/

/** Whether people look at this path: then its errors are pages too, also where no route matched. */
export function isPagePath(url: string): boolean {
  return pagePaths.test(url)
}
