import { Type } from 'typebox'
import { getActingAccountId } from '../../identity/acting-account.ts'
import { listEntries } from '../../request-log/list-entries.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, oneOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

export const listRequestLogsRoute = route({
  method: 'GET',
  url: '/v1/request_logs',
  access: { token: 'required', operation: 'read_request_logs' },
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
  },
  success: [200, 'A page of requests.', cursorList('RequestLogEntry')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: async ({ caller, query }, { db }) => {
    const account_id = await getActingAccountId(db, caller)
    return listEntries(db, account_id, query)
  },
})

export const requestLogRoutes = [listRequestLogsRoute]
