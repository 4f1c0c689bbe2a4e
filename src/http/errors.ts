// One error shape on every path: {"error", "message"}, and on the paths that people look at a page
// with the same message. Everything that goes wrong, in our code, in the framework or in Node's
// parser, is told here and nowhere else.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Replay } from '../idempotency/change-once.ts'
import { errorPage } from '../pages/error-page.ts'
import { Refusal, type RefusalDetails } from '../primitives/refusal.ts'
import { HttpFault } from './http-fault.ts'
import { tooLarge } from './json-body.ts'
import type { KnownPaths } from './known-paths.ts'
import { refusalStatus } from './refusal-status.ts'
import { isPagePath, sendPage } from './send-page.ts'
import { sendText } from './send-text.ts'
import { ValidationFault } from './validation.ts'

export interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: { error: string; message: string }
}

export function errorResponseFor(error: unknown): ErrorResponse {
  if (error instanceof Refusal) return refusalResponse(error)
  if (error instanceof ValidationFault) return response(400, 'invalid_request', error.message)
  if (error instanceof HttpFault) {
    return response(error.status, error.code, error.message, error.headers)
  }
  return frameworkErrorResponse(error as FastifyError)
}

function refusalResponse(refusal: Refusal): ErrorResponse {
  const status = refusal.details.key_reused ? 422 : refusalStatus[refusal.code]
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = challengeFor(refusal.details)
  const retry_after_s = refusal.details.retry_after_s
  if (status === 429 || status === 503) headers['retry-after'] = String(retry_after_s ?? 1)
  return response(status, refusal.code, refusal.message, headers)
}

// With an error it says that the token is good, so that a client does not renew it and send the
// same once more: a wrong password would count twice. The names are those of RFC 6750 and 9470.
function challengeFor({ insufficient_scope, wrong_password }: RefusalDetails): string {
  if (insufficient_scope) return 'Bearer error="insufficient_scope"'
  return wrong_password ? 'Bearer error="insufficient_user_authentication"' : 'Bearer'
}

// The framework's own refusals that can still reach us; any other error is a fault of ours.
const frameworkErrors: Record<string, [number, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'The body is shorter or longer than Content-Length says.',
  ],
  FST_ERR_BAD_URL: [404, 'Nothing is here. The path has an escape that does not decode.'],
  ECONNRESET: [400, 'The connection ended before the whole body had arrived.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

function frameworkErrorResponse(error: FastifyError): ErrorResponse {
  const known = frameworkErrors[error.code]
  if (known) return response(known[0], known[0] === 404 ? 'not_found' : 'invalid_request', known[1])
  return response(
    500,
    'internal_error',
    'Something went wrong inside Florin. Tell its operator the Request-Id of this response.',
  )
}

function response(
  status: number,
  error: string,
  message: string,
  headers: Record<string, string> = {},
): ErrorResponse {
  return { status, headers, body: { error, message } }
}

export function handleErrors(app: FastifyInstance, paths: KnownPaths): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendError(paths.refuse(request), request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof Replay) {
    sendText(reply, { status: error.status, body: error.body, replayed: true })
    return
  }
  const told = errorResponseFor(isTooLarge(error) ? tooLarge(request) : error)
  request.error_code = told.body.error
  if (told.status >= 500) logFailure(error, told.status, request)
  // What the framework refuses before any hook has no id yet.
  reply.code(told.status).headers(told.headers).header('request-id', request.id)
  // What is left of the body would be read to its end only to find the next request.
  if (told.status === 413 || told.status === 408 || isEndless(request)) {
    reply.header('connection', 'close')
  }
  if (isPagePath(request.url)) {
    const { status } = told
    const page = { status, message: told.body.message, request_id: request.id }
    sendPage(reply, status, errorPage(page))
    return
  }
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(told.body)
}

/** The framework found more than the route accepts in a body without Content-Length. */
function isTooLarge(error: unknown): boolean {
  return (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

/** Whether the body is still arriving, and nothing says how long it is. */
function isEndless({ raw }: FastifyRequest): boolean {
  return raw.headers['transfer-encoding'] !== undefined && !raw.complete
}

export function logFailure(error: unknown, status: number, request: FastifyRequest): void {
  const cause = error instanceof Refusal ? error.details.cause : error
  // Too much load is told by the request's own line: another one would only add to the load.
  if (status === 503 && cause === undefined) return
  const fields = { err: cause, request_id: request.id, route: request.routeOptions.url }
  if (status === 503) request.log.warn(fields, 'unavailable')
  else request.log.error(fields, 'failed')
}
