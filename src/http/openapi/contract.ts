// The 20 endpoints with a fixed contract. Their responses never change, and they ignore unknown
// query parameters. All other /v1 endpoints reject an unknown parameter, because ignoring a
// misspelled filter would list everything.

import type { FastifyInstance, RouteOptions } from 'fastify'
import { unknownParameter } from '../schemas/response.ts'

const contract: ReadonlySet<string> = new Set([
  'POST /v1/auth/login',
  'POST /v1/auth/refresh',
  'DELETE /v1/auth/session',
  'GET /v1/users',
  'POST /v1/users',
  'GET /v1/users/:user_id',
  'PATCH /v1/users/:user_id',
  'DELETE /v1/users/:user_id',
  'POST /v1/accounts',
  'GET /v1/accounts',
  'GET /v1/account',
  'PATCH /v1/account',
  'DELETE /v1/account',
  'POST /v1/transactions',
  'GET /v1/transactions',
  'GET /v1/transactions/:transaction_id',
  'PATCH /v1/transactions/:transaction_id',
  'DELETE /v1/transactions/:transaction_id',
  'POST /v1/payments',
  'GET /v1/payments/:payment_id/status',
])

/** Call this before the routes are registered. */
export function rejectUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/') || isInContract(route)) return
    const given = (route.schema?.querystring ?? { type: 'object', properties: {} }) as object
    const querystring = { ...given, additionalProperties: false }
    const response = { 400: unknownParameter(), ...(route.schema?.response as object) }
    route.schema = { ...route.schema, querystring, response }
  })
}

// Fastify adds a HEAD route for each GET route, with the same behavior.
function isInContract({ method, url }: RouteOptions): boolean {
  const [name] = [method].flat()
  return contract.has(`${name === 'HEAD' ? 'GET' : name} ${url}`)
}
