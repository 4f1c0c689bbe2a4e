// Sends HTML. Admission sets the standard headers (no-store, no-referrer, nosniff); these are
// the additional headers of pages.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { paymentPagePolicy } from '../pages/payment-assets.ts'
import { allowAccent, type PaymentBrand } from '../pages/payment-brand.ts'
import { paymentPage } from '../pages/payment-page.ts'
import type { PaymentView } from '../pages/payment-view.ts'
import { contentSecurityPolicy } from '../pages/style.ts'
import type { Markup } from '../primitives/markup.ts'

export function sendPage(reply: FastifyReply, status: number, page: Markup): FastifyReply {
  return sendHtml(reply, status, page.text, pageHeaders)
}

/** A page of the usual layout that loads a script of this server. It must work without it too. */
export function sendScriptedPage(reply: FastifyReply, status: number, page: Markup): FastifyReply {
  const policy = `${contentSecurityPolicy}; script-src 'self'`
  return sendHtml(reply, status, page.text, { ...pageHeaders, 'content-security-policy': policy })
}

/** The payment page has a script, so it needs a separate content security policy. */
export function sendPaymentPage(
  reply: FastifyReply,
  status: number,
  view: PaymentView,
  policy = paymentPagePolicy,
): FastifyReply {
  const accent = 'brand' in view ? view.brand.accent : null
  return sendPayerPage(reply, status, paymentPage(view), accent, policy)
}

/** A page in the frame of the payment page, with the color of the account. */
export function sendPayerPage(
  reply: FastifyReply,
  status: number,
  text: string,
  accent: PaymentBrand['accent'],
  policy = paymentPagePolicy,
): FastifyReply {
  const headers = { ...pageHeaders, 'content-security-policy': allowAccent(policy, accent) }
  return sendHtml(reply, status, text, headers)
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

const pagePaths = /^\/(confirm-email|dashboard|docs|join|l|pay|reset|setup|signup|verify)(\/|\?|$)/

// Only programs use these. Their errors are JSON, whatever the client accepts. The Markdown files
// under /docs are for programs too.
const programPaths =
  /^\/(v1|dashboard\/api|livez|readyz|metrics|openapi\.json)(\/|\?|$)|\.(md|txt)(\?|$)/

/**
 * Whether an error at this path is an HTML page, even where no route matched: always below the
 * paths of pages, and elsewhere if the client is a browser.
 */
export function showsPage({ url, headers }: FastifyRequest): boolean {
  if (programPaths.test(url)) return false
  return pagePaths.test(url) || prefersHtml(headers.accept)
}

/** Whether a customer opens this page, who has no use for Florin's start page. */
export function isPayerPath(url: string): boolean {
  return /^\/(pay|l)\//.test(url)
}

/** Whether Accept lists HTML, as browsers do, and does not prefer JSON. */
export function prefersHtml(accept = ''): boolean {
  const html = weightOf(accept, 'text/html')
  return html > 0 && html >= weightOf(accept, 'application/json')
}

/** The q of a media type that the header names, or 0. Wildcards do not count. */
function weightOf(accept: string, type: string): number {
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}
