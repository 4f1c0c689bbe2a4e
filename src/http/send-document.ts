// Documents: files that are the same for every caller, such as the API description, the guides and
// the built dashboard. Their bytes are prepared once, compressed ones too; a client that has them
// gets 304. A document is charged by the bytes that are sent, so a short request for a large one
// costs its caller as much as it costs the server.

import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compress } from '../dashboard/built-files.ts'
import { acceptsEncoding } from './accepts-encoding.ts'
import { unitsOfDocument } from './rate-limit.ts'

export interface Document {
  type: string
  bytes: Buffer
}

/** Makes the document at the first request: routes registered later are part of the reference. */
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
  const encoding = (['br', 'gzip'] as const).find((one) => acceptsEncoding(request, one))
  if (encoding === undefined) return sendBytes(request, reply, document.bytes)
  const bytes = await compress(document, encoding)
  return sendBytes(request, reply.header('content-encoding', encoding), bytes)
}

/** The bytes as they are. Each encoding of a document has bytes and a tag of its own. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
): FastifyReply {
  const tag = tagOf(bytes)
  reply.header('etag', tag)
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
  // Admission has charged one.
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
