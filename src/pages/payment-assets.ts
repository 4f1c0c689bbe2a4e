// The style sheet and the script of the payment page: two small files of our own. Their addresses
// carry a hash of what is in them, so a browser may keep them for ever; the hash stands behind a
// question mark, so a page of an older Florin still finds the file of a newer one.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface PaymentAsset {
  /** Where a route serves it. */
  path: string
  /** What the page asks for: the path, and the hash as `v`. */
  url: string
  version: string
  type: string
  text: string
}

export const paymentStyle = asset('/pay.css', 'text/css; charset=utf-8', [
  'tokens.css',
  'page.css',
  'payment.css',
  'payment-state.css',
])

export const paymentScript = asset('/pay.js', 'text/javascript; charset=utf-8', ['payment.js'])

function asset(path: string, type: string, names: string[]): PaymentAsset {
  const text = names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n')
  const version = hash('sha256', text, 'base64url').slice(0, 16)
  return { path, url: `${path}?v=${version}`, version, type, text }
}

/**
 * Sent with every payment page. Nothing that stands in the page itself runs or is applied, so what
 * an account or an operator wrote could not act even if it were not escaped. Nothing comes from
 * another site, forms go to this server only, and no site may show the page in a frame.
 */
export const paymentPagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
