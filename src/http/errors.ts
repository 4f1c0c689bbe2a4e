// One error shape on every path: {"error", "message"}, and on the paths that people look at a page
// with the same message. Everything that goes wrong, in our code, in the framework or in Node's
// parser, is told here and nowhere else.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorPage } from '../pages/error-page.ts'
import { newUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { HttpFault } from './http-fault.ts'
import { KnownPaths } from './known-paths.ts'
import { refusalStatus } from './refusal-status.ts'
import { isPagePath, sendPage } from './send-page.ts'
import { ValidationFault } from './validation.ts'

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: { error: string; message: string }
}

export function answerFor(error: unknown): ErrorAnswer {
  if (error instanceof Refusal) return answerRefusal(error)
  if (error instanceof ValidationFault) return answer(400, 'invalid_request', error.message)
  if (error instanceof HttpFault) {
    return answer(error.status, error.code, error.message, error.headers)
  }
  return answerFrameworkError(error as FastifyError)
}

function answerRefusal(refusal: Refusal): ErrorAnswer {
  const status = refusalStatus[refusal.code]
  const headers: Record<string, string> = {}
  if (status === 401) {
    const scope = refusal.details.insufficient_scope
    headers['www-authenticate'] = scope ? 'Bearer error="insufficient_scope"' : 'Bearer'
  }
  const retry_after_s = refusal.details.retry_after_s
  if (status === 429 || status === 503) headers['retry-after'] = String(retry_after_s ?? 1)
  return answer(status, refusal.code, refusal.message, headers)
}

// The framework's own refusals that can still reach us; any other error is a fault of ours.
const frameworkAnswers: Record<string, [number, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is too large: at most 128 KiB are accepted.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'The body is shorter or longer than Content-Length says.',
  ],
  FST_ERR_BAD_URL: [404, 'Nothing is here. The path has an escape that does not decode.'],
  ECONNRESET: [400, 'The connection ended before the whole body had arrived.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

function answerFrameworkError(error: FastifyError): ErrorAnswer {
  const known = frameworkAnswers[error.code]
  if (known) return answer(known[0], known[0] === 404 ? 'not_found' : 'invalid_request', known[1])
  return answer(
    500,
    'internal_error',
    'Something went wrong inside Florin. Tell its operator the Request-Id of this answer.',
  )
}

function answer(
  status: number,
  error: string,
  message: string,
  headers: Record<string, string> = {},
): ErrorAnswer {
  return { status, headers, body: { error, message } }
}

export function handleErrors(app: FastifyInstance): void {
  const paths = new KnownPaths(app)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendError(notFound(paths, request), request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const told = answerFor(error)
  if (told.status >= 500) logFailure(error, told.status, request)
  reply.code(told.status).headers(told.headers)
  // A body that was refused unread would be taken for the next request on this connection.
  if (told.status === 413 || told.status === 408) reply.header('connection', 'close')
  if (isPagePath(request.url)) {
    const { status } = told
    const page = { status, message: told.body.message, request_id: request.id }
    sendPage(reply, status, errorPage(page))
    return
  }
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(told.body)
}

function logFailure(error: unknown, status: number, request: FastifyRequest): void {
  const cause = error instanceof Refusal ? error.details.cause : error
  const fields = { err: cause, request_id: request.id, route: request.routeOptions.url }
  if (status === 503) request.log.warn(fields, 'unavailable')
  else request.log.error(fields, 'failed')
}

function notFound(paths: KnownPaths, request: FastifyRequest): HttpFault {
  const allowed = paths.methodsOf(request.url.split('?', 1)[0]!)
  if (allowed.length === 0) {
    return new HttpFault(404, 'Nothing is at this path. /openapi.json lists all paths.')
  }
  const list = allowed.join(', ')
  return new HttpFault(405, `This path takes ${list}, not ${request.method}.`, { allow: list })
}

const socketAnswers: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large: at most 16 KiB are accepted.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

interface SocketError {
  code?: string | undefined
  rawPacket?: unknown
}

/** For what Node's parser refuses before there is a request: told on the bare socket. */
export function answerOnSocket(error: SocketError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = hasLongTarget(error)
    ? ([414, 'The address is too long: at most 8 KiB are accepted.'] as const)
    : (socketAnswers[error.code ?? ''] ?? [400, 'This is not well-formed HTTP/1.1.'])
  socket.end(rawResponse(status, message))
}

function hasLongTarget(error: SocketError): boolean {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(error.rawPacket)) return false
  const line_end = error.rawPacket.indexOf('\r\n')
  return line_end === -1 || line_end > url_length_max
}

export const url_length_max = 8_192

export function rawResponse(status: number, message: string, extra: string[] = []): string {
  const body = JSON.stringify({ error: status === 404 ? 'not_found' : 'invalid_request', message })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${toTypeId('request', newUuid(Date.now()))}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...extra,
    '',
    body,
  ].join('\r\n')
}
