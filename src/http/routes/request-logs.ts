import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../postgres/database.ts'
import { listEntries } from '../../request-log/list-entries.ts'
import { getActingAccountId } from '../../sessions/acting-account.ts'
import { callerOf } from '../admission.ts'
import { listOf } from '../developer-schemas.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorQuery, oneOf } from '../schemas.ts'
import { Type } from '../type.ts'

export function requestLogRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/request_logs',
      config: { access: { token: 'required', operation: 'read_request_logs' } },
      schema: {
        tags: ['Request logs'],
        operationId: 'listRequestLogs',
        summary: 'List requests',
        description:
          'What was asked of the API for the account in the last seven days, newest first; with ' +
          'after, oldest first from there on. Written half a second later, and a sample under ' +
          'load. Bodies are kept in sandbox alone, without secrets, and only of calls that the ' +
          "account's owner, members and keys may all make.",
        querystring: Type.Object({
          ...cursorQuery,
          status: Type.Optional(
            oneOf(['2xx', '3xx', '4xx', '5xx'], { description: 'Only answers of this class.' }),
          ),
          method: Type.Optional(
            oneOf(['GET', 'POST', 'PATCH', 'DELETE', 'HEAD'], {
              description: 'Only requests with this method.',
            }),
          ),
          path: Type.Optional(
            Type.String({
              format: 'line',
              maxLength: 200,
              description: 'Only requests whose path begins so: /v1/payments.',
            }),
          ),
          after: Type.Optional(
            Type.String({ description: 'An id: what was written after it, oldest first.' }),
          ),
        }),
        response: responseSchemas({
          success: { status: 200, description: 'A page.', schema: listOf('RequestLogEntry') },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            ['unauthorized', 'The token is missing or not valid.'],
            ['forbidden', 'The token has no account, or Florin-Account is missing.'],
            ['not_found', 'Florin-Account names no account that you may see.'],
          ],
        }),
      },
      handler: async (request) => {
        const account_id = await getActingAccountId(db, callerOf(request))
        return listEntries(db, account_id, request.query)
      },
    })
  }
}
