// The dashboard as it was built: read once, served from memory. Names of what Vite made carry a
// hash of what is in them, so a browser keeps those for ever and asks again for the rest.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export interface BuiltFile {
  type: string
  bytes: Buffer
  /** Under a name that no other content will ever have. */
  immutable: boolean
}

export type Encoding = 'br' | 'gzip'
type Packable = Pick<BuiltFile, 'bytes'>

const folder = fileURLToPath(new URL('../../web/dashboard/dist', import.meta.url))

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

let files: Map<string, BuiltFile> | undefined

/** By path under /dashboard/, such as `assets/start-1a2b3c4d.js`. */
export function builtFiles(): Map<string, BuiltFile> {
  files ??= readAll()
  return files
}

function readAll(): Map<string, BuiltFile> {
  const found = new Map<string, BuiltFile>()
  if (!existsSync(folder)) return found
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll(sep, '/')
    found.set(name, { type, bytes: readFileSync(path), immutable: name.startsWith('assets/') })
  }
  return found
}

const packed = new WeakMap<Packable, Partial<Record<Encoding, Promise<Buffer>>>>()

/**
 * Compressed when first asked for and then kept: no start waits for it. Brotli's nine takes 60 ms
 * for the largest file and makes it 3 % larger than eleven, which takes a second.
 */
export function compress(file: Packable, encoding: Encoding): Promise<Buffer> {
  const kept = packed.get(file) ?? {}
  packed.set(file, kept)
  kept[encoding] ??= encoding === 'br' ? packBrotli(file.bytes) : packGzip(file.bytes)
  return kept[encoding]
}

const brotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

function packBrotli(bytes: Buffer): Promise<Buffer> {
  return brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}

/** Fonts are compressed already. */
export function isCompressible(file: BuiltFile): boolean {
  return file.type !== 'font/woff2'
}

/**
 * Nothing that stands in the page itself runs or is applied, nothing comes from another site, and
 * no site may show the page in a frame.
 */
export const dashboardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
