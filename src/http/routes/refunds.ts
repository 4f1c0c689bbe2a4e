import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { details_max, listTransactionDetails } from '../../payments/transaction-details.ts'
import type { Db } from '../../postgres/database.ts'
import { transactionFinder } from '../../transactions/find-transaction.ts'
import { listRefunds } from '../../transactions/list-refunds.ts'
import { listedJson } from '../../transactions/transaction.ts'
import { callerOf } from '../admission.ts'
import { refundAmountFields } from '../schemas/report.ts'
import { cursorQuery, idOf } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'
import { sendText } from '../send-text.ts'

const tags = ['Transactions']
const noToken = ['unauthorized', 'The token is missing or invalid.'] as const

export function refundRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  const find = transactionFinder(db)
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/transactions/:transaction_id/refunds',
      config: { access: { token: 'required', operation: 'retrieve_transaction' } },
      schema: {
        tags,
        operationId: 'listRefunds',
        summary: 'List refunds of a payment',
        description:
          'Returns the refunds linked to a payment in every status, newest first, with the ' +
          'amount refunded so far. Empty for a transaction that is not a succeeded payment.',
        params: Type.Object({ transaction_id: idOf('txn', 'The id of the payment.') }),
        querystring: Type.Object(cursorQuery),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of refunds.',
            schema: Type.Object({
              object: Type.Literal('list'),
              ...refundAmountFields,
              data: Type.Array(Type.Ref('ListedTransaction')),
              has_more: Type.Boolean({ examples: [false] }),
            }),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noToken,
            ['not_found', 'No transaction with this id exists or is visible to you.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const { transaction_id } = request.params
        const page = await listRefunds(db, find, callerOf(request), transaction_id, request.query)
        const { object, data, has_more, ...amounts } = page
        const head = JSON.stringify({ object, ...amounts }).slice(0, -1)
        const body = `${head},"data":[${data.map(listedJson).join(',')}],"has_more":${has_more}}`
        return sendText(reply, { status: 200, body, replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/transaction_details',
      config: { access: { token: 'required', operation: 'list_transactions' } },
      schema: {
        tags,
        operationId: 'listTransactionDetails',
        summary: 'List refunds and customers of transactions',
        description:
          'For the transactions of one page, returns the amount refunded and the payment request ' +
          'and customer behind each. The order follows the ids; ids that you may not see are ' +
          'left out. For an API key without the scope payments:read, payment_id and ' +
          'customer_email are null.',
        querystring: Type.Object({
          transaction_ids: Type.String({
            description: `Up to ${details_max} transaction ids, separated by commas.`,
            examples: ['txn_01h455vb4pex5vsknk084sn02q,txn_01h455vb4pex5vsknk084sn02r'],
          }),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'The details, one entry per transaction.',
            schema: Type.Object({
              object: Type.Literal('list'),
              data: Type.Array(Type.Ref('TransactionDetails')),
              has_more: Type.Boolean({ description: 'Always false.', examples: [false] }),
            }),
          },
          refusals: [
            ['invalid_request', 'An id is malformed, or there are too many.'],
            noToken,
            ['not_found', 'The account in Florin-Account does not exist.'],
          ],
        }),
      },
      handler: async (request) => {
        const { transaction_ids } = request.query
        const data = await listTransactionDetails(db, callerOf(request), transaction_ids)
        return { object: 'list' as const, data, has_more: false }
      },
    })
  }
}
