// Sends HTML. Admission sets the standard headers (no-store, no-referrer, nosniff); these are
// the additional headers of pages.

import type { FastifyReply } from 'fastify'
import { paymentPagePolicy } from '../pages/payment-assets.ts'
import { contentSecurityPolicy } from '../pages/style.ts'
import type { Markup } from '../primitives/markup.ts'

export function sendPage(reply: FastifyReply, status: number, page: Markup): FastifyReply {
  return sendHtml(reply, status, page.text, pageHeaders)
}

/** The payment page has a script, so it needs a separate content security policy. */
export function sendPaymentPage(
  reply: FastifyReply,
  status: number,
  page: string,
  policy = paymentPagePolicy,
): FastifyReply {
  return sendHtml(reply, status, page, { ...pageHeaders, 'content-security-policy': policy })
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

// URLs of pages contain secrets. Search engines must not index one that leaked.
const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}

const pagePaths = /^\/(confirm-email|dashboard(?!\/api\/)|docs|pay|setup)(\/|\?|$)/

/**
 * Whether a browser shows this path. Its errors are then HTML pages, even where no route
 * matched. The Markdown files under /docs are for programs.
 */
export function isPagePath(url: string): boolean {
  return pagePaths.test(url) && !/\.md(\?|$)/.test(url)
}
