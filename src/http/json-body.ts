// Reads request bodies: JSON in UTF-8 only, parsed strictly.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { JsonFault, parseStrictJson } from '../primitives/strict-json.ts'
import { countItems } from './bulk-body.ts'
import { HttpFault } from './http-fault.ts'
import { unitsOfBody } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's length in bytes, which the headers of a chunked request do not state. */
    body_length: number
    /** How many changes the request makes: the items of a bulk request, otherwise 1. */
    item_count: number
  }
}

/**
 * The body size limits, set as a route's bodyLimit. Each fits all fields at their maximum length
 * with every character written as a six-byte escape.
 */
export const body_max_bytes = {
  /** An email and password, or a token; also the forms of pages. */
  login: 4_096,
  /** Names, emails, references. The default. */
  ordinary: 8_192,
  /** Two URLs and a text of a thousand characters. */
  branding: 40_960,
  /** 64 KiB in base64. Decoded, the image is checked again. */
  logo: 98_304,
  /** A message of a payment provider, with the object that changed. */
  provider: 65_536,
  /** A URL and a list of fifty events or scopes. */
  lists: 32_768,
  /** 16 KiB of metadata. */
  metadata: 131_072,
  /** A list of transactions, each with metadata. */
  bulk: 1_048_576,
  /** A bank statement. */
  file: 10_485_760,
} as const

// The most keys that 16 KiB of metadata can hold, at 5.3 bytes each in the densest form.
const keys_max_metadata = 3_200
// A thousand transactions with 27 metadata keys each. All keys that a MiB can hold would block the
// event loop for 100 ms.
const keys_max_bulk = 32_000
// No route without metadata has more than a dozen fields.
const keys_max_ordinary = 100

export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('body_bytes', undefined)
  app.decorateRequest('body_length', 0)
  app.decorateRequest('item_count', 1)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parse(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** For messages whose signature covers the bytes: they are verified before they are parsed. */
export function readRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const types = ['application/json', 'application/x-www-form-urlencoded']
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body, done) => {
    request.body_length = body.length
    done(null, body)
  })
}

function parse(request: FastifyRequest, body: Buffer): unknown {
  // Some clients send DELETE with a JSON content type and an empty body. Treat that as no
  // body.
  if (body.length === 0) return undefined
  request.body_length = body.length
  rejectOtherCharsets(request)
  if (request.headers['idempotency-key'] !== undefined) request.body_bytes = body
  chargeChunked(request, body)
  const { bodyLimit } = request.routeOptions
  if (bodyLimit === body_max_bytes.bulk) chargeItems(request, body)
  const value = parseJson(body, keys_max[bodyLimit] ?? keys_max_ordinary)
  // From here on, null means that no body was sent.
  if (value === null) throw new HttpFault(400, 'The request body must be a JSON object; got null.')
  return value
}

const keys_max: Record<number, number> = {
  [body_max_bytes.metadata]: keys_max_metadata,
  [body_max_bytes.bulk]: keys_max_bulk,
}

// Each item is a unit. Admission has charged the length of the body.
function chargeItems(request: FastifyRequest, body: Buffer): void {
  const items = countItems(body, { bytes: body_max_bytes.metadata, keys: keys_max_metadata })
  request.item_count = items
  request.chargeItems(unitsOfBody(body.length), items)
}

// The length of a chunked body is known only now, before any work is done for it.
function chargeChunked(request: FastifyRequest, body: Buffer): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const { receivedEncodedLength = body.length } = request.raw as MeteredBody
  const units = unitsOfBody(receivedEncodedLength)
  // Admission already charged one unit.
  if (units > 1) request.charge(units - 1)
}

function parseJson(body: Buffer, keys_max: number): unknown {
  try {
    return parseStrictJson(body, { keys_max })
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new HttpFault(400, `The request body must be valid JSON. ${error.message}`)
  }
}

function rejectOtherCharsets(request: FastifyRequest): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset === undefined || /^utf-?8$/i.test(charset)) return
  throw new HttpFault(400, 'The request body must be UTF-8; Content-Type names another charset.')
}

/**
 * Checks the headers before the body is read or the caller is known. Returns the cost of the
 * request in units, as far as the headers reveal it.
 */
export function admitBody(request: FastifyRequest, accepted: string): number {
  const { headers } = request
  const length = Number(headers['content-length'] ?? 0)
  if (length > request.routeOptions.bodyLimit) throw tooLarge(request)
  if (length === 0 && headers['transfer-encoding'] === undefined) return 1
  rejectUnframedBody(headers['transfer-encoding'])
  if (mediaType(headers['content-type']) !== accepted) {
    throw new HttpFault(415, `Send the request body as ${accepted}.`)
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  const transfer = headers['transfer-encoding'] ?? 'chunked'
  if (encoding.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked') {
    throw new HttpFault(
      415,
      'Send the request body uncompressed. Content encodings are not supported.',
    )
  }
  if (headers['transfer-encoding'] !== undefined) meterChunks(request.raw)
  return unitsOfBody(length)
}

export function tooLarge({ routeOptions }: FastifyRequest): HttpFault {
  const most = `${routeOptions.bodyLimit / 1_024} KiB`
  return new HttpFault(413, `The request body is too large. The maximum for this path is ${most}.`)
}

/** Fastify compares this property with the limit as chunks arrive. */
export type MeteredBody = IncomingMessage & { receivedEncodedLength?: number }

// The size line and line breaks of a small chunk; low enough for clients that send many chunks.
const chunk_framing_bytes = 8

// Counts the framing too, because Node processes each chunk separately: 128 KiB in one-byte
// chunks took 300 ms. The stream stays paused until Fastify reads it.
function meterChunks(raw: MeteredBody): void {
  raw.receivedEncodedLength = 0
  raw.pause()
  raw.on('data', (chunk: Buffer) => {
    raw.receivedEncodedLength! += chunk.length + chunk_framing_bytes
  })
}

// Node detects this error as well, but later. Both must produce the same response.
function rejectUnframedBody(transfer: string | undefined): void {
  if (transfer === undefined || /(^|,)\s*chunked\s*$/i.test(transfer)) return
  const rule = '"Transfer-Encoding" must end with chunked. Otherwise the body has no defined end.'
  throw new HttpFault(400, rule, { connection: 'close' })
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]!.trim().toLowerCase()
}
