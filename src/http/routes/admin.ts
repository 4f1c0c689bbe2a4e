import { Type } from 'typebox'
import { listAdminsWithoutFactor } from '../../identity/factors/admin-grace.ts'
import { findJobs } from '../../jobs/find-jobs.ts'
import { listAuditTrail } from '../../operations/reports/audit-trail.ts'
import { findBacklog } from '../../operations/reports/backlog.ts'
import { withTimeout } from '../../postgres/database.ts'
import { describeServer } from '../../postgres/describe-server.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, timestampOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Admin']

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
  date_from: timestampOf('Only actions at or after this time.'),
  date_to: timestampOf('Only actions at or before this time.'),
})

const health_ms = 2_000
const health_advice = 'The database is too busy to report its health. Retry shortly.'

export const listAuditLogRoute = route({
  method: 'GET',
  url: '/v1/audit_log',
  access: { token: 'required', operation: 'read_audit_log' },
  schema: {
    tags,
    operationId: 'listAuditLog',
    summary: 'List audit log entries',
    description:
      'For admins. Returns the actions of admins and platforms, newest first. Florin-Account ' +
      'limits the list to one account. An entry is written in the same database transaction ' +
      'as its action and never changes.',
    querystring: auditQuery,
  },
  success: [200, 'A page of entries.', cursorList('AuditEntry')],
  refusals: [refused.badCursor, refused.notAdmin, refused.unknownAccount],
  handler: ({ caller, query }, { db }) => listAuditTrail(db, caller, query),
})

export const getHealthRoute = route({
  method: 'GET',
  url: '/v1/health',
  access: { token: 'required', operation: 'read_health' },
  schema: {
    tags,
    operationId: 'getHealth',
    summary: 'Retrieve server health',
    description:
      'For admins. Returns the last hour of the responding process, the state of the ' +
      "database and the worker's backlog. To monitor several processes, scrape /metrics of " +
      'each.',
  },
  success: [200, 'The health report.', Type.Ref('Health')],
  refusals: [refused.notAdmin],
  handler: (_, { db, version, mode, sends_email, started_at, history }) =>
    withTimeout(db, health_ms, health_advice, async (tx) => {
      const missing = mode === 'live' ? await listAdminsWithoutFactor(tx) : []
      const admins_without_factor = missing.length
      const server = { version, mode, sends_email, admins_without_factor, started_at }
      return {
        server: { ...server, history: [...history.points] },
        database: await describeServer(tx),
        worker: { ...(await findJobs(tx)), ...(await findBacklog(tx)) },
      }
    }),
})

export const adminRoutes = [listAuditLogRoute, getHealthRoute]
