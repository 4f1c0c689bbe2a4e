import type { Registry } from '@prometheus-io/client'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePermission } from '../../identity/permissions.ts'
import { type FindCaller, kindOf } from '../../identity/sessions/find-caller.ts'
import { invalidToken } from '../../identity/sessions/require-live-token.ts'
import { readWritability, requireWritable, type Writability } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { isLoopbackName } from '../../server-urls.ts'
import { findBearer } from '../admission.ts'
import { nameIn } from '../allowed-hosts.ts'
import { isLoopback } from '../client-address.ts'
import { responseSchemas } from '../schemas/response.ts'

const config = { access: { token: 'uncounted' }, quiet: true } as const
const tags = ['Health']

const state = Type.Object({ status: Type.String({ examples: ['ok'] }) })

export interface HealthParts {
  db: Db
  registry: Registry
  findCaller: FindCaller
  /** False while the server drains, so that load balancers stop sending requests. */
  isServing: () => boolean
}

export function healthRoutes(parts: HealthParts): FastifyPluginAsync {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/livez',
      config,
      schema: {
        tags,
        operationId: 'isAlive',
        summary: 'Check liveness',
        description: 'Returns 200 while the process runs. Does not check the database.',
        security: [],
        response: responseSchemas({
          success: { status: 200, description: 'The process is running.', schema: state },
          refusals: [],
        }),
      },
      handler: async () => ({ status: 'ok' }),
    })

    app.route({
      method: 'GET',
      url: '/readyz',
      config,
      schema: {
        tags,
        operationId: 'isReady',
        summary: 'Check readiness',
        description:
          'Returns 200 when the schema is migrated, the configured admin exists and the database ' +
          'responds.',
        security: [],
        response: responseSchemas({
          success: { status: 200, description: 'The server accepts requests.', schema: state },
          refusals: [],
        }),
      },
      handler: async () => {
        if (!parts.isServing()) throw new Refusal('unavailable', 'Florin is shutting down.')
        requireWritable((await parts.db.row<Writability>(readWritability))!)
        return { status: 'ok' }
      },
    })

    addMetrics(app, parts)
  }
}

function addMetrics(app: FastifyInstance, parts: HealthParts): void {
  app.route({
    method: 'GET',
    url: '/metrics',
    config,
    schema: {
      tags,
      operationId: 'getMetrics',
      summary: 'Retrieve metrics',
      description: 'Requires no token from localhost. Other clients need an admin token.',
      security: [{}, { access_token: [] }],
      produces: ['text/plain'],
      response: responseSchemas({
        success: {
          status: 200,
          description: 'Metrics in the Prometheus text format.',
          schema: Type.String({ examples: ['process_resident_memory_bytes 134217728\n'] }),
        },
        refusals: [['unauthorized', 'The token is missing or not an admin token.']],
      }),
    },
    handler: async (request, reply) => {
      await requireLocalOrAdmin(request, parts.findCaller)
      return reply.type(parts.registry.contentType).send(await parts.registry.metrics())
    },
  })
}

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
