// The style sheet stands in the page itself: one request shows a page, and no other file can be
// stale or missing. Its hash in the policy is what lets the browser apply it, and nothing else.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { trusted } from '../primitives/markup.ts'

const text = ['tokens.css', 'page.css']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n')

export const style = trusted(text)

/**
 * Sent with every page. No script runs, nothing is loaded but the icon, forms go to this server
 * only, and no other site may show the page in a frame.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', text, 'base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
