// The API reference at /docs: Scalar's page, without requests to third parties.

import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getReference, nonce_placeholder } from '../openapi/reference.ts'
import { page } from '../route.ts'
import { acceptsEncoding, sendBytes } from '../send-document.ts'

const document = { method: 'GET', access: { token: 'never' } } as const

export const docsPageRoute = page({ ...document, url: '/docs', handler: sendDocs })
export const docsFolderRoute = page({ ...document, url: '/docs/', handler: sendDocs })
export const docsScriptRoute = page({ ...document, url: '/docs/scalar.js', handler: sendScript })

export const docsRoutes = [docsPageRoute, docsFolderRoute, docsScriptRoute]

async function sendDocs(_: unknown, __: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const { page } = await getReference()
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(nonce_placeholder, nonce))
}

// Allows requests to this server only. Styles must be allowed inline, because the reference sets
// style attributes at run time and a nonce cannot apply to attributes. unsafe-eval is not
// needed: a library attempts eval once and falls back to a slower path.
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

let unpacked: Buffer | undefined

/** The decompressed script is 4 MB. It is shared, because a copy per request exhausted memory. */
function unpackOnce(script_gzip: Buffer): Buffer {
  unpacked ??= gunzipSync(script_gzip)
  return unpacked
}

async function sendScript(
  request: FastifyRequest,
  _: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { script_gzip } = await getReference()
  // The script changes only with Florin's version, and is too large to fetch on every visit.
  reply
    .header('cache-control', 'public, max-age=3600')
    .header('vary', 'accept-encoding')
    .type('text/javascript; charset=utf-8')
  if (!acceptsEncoding(request, 'gzip')) return sendBytes(request, reply, unpackOnce(script_gzip))
  return sendBytes(request, reply.header('content-encoding', 'gzip'), script_gzip)
}
