// The style sheet is inlined, so a page needs one request and cannot load a stale file. The content
// security policy allows it by hash and blocks every other style.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { trusted } from '../primitives/markup.ts'

const text = ['tokens.css', 'page.css', 'start.css']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n')

export const style = trusted(text)

/**
 * Sent with every page. Blocks scripts, all resources except the icon, forms to other hosts, and
 * framing by other sites.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', text, 'base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
