import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../postgres/database.ts'
import { search, searchable_kinds } from '../../reports/search.ts'
import { callerOf } from '../admission.ts'
import { responseSchemas } from '../response-schemas.ts'
import { idOf, nullable, oneOf } from '../schemas.ts'
import { Type } from '../type.ts'

export function searchRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/search',
      config: { access: { token: 'required', operation: 'search' } },
      schema: {
        tags: ['Search'],
        operationId: 'search',
        summary: 'Find what an id names',
        description:
          'Any id of something that you may see. Admins and platform users find things of all ' +
          'accounts, and admins also a user by the whole email. Events are looked for in your ' +
          'own account, or in the one that Florin-Account names.',
        querystring: Type.Object({
          q: Type.String({
            format: 'line',
            minLength: 1,
            maxLength: 300,
            description: 'The id, or for admins an email.',
            examples: ['acct_01h455vb4pex5vsknk084sn02q'],
          }),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'What it is.',
            schema: Type.Object({
              kind: oneOf(searchable_kinds, { description: 'What the id names.' }),
              id: idOf('txn', 'Its id.'),
              account_id: nullable({
                description: 'Whose it is; null when it belongs to no account.',
                examples: ['acct_01h455vb4pex5vsknk084sn02q'],
              }),
            }),
          },
          refusals: [
            ['invalid_request', 'q is missing or malformed.'],
            ['unauthorized', "The token is missing or not valid, or an API key's."],
            ['not_found', 'Nothing that you may see has this id.'],
          ],
        }),
      },
      handler: (request) => search(db, callerOf(request), request.query.q),
    })
  }
}
