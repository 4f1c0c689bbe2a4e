// Passes finished requests to the request log of the account they act on. Everyone with access
// to the account's log can read it, so only bodies that all of them may see are stored. This
// runs for every request, so rendering happens later.

import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { permissions } from '../identity/permissions.ts'
import type { Db } from '../postgres/database.ts'
import type { LoggedRequest } from '../request-log/entry.ts'
import { scanned_length_max } from '../request-log/redact.ts'
import { RequestLog } from '../request-log/request-log.ts'
import type { AuthenticatedAccess } from './admission.ts'
import { isDashboardCall } from './dashboard-edge.ts'
import type { ResponseEnds } from './response-ends.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code of the response; undefined after a success. */
    error_code: string | undefined
    /** The response text, retained for the request log. */
    sent_text: string | undefined
  }
}

interface RequestLogParts {
  db: Db
  registry: Registry
  /** Bodies are stored in sandbox mode only: in live mode they are customer data. */
  with_bodies: boolean
}

export function recordRequests(
  app: FastifyInstance,
  ends: ResponseEnds,
  { db, registry, with_bodies }: RequestLogParts,
): void {
  const onError = (err: unknown) => app.log.warn({ err }, 'failed to write request log')
  const log = new RequestLog(db, onError)
  app.decorateRequest('error_code', undefined)
  app.decorateRequest('sent_text', undefined)
  if (with_bodies) captureResponses(app, log)
  ends.add((request, reply) => {
    const account_id = accountOf(request)
    if (account_id === undefined) return
    // Under load nearly all requests are dropped: nothing is collected for them.
    if (log.hasRoom(account_id)) log.note(toLoggedRequest(request, reply, account_id, with_bodies))
    else log.dropped += 1
  })
  app.addHook('onClose', () => log.close())
  measureLog(registry, log)
}

function captureResponses(app: FastifyInstance, log: RequestLog): void {
  app.addHook('onSend', (request, _, payload, done) => {
    if (
      typeof payload === 'string' &&
      payload.length <= scanned_length_max &&
      mayLogResponse(request)
    ) {
      const account_id = accountOf(request)
      if (account_id !== undefined && log.hasRoom(account_id)) request.sent_text = payload
    }
    done()
  })
}

function mayLogResponse(request: FastifyRequest): boolean {
  const access = accessOf(request)
  return !(access?.secret_response || access?.response_varies_by_role) && mayLogBody(request)
}

function mayLogBody(request: FastifyRequest): boolean {
  const access = accessOf(request)
  return access !== undefined && permissions[access.operation].log === 'bodies'
}

/**
 * The account whose log the request belongs to. Reads of the log itself and reads by dashboard
 * pages are not logged, because they would crowd out other requests. Changes made in the
 * dashboard are logged.
 */
function accountOf(request: FastifyRequest): string | undefined {
  const { caller } = request
  const access = accessOf(request)
  if (caller === undefined || access === undefined) return undefined
  if (permissions[access.operation].log === 'nothing') return undefined
  if (isDashboardCall(request) && request.method === 'GET') return undefined
  return caller.account_id ?? namedAccount(caller, access)
}

// A header that the operation ignores must not select a log: data of all accounts would end up
// in the log of one.
function namedAccount(caller: Caller, { operation }: AuthenticatedAccess): string | undefined {
  const named = caller.header_account_id
  if (!isAdminOrPlatform(caller) || permissions[operation].log === 'own_line') return undefined
  return named === 'unknown' ? undefined : named
}

function accessOf(request: FastifyRequest): AuthenticatedAccess | undefined {
  const { access } = request.routeOptions.config
  return access !== undefined && 'operation' in access ? access : undefined
}

function toLoggedRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  account_id: string,
  with_bodies: boolean,
): LoggedRequest {
  const caller = request.caller!
  const is_key = caller.kind === 'api_key'
  const is_short = request.body_length <= scanned_length_max
  const stores_body = with_bodies && is_short && mayLogBody(request)
  return {
    account_id,
    request_id: request.id,
    method: request.method,
    url: request.url,
    status: reply.statusCode,
    duration_ms: Math.min(Math.round(reply.elapsedTime), 2_147_483_647),
    caller_kind: is_key ? 'api_key' : 'user',
    caller_id: is_key ? caller.principal_id : caller.user_id,
    has_idempotency_key: request.headers['idempotency-key'] !== undefined,
    error: request.error_code ?? null,
    request_body: stores_body ? request.body : undefined,
    response_body: request.sent_text,
  }
}

function measureLog(registry: Registry, log: RequestLog): void {
  new Gauge({
    name: 'florin_request_log_waiting',
    help: 'Requests waiting to be written to the request log.',
    registers: [registry],
    collect() {
      this.set(log.waiting)
    },
  })
  let reported = 0
  new Counter({
    name: 'florin_request_log_dropped_total',
    help: 'Requests missing from the request log because of overload or a database outage.',
    registers: [registry],
    collect() {
      this.inc(log.dropped - reported)
      reported = log.dropped
    },
  })
}
