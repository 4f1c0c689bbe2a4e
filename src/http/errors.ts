// One error format for the whole server: {"error", "message"}, or an HTML page with the same
// message where browsers go. http-server.ts uses the same format for errors in Node's HTTP parser.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Replay } from '../idempotency/change-once.ts'
import { errorPage } from '../pages/error-page.ts'
import { isUnfinishedUpgrade, upgradeUnfinished } from '../postgres/failure.ts'
import { Refusal, type RefusalDetails } from '../primitives/refusal.ts'
import { HttpFault } from './http-fault.ts'
import { tooLarge } from './json-body.ts'
import type { KnownPaths } from './known-paths.ts'
import { refusalStatus } from './refusal-status.ts'
import { isPayerPath, sendPage, showsPage } from './send-page.ts'
import { sendText } from './send-text.ts'
import { ValidationFault } from './validation.ts'

interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: { error: string; message: string }
}

export function errorResponseFor(failure: unknown): ErrorResponse {
  const error = isUnfinishedUpgrade(failure) ? upgradeUnfinished() : failure
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

// The error parameter marks the token itself as valid, so a client does not refresh it and
// resend the request: a wrong password would count twice. The names come from RFC 6750 and RFC
// 9470.
function challengeFor(details: RefusalDetails): string {
  const { insufficient_scope, wrong_password, needs_login } = details
  if (insufficient_scope) return 'Bearer error="insufficient_scope"'
  if (!wrong_password && needs_login === undefined) return 'Bearer'
  const max_age = needs_login?.max_age_s
  const age = max_age === undefined ? '' : `, max_age=${max_age}`
  return `Bearer error="insufficient_user_authentication"${age}`
}

// Fastify errors that can reach this handler. Any other error is a bug in Florin.
const frameworkErrors: Record<string, [number, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Send the request body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'The length of the request body does not match Content-Length.',
  ],
  FST_ERR_BAD_URL: [404, 'The path contains invalid percent-encoding.'],
  ECONNRESET: [400, 'The connection closed before the whole request body arrived.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time. Send it again.'],
}

function frameworkErrorResponse(error: FastifyError): ErrorResponse {
  const known = frameworkErrors[error.code]
  if (known) return response(known[0], known[0] === 404 ? 'not_found' : 'invalid_request', known[1])
  return response(
    500,
    'internal_error',
    'An internal error occurred. Contact the operator and include the Request-Id of this response.',
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
  app.setNotFoundHandler((request, reply) => sendError(paths.errorFor(request), request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof Replay) {
    sendText(reply, { status: error.status, body: error.body, replayed: true })
    return
  }
  const failure = errorResponseFor(isTooLarge(error) ? tooLarge(request) : error)
  request.error_code = failure.body.error
  if (failure.status >= 500) logFailure(error, failure.status, request)
  // Requests that Fastify rejects before the first hook have no id header yet.
  reply.code(failure.status).headers(failure.headers).header('request-id', request.id)
  // Close the connection instead of reading the rest of the body to find the next request.
  if (failure.status === 413 || failure.status === 408 || isStillReceiving(request)) {
    reply.header('connection', 'close')
  }
  if (showsPage(request)) {
    const { status } = failure
    const page = { status, message: failure.body.message, request_id: request.id }
    sendPage(reply, status, errorPage({ ...page, is_payer: isPayerPath(request.url) }))
    return
  }
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(failure.body)
}

/** Fastify's error for a chunked body that exceeds the route's limit. */
function isTooLarge(error: unknown): boolean {
  return (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

/** Whether a body of unknown length is still arriving. */
function isStillReceiving({ raw }: FastifyRequest): boolean {
  return raw.headers['transfer-encoding'] !== undefined && !raw.complete
}

export function logFailure(error: unknown, status: number, request: FastifyRequest): void {
  const cause = error instanceof Refusal ? error.details.cause : error
  // Overload is already in the request's log line; a second line would add to the load.
  if (status === 503 && cause === undefined) return
  const fields = { err: cause, request_id: request.id, route: request.routeOptions.url }
  if (status === 503) request.log.warn(fields, 'request failed: unavailable')
  else request.log.error(fields, 'request failed')
}
