// Sending HTML. The standard headers of every answer (no-store, no-referrer, nosniff) are set at
// admission; these are what a page needs besides.

import type { FastifyReply } from 'fastify'
import { paymentPagePolicy } from '../pages/payment-assets.ts'
import { contentSecurityPolicy } from '../pages/style.ts'
import type { Markup } from '../primitives/markup.ts'

export function sendPage(reply: FastifyReply, status: number, page: Markup): FastifyReply {
  return sendHtml(reply, status, page.text, pageHeaders)
}

/** The payment page has a script of its own, so it has a policy of its own. */
export function sendPaymentPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return sendHtml(reply, status, page, paymentPageHeaders)
}

function sendHtml(
  reply: FastifyReply,
  status: number,
  text: string,
  headers: Record<string, string>,
): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(text)
}

// Addresses of pages hold secrets, so no search engine may keep one that leaked.
const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}

const paymentPageHeaders = { ...pageHeaders, 'content-security-policy': paymentPagePolicy }

const pagePaths = /^\/(confirm-email|dashboard(?!\/api\/)|docs|pay|setup)(\/|\?|$)/

/**
 * Whether people look at this path: then its errors are pages too, also where no route matched. The
 * Markdown twins under /docs are for programs.
 */
export function isPagePath(url: string): boolean {
  return pagePaths.test(url) && !/\.md(\?|$)/.test(url)
}
