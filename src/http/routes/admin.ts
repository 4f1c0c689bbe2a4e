import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { findJobs } from '../../jobs/find-jobs.ts'
import { listAuditTrail } from '../../operations/reports/audit-trail.ts'
import { findBacklog } from '../../operations/reports/backlog.ts'
import { type Db, withTimeout } from '../../postgres/database.ts'
import { describeServer } from '../../postgres/describe-server.ts'
import { toIso } from '../../primitives/time.ts'
import { callerOf } from '../admission.ts'
import type { HealthHistory } from '../health-history.ts'
import { cursorQuery } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

const tags = ['Admin']
const notAdmin = ['unauthorized', 'The token is missing, invalid or not an admin token.'] as const

const auditQuery = Type.Object({
  ...cursorQuery,
  action: Type.Optional(
    Type.String({
      format: 'line',
      maxLength: 100,
      description: 'Only actions with this prefix: webhook_endpoint., transaction.settled.',
    }),
  ),
  actor: Type.Optional(Type.String({ description: 'Only actions by this user or API key.' })),
  object: Type.Optional(Type.String({ description: 'Only actions on this object.' })),
  date_from: Type.Optional(
    Type.String({ format: 'timestamp', description: 'Only actions at or after this time.' }),
  ),
  date_to: Type.Optional(
    Type.String({ format: 'timestamp', description: 'Only actions at or before this time.' }),
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
const health_advice = 'The database is too busy to report its health. Retry shortly.'

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
        summary: 'List audit log entries',
        description:
          'For admins. Returns the actions of admins and platforms, newest first. Florin-Account ' +
          'limits the list to one account. An entry is written in the same database transaction ' +
          'as its action and never changes.',
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
            notAdmin,
            ['not_found', 'The account in Florin-Account does not exist.'],
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
        summary: 'Retrieve server health',
        description:
          'For admins. Returns the last hour of the responding process, the state of the ' +
          "database and the worker's backlog. To monitor several processes, scrape /metrics of " +
          'each.',
        response: responseSchemas({
          success: { status: 200, description: 'The health report.', schema: Type.Ref('Health') },
          refusals: [notAdmin],
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
