// Sends documents: files that are the same for every caller, such as the API description, the
// guides and the built dashboard. Bytes and compressed variants are prepared once, and a client
// with a current copy gets 304. The rate limit charges the bytes sent, so that a short request
// for a large document costs the caller what it costs the server.

import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compress } from '../dashboard/built-files.ts'
import { unitsOfDocument } from './rate-limit.ts'

interface Document {
  type: string
  bytes: Buffer
}

/** Builds the document on first request, when all routes are registered. */
export function documentOnce(type: string, write: () => string): () => Document {
  let document: Document | undefined
  return () => {
    document ??= { type, bytes: Buffer.from(write()) }
    return document
  }
}

export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
): Promise<FastifyReply> {
  reply.type(document.type).header('vary', 'accept-encoding')
  const encoding = (['br', 'gzip'] as const).find((name) => acceptsEncoding(request, name))
  if (encoding === undefined) return sendBytes(request, reply, document.bytes)
  const bytes = await compress(document, encoding)
  return sendBytes(request, reply.header('content-encoding', encoding), bytes)
}

/** Whether Accept-Encoding allows the encoding; `gzip;q=0` rejects it. */
function acceptsEncoding({ headers }: FastifyRequest, encoding: 'br' | 'gzip'): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase()
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/** Sends the bytes unchanged. Each encoding of a document has a separate ETag. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
): FastifyReply {
  const tag = tagOf(bytes)
  reply.header('etag', tag)
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
  // Admission already charged one unit.
  const units = request.method === 'HEAD' ? 1 : unitsOfDocument(bytes.length)
  if (units > 1) request.charge(units - 1)
  return reply.send(bytes)
}

const tags = new WeakMap<Buffer, string>()

function tagOf(bytes: Buffer): string {
  const known = tags.get(bytes)
  if (known !== undefined) return known
  const tag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
  tags.set(bytes, tag)
  return tag
}

function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const sent = header.split(',').map((part) => part.trim().replace(/^W\//, ''))
  return sent.includes(tag) || sent.includes('*')
}
