// The API reference at /docs: Scalar's page, shown without a word to anybody else.

import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '../accepts-encoding.ts'
import { getReference, nonce_placeholder } from '../reference.ts'
import { sendBytes } from '../send-document.ts'

const options = { config: { access: { token: 'never' } }, schema: { hide: true } } as const

export const docsRoutes: FastifyPluginAsync = async (app) => {
  app.get('/docs', options, sendDocs)
  app.get('/docs/', options, sendDocs)
  app.get('/docs/scalar.js', options, sendScript)
}

async function sendDocs(_: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { page } = await getReference()
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(nonce_placeholder, nonce))
}

// Only this server is ever asked for anything. Styles must be allowed inline: the reference writes
// style elements and attributes as it runs, and a nonce can stand on no attribute. Scripts need
// not: a library in it tries eval once, is refused, and goes its slower way.
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

/** Four megabytes, which all who ask for them share: unpacked for each they filled the memory. */
function unpackOnce(script_gzip: Buffer): Buffer {
  unpacked ??= gunzipSync(script_gzip)
  return unpacked
}

async function sendScript(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { script_gzip } = await getReference()
  // The script changes with Florin's version only, and is too large to fetch at every visit.
  reply
    .header('cache-control', 'public, max-age=3600')
    .header('vary', 'accept-encoding')
    .type('text/javascript; charset=utf-8')
  if (!acceptsEncoding(request, 'gzip')) return sendBytes(request, reply, unpackOnce(script_gzip))
  return sendBytes(request, reply.header('content-encoding', 'gzip'), script_gzip)
}
