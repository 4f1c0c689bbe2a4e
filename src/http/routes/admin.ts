import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Config } from '../../config.ts'
import { findJobs } from '../../jobs/find-jobs.ts'
import { type Db, withTimeout } from '../../postgres/database.ts'
import { describeServer } from '../../postgres/describe-server.ts'
import { toIso } from '../../primitives/time.ts'
import { listAuditTrail } from '../../reports/audit-trail.ts'
import { findBacklog } from '../../reports/backlog.ts'
import { callerOf } from '../admission.ts'
import type { HealthHistory } from '../health-history.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorQuery } from '../schemas.ts'
import { Type } from '../type.ts'

const tags = ['Admin']
const noRight = ['unauthorized', "The token is missing, not valid, or not an admin's."] as const

const auditQuery = Type.Object({
  ...cursorQuery,
  action: Type.Optional(
    Type.String({
      format: 'line',
      maxLength: 100,
      description: 'Only actions that begin so: webhook_endpoint., transaction.settled.',
    }),
  ),
  actor: Type.Optional(Type.String({ description: 'Only what this user or API key did.' })),
  object: Type.Optional(Type.String({ description: 'Only what was done to this.' })),
  date_from: Type.Optional(
    Type.String({ format: 'timestamp', description: 'Done at this time or later.' }),
  ),
  date_to: Type.Optional(
    Type.String({ format: 'timestamp', description: 'Done at this time or earlier.' }),
  ),
})

export interface AdminRouteParts {
  db: Db
  history: HealthHistory
  mode: Config['mode']
  sends_email: boolean
  version: string
}

const health_ms = 2_000
const health_advice = 'The database is too busy to tell how it is. Try again shortly.'

export function adminRoutes(parts: AdminRouteParts): FastifyPluginAsyncTypebox {
  const { db, history, version, mode, sends_email } = parts
  const started_at = toIso(Date.now())
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/audit_log',
      config: { access: { token: 'required', operation: 'read_audit_log' } },
      schema: {
        tags,
        operationId: 'listAuditLog',
        summary: 'List what admins and platforms did',
        description:
          'For admins. Newest first, of all accounts or of the one that Florin-Account names. ' +
          "Entries are written in the deed's own database transaction and never change.",
        querystring: auditQuery,
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of entries.',
            schema: Type.Object({
              object: Type.Literal('list'),
              data: Type.Array(Type.Ref('AuditEntry')),
              has_more: Type.Boolean({
                description: 'Whether there are more entries in this direction.',
                examples: [false],
              }),
            }),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noRight,
            ['not_found', 'No account has the id in Florin-Account.'],
          ],
        }),
      },
      handler: (request) => listAuditTrail(db, callerOf(request), request.query),
    })

    app.route({
      method: 'GET',
      url: '/v1/health',
      config: { access: { token: 'required', operation: 'read_health' } },
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Report how the server is',
        description:
          'For admins. The last hour of the process that responses, the database, and what waits ' +
          'for the worker. Programs that watch many processes read /metrics of each.',
        response: responseSchemas({
          success: { status: 200, description: 'How it is.', schema: Type.Ref('Health') },
          refusals: [noRight],
        }),
      },
      handler: () =>
        withTimeout(db, health_ms, health_advice, async (tx) => ({
          server: { version, mode, sends_email, started_at, history: [...history.points] },
          database: await describeServer(tx),
          worker: { ...(await findJobs(tx)), ...(await findBacklog(tx)) },
        })),
    })
  }
}
