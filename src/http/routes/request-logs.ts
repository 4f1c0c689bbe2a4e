import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { getActingAccountId } from '../../identity/acting-account.ts'
import type { Db } from '../../postgres/database.ts'
import { listEntries } from '../../request-log/list-entries.ts'
import { callerOf } from '../admission.ts'
import { listOf } from '../schemas/developer.ts'
import { cursorQuery, oneOf } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

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
          'Returns the API requests made for the account in the last seven days, newest first. ' +
          'With after: the entries after that one, oldest first. Entries appear after half a ' +
          'second, and under load only a sample is stored. Bodies are stored in sandbox mode ' +
          "only, without secrets, and only for operations that the account's owner, members and " +
          'keys may all call.',
        querystring: Type.Object({
          ...cursorQuery,
          status: Type.Optional(
            oneOf(['2xx', '3xx', '4xx', '5xx'], {
              description: 'Only responses of this status class.',
            }),
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
              description: 'Only requests whose path has this prefix, such as /v1/payments.',
            }),
          ),
          after: Type.Optional(
            Type.String({
              description: 'A cursor: the id of an entry. Returns later entries, oldest first.',
            }),
          ),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of requests.',
            schema: listOf('RequestLogEntry'),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            ['unauthorized', 'The token is missing or invalid.'],
            ['forbidden', 'The caller has no account, or Florin-Account is missing.'],
            ['not_found', 'The account in Florin-Account does not exist or is not visible to you.'],
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
