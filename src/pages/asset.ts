// A style sheet or script of a page. Its URL carries a content hash, so browsers may cache it
// indefinitely. The hash is a query parameter, so a page from an older version still loads the
// file after an upgrade.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Asset {
  /** The path of the route that serves it. */
  path: string
  /** The URL in the page: the path with the hash as `v`. */
  url: string
  version: string
  type: string
  text: string
}

/** The concatenation of files of this folder. */
export function asset(path: string, type: string, names: string[]): Asset {
  const text = names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n')
  const version = hash('sha256', text, 'base64url').slice(0, 16)
  return { path, url: `${path}?v=${version}`, version, type, text }
}
