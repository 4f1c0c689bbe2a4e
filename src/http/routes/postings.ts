import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '../../postgres/database.ts'
import { transactionFinder } from '../../transactions/find-transaction.ts'
import { listPostings } from '../../transactions/list-postings.ts'
import { callerOf } from '../admission.ts'
import { idOf } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

export function postingRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  const find = transactionFinder(db)
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/transactions/:transaction_id/postings',
      config: { access: { token: 'required', operation: 'retrieve_transaction' } },
      schema: {
        tags: ['Transactions'],
        operationId: 'listPostings',
        summary: 'List postings of a transaction',
        description:
          'Returns the ledger postings of the transaction, oldest first: one on creation and one ' +
          'when it is settled or canceled. Postings never change, and there is only one page.',
        params: Type.Object({ transaction_id: idOf('txn', 'The id of the transaction.') }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'The postings.',
            schema: Type.Object({
              object: Type.Literal('list'),
              data: Type.Array(Type.Ref('Posting')),
              has_more: Type.Boolean({ description: 'Always false.', examples: [false] }),
            }),
          },
          refusals: [
            ['unauthorized', 'The token is missing or invalid.'],
            ['not_found', 'No transaction with this id exists or is visible to you.'],
          ],
        }),
      },
      handler: (request) =>
        listPostings(db, find, callerOf(request), request.params.transaction_id),
    })
  }
}
