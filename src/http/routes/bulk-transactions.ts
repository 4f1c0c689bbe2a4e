import { Type } from 'typebox'
import { bulk_field, bulkCommands, bulkJson } from '../../transactions/bulk.ts'
import { items_max } from '../bulk-body.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import { idOf, oneOf, strictObject } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendText } from '../send-text.ts'
import { itemFields } from './transactions.ts'

const itemResult = Type.Object({
  result: oneOf(['created', 'failed'], { description: 'What happened to the item.' }),
  transaction: Type.Optional(Type.Ref('ListedTransaction')),
  error: Type.Optional(Type.Ref('Error')),
})

const exampleResults = [
  {
    result: 'created',
    transaction: {
      id: 'txn_01h455vb4pex5vsknk084sn02q',
      account_id: 'acct_01h455vb4pex5vsknk084sn02q',
      amount: 7500,
      currency: 'USD',
      type: 'payment',
      status: 'pending',
      reference: 'Invoice 2026-114',
      metadata: { order: '114' },
      created_at: '2026-11-15T09:30:00.000Z',
    },
  },
]

export const createTransactionsRoute = route({
  method: 'POST',
  url: '/v1/transactions/bulk',
  bodyLimit: body_max_bytes.bulk,
  access: { token: 'required', operation: 'create_transaction', lane: 'transactions' },
  schema: {
    tags: ['Transactions'],
    operationId: 'createTransactions',
    summary: 'Create many transactions',
    description:
      'Creates up to 1,000 transactions of one account, in their order. By default all of them ' +
      'are created, or none. With atomic false, each item has its own result. A request counts ' +
      'as its number of items in the rate limit.',
    body: strictObject({
      account_id: idOf('acct', 'The account that the transactions belong to.'),
      transactions: Type.Array(strictObject(itemFields), {
        minItems: 1,
        maxItems: items_max,
        description: 'The transactions to create.',
      }),
      atomic: Type.Optional(
        Type.Boolean({
          default: true,
          description:
            'true: if one item is rejected, nothing is created and the error names the item. ' +
            'false: the other items are created. A malformed item rejects the request either way.',
          examples: [true],
        }),
      ),
    }),
  },
  success: [
    200,
    'The results, in the order of the items.',
    Type.Object({
      object: Type.Literal('bulk_result'),
      created: Type.Integer({ description: 'How many items were created.', examples: [1] }),
      failed: Type.Integer({
        description: 'How many items were rejected; always 0 if atomic is true.',
        examples: [0],
      }),
      data: Type.Array(itemResult, { examples: [exampleResults] }),
    }),
  ],
  refusals: [
    refused.badFields,
    ['currency_mismatch', 'The currency of an item is not the currency of the account.'],
    refused.noToken,
    ['insufficient_funds', 'A refund is larger than the available balance that is left.'],
    ['not_found', 'No open account with this id exists or is available to you.'],
  ],
  handler: async (request, { processor, submitTransactions }, reply) => {
    const { body } = request
    const commands = bulkCommands(request.caller, body, processor)
    const bulk = { commands, atomic: body.atomic ?? true, field: bulk_field, render: bulkJson }
    return sendText(reply, await submitTransactions(request, bulk, 200))
  },
})

export const bulkTransactionRoutes = [createTransactionsRoute]
