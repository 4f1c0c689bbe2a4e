// The style sheet and the script of the payment page, and its content security policies.

import { asset } from './asset.ts'

export const paymentStyle = asset('/pay.css', 'text/css; charset=utf-8', [
  'tokens.css',
  'page.css',
  'payment.css',
  'payment-state.css',
  'transfer.css',
])

export const paymentScript = asset('/pay.js', 'text/javascript; charset=utf-8', ['payment.js'])

/**
 * Sent with every payment page. Blocks inline scripts and styles, so injected markup stays inert
 * even if it were not escaped. Also blocks other origins, forms to other hosts, and framing.
 */
export const paymentPagePolicy = policyFor("'self'")

/**
 * For the page whose form leads to a provider: browsers apply `form-action` to the redirect too,
 * and providers serve their pages from many hosts. `origins` are those of test servers.
 */
export function checkoutPagePolicy(origins: string[]): string {
  return policyFor(["'self'", 'https:', ...origins].join(' '))
}

function policyFor(form_action: string): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    `form-action ${form_action}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
