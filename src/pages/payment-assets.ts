// The style sheet and the script of the payment page. Their URLs carry a content hash, so browsers
// may cache them indefinitely. The hash is a query parameter, so a page from an older version
// still loads the file after an upgrade.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface PageAsset {
  /** The path of the route that serves it. */
  path: string
  /** The URL in the page: the path with the hash as `v`. */
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

export function asset(path: string, type: string, names: string[]): PageAsset {
  const text = names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n')
  const version = hash('sha256', text, 'base64url').slice(0, 16)
  return { path, url: `${path}?v=${version}`, version, type, text }
}

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
