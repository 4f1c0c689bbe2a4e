import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { search, searchable_kinds } from '../../operations/search.ts'
import type { Db } from '../../postgres/database.ts'
import { callerOf } from '../admission.ts'
import { idOf, nullable, oneOf } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

export function searchRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/search',
      config: { access: { token: 'required', operation: 'search' } },
      schema: {
        tags: ['Search'],
        operationId: 'search',
        summary: 'Find an object by its id',
        description:
          'Finds any object that you may see by its id. Admins and platform users find objects ' +
          'of all accounts, and admins also find a user by the full email. Events are looked up ' +
          'in your account, or in the account in Florin-Account.',
        querystring: Type.Object({
          q: Type.String({
            format: 'line',
            minLength: 1,
            maxLength: 300,
            description: 'The id or, for admins, an email address.',
            examples: ['acct_01h455vb4pex5vsknk084sn02q'],
          }),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'The object.',
            schema: Type.Object({
              kind: oneOf(searchable_kinds, { description: 'The kind of object.' }),
              id: idOf('txn', 'The id of the object.'),
              account_id: nullable({
                description: 'The account of the object, or null if it has none.',
                examples: ['acct_01h455vb4pex5vsknk084sn02q'],
              }),
            }),
          },
          refusals: [
            ['invalid_request', 'q is missing or malformed.'],
            ['unauthorized', 'The token is missing, invalid or an API key.'],
            ['not_found', 'No object with this id exists or is visible to you.'],
          ],
        }),
      },
      handler: (request) => search(db, callerOf(request), request.query.q),
    })
  }
}
