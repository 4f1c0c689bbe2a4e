// Reading request bodies: JSON in UTF-8 and nothing else, parsed strictly.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { JsonFault } from '../primitives/json-fault.ts'
import { parseStrictJson } from '../primitives/strict-json.ts'
import { HttpFault } from './http-fault.ts'
import { unitsOfBody } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body as it came: a header does not tell those of one in chunks. */
    body_length: number
  }
}

/**
 * The largest bodies that routes accept, set as a route's bodyLimit. Each is what the fields hold
 * at their longest, with every character written as a six-byte escape.
 */
export const body_max_bytes = {
  /** An email and a password, or a token; the forms of pages. */
  login: 4_096,
  /** Names, emails, references: every route that does not choose another. */
  ordinary: 8_192,
  /** A URL, and a list of fifty events or scopes. */
  lists: 32_768,
  /** 16 KiB of metadata. */
  metadata: 131_072,
} as const

// As many keys as 16 KiB of metadata can hold: 5.3 bytes for each in the densest form.
const keys_max_metadata = 3_200
// No route without metadata has more than a dozen fields.
const keys_max_ordinary = 100

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
  chargeChunked(request, body)
  const { bodyLimit } = request.routeOptions
  const has_metadata = bodyLimit === body_max_bytes.metadata
  const value = parseJson(body, has_metadata ? keys_max_metadata : keys_max_ordinary)
  // Past this point null means that no body was sent.
  if (value === null) throw new HttpFault(400, 'The body must be a JSON object; null came.')
  return value
}

// Only now is its length known, and no work has been done for it yet.
function chargeChunked(request: FastifyRequest, body: Buffer): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const { receivedEncodedLength = body.length } = request.raw as MeteredBody
  const units = unitsOfBody(receivedEncodedLength)
  // Admission has charged one.
  if (units > 1) request.charge(units - 1)
}

function parseJson(body: Buffer, keys_max: number): unknown {
  try {
    return parseStrictJson(body, { keys_max })
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

/**
 * Checked from the headers alone, before anything is read or the caller is known. Returns the cost
 * of the request in units, as far as the headers say it.
 */
export function admitBody(request: FastifyRequest, accepted: string): number {
  const { headers } = request
  const length = Number(headers['content-length'] ?? 0)
  if (length > request.routeOptions.bodyLimit) throw tooLarge(request)
  if (length === 0 && headers['transfer-encoding'] === undefined) return 1
  refuseEndless(headers['transfer-encoding'])
  if (mediaType(headers['content-type']) !== accepted) {
    throw new HttpFault(415, `Send the body as ${accepted}.`)
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  const transfer = headers['transfer-encoding'] ?? 'chunked'
  if (encoding.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked') {
    throw new HttpFault(415, 'Send the body uncompressed: no other encoding is supported.')
  }
  if (headers['transfer-encoding'] !== undefined) meterChunks(request.raw)
  return unitsOfBody(length)
}

export function tooLarge({ routeOptions }: FastifyRequest): HttpFault {
  const most = `${routeOptions.bodyLimit / 1_024} KiB`
  return new HttpFault(413, `The body is too large: this path accepts at most ${most}.`)
}

/** Fastify compares this property with the limit as chunks arrive. */
type MeteredBody = IncomingMessage & { receivedEncodedLength?: number }

// The size line and line breaks of a small chunk, and little enough for clients that send many.
const chunk_framing_bytes = 8

// The framing counts too. Node handles each chunk by itself: 128 KiB in chunks of one byte took
// 300 ms. The stream stays paused until Fastify reads it.
function meterChunks(raw: MeteredBody): void {
  raw.receivedEncodedLength = 0
  raw.pause()
  raw.on('data', (chunk: Buffer) => {
    raw.receivedEncodedLength! += chunk.length + chunk_framing_bytes
  })
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
