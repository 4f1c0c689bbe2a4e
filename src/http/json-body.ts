// Reading request bodies: JSON in UTF-8 and nothing else, parsed strictly.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { JsonFault } from '../primitives/json-fault.ts'
import { parseStrictJson } from '../primitives/strict-json.ts'
import { HttpFault } from './http-fault.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body as it came: a header does not tell those of one in chunks. */
    body_length: number
  }
}

// 16 KiB of metadata written with six-byte escapes still fit.
export const body_max_bytes = 131_072

export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('body_bytes', undefined)
  app.decorateRequest('body_length', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parse(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parse(request: FastifyRequest, body: Buffer): unknown {
  // Clients send DELETE with a JSON content type and no body: that is no body at all.
  if (body.length === 0) return undefined
  request.body_length = body.length
  refuseOtherCharsets(request)
  if (request.headers['idempotency-key'] !== undefined) request.body_bytes = body
  const value = parseJson(body)
  // Past this point null means that no body was sent.
  if (value === null) throw new HttpFault(400, 'The body must be a JSON object; null came.')
  return value
}

function parseJson(body: Buffer): unknown {
  try {
    return parseStrictJson(body)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new HttpFault(400, `The body must be valid JSON. ${error.message}`)
  }
}

function refuseOtherCharsets(request: FastifyRequest): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset === undefined || /^utf-?8$/i.test(charset)) return
  throw new HttpFault(400, 'The body must be UTF-8: Content-Type names another charset.')
}

/** Checked from the headers alone, before anything is read or anybody is asked who they are. */
export function refuseForeignBodies(request: FastifyRequest, accepted: string): void {
  const { headers } = request
  const length = Number(headers['content-length'] ?? 0)
  if (length > body_max_bytes) {
    throw new HttpFault(413, 'The body is too large: at most 128 KiB are accepted.')
  }
  if (length === 0 && headers['transfer-encoding'] === undefined) return
  refuseEndless(headers['transfer-encoding'])
  if (mediaType(headers['content-type']) !== accepted) {
    throw new HttpFault(415, `Send the body as ${accepted}.`)
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  const transfer = headers['transfer-encoding'] ?? 'chunked'
  if (encoding.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked') {
    throw new HttpFault(415, 'Send the body uncompressed: no other encoding is supported.')
  }
}

// Node finds this fault too, but only a moment later: whoever is faster must say the same.
function refuseEndless(transfer: string | undefined): void {
  if (transfer === undefined || /(^|,)\s*chunked\s*$/i.test(transfer)) return
  const rule = 'Transfer-Encoding must end with chunked, or nobody knows where the body ends.'
  throw new HttpFault(400, rule, { connection: 'close' })
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]!.trim().toLowerCase()
}
