import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePermission } from '../../identity/permissions.ts'
import { type FindCaller, kindOf } from '../../identity/sessions/find-caller.ts'
import { invalidToken } from '../../identity/sessions/require-live-token.ts'
import { readWritability, requireWritable, type Writability } from '../../postgres/connect.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { isLoopbackName } from '../../server-urls.ts'
import { findBearer } from '../admission.ts'
import { nameIn } from '../allowed-hosts.ts'
import { isLoopback } from '../client-address.ts'
import { route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'

const access = { token: 'uncounted' } as const
const tags = ['Health']

const state = Type.Object({ status: Type.String({ examples: ['ok'] }) })

export const isAliveRoute = route({
  method: 'GET',
  url: '/livez',
  access,
  quiet: true,
  schema: {
    tags,
    operationId: 'isAlive',
    summary: 'Check liveness',
    description: 'Returns 200 while the process runs. Does not check the database.',
    security: [],
  },
  success: [200, 'The process is running.', state],
  refusals: [],
  handler: async () => ({ status: 'ok' }),
})

export const isReadyRoute = route({
  method: 'GET',
  url: '/readyz',
  access,
  quiet: true,
  schema: {
    tags,
    operationId: 'isReady',
    summary: 'Check readiness',
    description:
      'Returns 200 when the schema is migrated, the configured admin exists and the database ' +
      'responds.',
    security: [],
  },
  success: [200, 'The server accepts requests.', state],
  refusals: [],
  handler: async (_, context) => {
    await requireReady(context)
    return { status: 'ok' }
  },
})

/** Throws while the server shuts down, and if the database does not accept changes. */
export async function requireReady({ db, isServing }: RouteContext): Promise<void> {
  if (!isServing()) throw new Refusal('unavailable', 'Florin is shutting down.')
  requireWritable((await db.row<Writability>(readWritability))!)
}

export const getMetricsRoute = route({
  method: 'GET',
  url: '/metrics',
  access,
  quiet: true,
  schema: {
    tags,
    operationId: 'getMetrics',
    summary: 'Retrieve metrics',
    description: 'Requires no token from localhost. Other clients need an admin token.',
    security: [{}, { access_token: [] }],
    produces: ['text/plain'],
  },
  success: [
    200,
    'Metrics in the Prometheus text format.',
    Type.String({ examples: ['process_resident_memory_bytes 134217728\n'] }),
  ],
  refusals: [['unauthorized', 'The token is missing or not an admin token.']],
  handler: async (request, { findCaller, registry }, reply) => {
    await requireLocalOrAdmin(request, findCaller)
    return reply.type(registry.contentType).send(await registry.metrics())
  },
})

export const healthRoutes = [isAliveRoute, isReadyRoute, getMetricsRoute]

// A reverse proxy on this machine also connects from loopback, but sets one of these headers. A
// page from another site, loaded in a local browser, sends that site's host.
const proxy_headers = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

function isLocal({ headers, socket }: FastifyRequest): boolean {
  const name = nameIn(headers.host ?? '')
  if (name === undefined || !isLoopbackName(name) || !isLoopback(socket.remoteAddress)) return false
  return proxy_headers.every((header) => headers[header] === undefined)
}

async function requireLocalOrAdmin(request: FastifyRequest, findCaller: FindCaller): Promise<void> {
  if (isLocal(request)) return
  // Only health checks are exempt from the rate limit. This one may cause a query.
  request.charge(1)
  const token = findBearer(request)
  const found = token === undefined ? undefined : await findCaller(token)
  if (found === undefined) throw invalidToken(kindOf(token))
  requirePermission(
    { ...found, request_id: request.id, header_account_id: undefined },
    'read_metrics',
  )
}
