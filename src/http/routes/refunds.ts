import { Type } from 'typebox'
import { details_max, listTransactionDetails } from '../../payments/transaction-details.ts'
import { getCharge } from '../../transactions/get-charge.ts'
import { listRefunds } from '../../transactions/list-refunds.ts'
import { listedJson } from '../../transactions/transaction.ts'
import { route } from '../route.ts'
import { refundAmountFields } from '../schemas/report.ts'
import { completeList, cursorQuery, idOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendJson } from '../send-text.ts'

const tags = ['Transactions']

export const listRefundsRoute = route({
  method: 'GET',
  url: '/v1/transactions/:transaction_id/refunds',
  access: { token: 'required', operation: 'retrieve_transaction' },
  schema: {
    tags,
    operationId: 'listRefunds',
    summary: 'List refunds of a payment',
    description:
      'Returns the refunds linked to a payment in every status, newest first, with the ' +
      'amount refunded so far. Empty for a transaction that is not a succeeded payment.',
    params: Type.Object({ transaction_id: idOf('txn', 'The id of the payment.') }),
    querystring: Type.Object(cursorQuery),
  },
  success: [
    200,
    'A page of refunds.',
    Type.Object({
      object: Type.Literal('list'),
      ...refundAmountFields,
      data: Type.Array(Type.Ref('ListedTransaction')),
      has_more: Type.Boolean({ examples: [false] }),
    }),
  ],
  refusals: [refused.badCursor, refused.noToken, refused.unknownTransaction],
  handler: async ({ caller, params, query }, { db, findTransaction }, reply) => {
    const { transaction_id } = params
    const page = await listRefunds(db, findTransaction, caller, transaction_id, query)
    const { object, data, has_more, ...amounts } = page
    const head = JSON.stringify({ object, ...amounts }).slice(0, -1)
    const rows = data.map(listedJson).join(',')
    return sendJson(reply, `${head},"data":[${rows}],"has_more":${has_more}}`)
  },
})

export const listTransactionDetailsRoute = route({
  method: 'GET',
  url: '/v1/transaction_details',
  access: { token: 'required', operation: 'list_transactions' },
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
  },
  success: [200, 'The details, one entry per transaction.', completeList('TransactionDetails')],
  refusals: [
    ['invalid_request', 'An id is malformed, or there are too many.'],
    refused.noToken,
    refused.unknownAccount,
  ],
  handler: async ({ caller, query }, { db }) => {
    const data = await listTransactionDetails(db, caller, query.transaction_ids)
    return { object: 'list' as const, data, has_more: false }
  },
})

export const getChargeRoute = route({
  method: 'GET',
  url: '/v1/transactions/:transaction_id/charge',
  access: { token: 'required', operation: 'retrieve_transaction' },
  schema: {
    tags,
    operationId: 'getCharge',
    summary: 'Retrieve the charge of a payment',
    description:
      'Returns what the payment provider collected for a payment, its fee, and the card. ' +
      'Only payments by card or through a provider have a charge.',
    params: Type.Object({ transaction_id: idOf('txn', 'The id of the payment.') }),
  },
  success: [200, 'The charge.', Type.Ref('Charge')],
  refusals: [
    refused.noToken,
    ['not_found', 'No transaction with this id is visible to you, or no charge paid it.'],
  ],
  handler: ({ caller, params }, { db, findTransaction }) =>
    getCharge(db, findTransaction, caller, params.transaction_id),
})

export const refundRoutes = [listRefundsRoute, listTransactionDetailsRoute, getChargeRoute]
