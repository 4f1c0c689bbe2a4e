import { Type } from 'typebox'
import {
  cancelCommand,
  createCommand,
  patchCommand,
  settleCommand,
} from '../../transactions/commands.ts'
import { getTransaction, readTransactionId } from '../../transactions/find-transaction.ts'
import { listPostings } from '../../transactions/list-postings.ts'
import { requireValidChange } from '../../transactions/metadata.ts'
import { canceledJson, listedJson, wholeJson } from '../../transactions/transaction.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import { transactionFilters } from '../schemas/list-filters.ts'
import {
  completeList,
  cursorQuery,
  fields,
  idOf,
  messageOf,
  nullable,
  oneOf,
  settlementInput,
  strictObject,
  timeOf,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendJson, sendList, sendText } from '../send-text.ts'

const tags = ['Transactions']
const params = Type.Object({ transaction_id: idOf('txn', 'The id of the transaction.') })

const no_longer_pending = 'The transaction is no longer pending, or its account is closed.'

const reference = (description: string) =>
  nullable({ format: 'line', maxLength: 255, description, examples: ['Invoice 2026-114'] })

// In the schema only to return 409 instead of "not a field".
const fixed = Type.Unknown({ readOnly: true, description: 'Cannot be changed. Returns 409.' })

/** The fields of a new transaction, without its account. */
export const itemFields = {
  amount: fields.amount,
  currency: fields.currency,
  type: oneOf(['payment', 'credit', 'refund']),
  reference: Type.Optional(
    reference(
      'Your reference. On a refund, the id of a succeeded payment (txn_…) or of a paid ' +
        'payment request (pay_…) links the refund to it. The linked refunds of a payment ' +
        'cannot exceed its amount.',
    ),
  ),
  metadata: Type.Optional(fields.metadata),
}

export const createTransactionRoute = route({
  method: 'POST',
  url: '/v1/transactions',
  bodyLimit: body_max_bytes.metadata,
  access: { token: 'required', operation: 'create_transaction', lane: 'transactions' },
  schema: {
    tags,
    operationId: 'createTransaction',
    summary: 'Create a transaction',
    description:
      'Creates a payment, credit or refund. It is pending until the processor or an admin ' +
      'settles it. A refund reserves its amount from the available balance at once.',
    body: strictObject({
      account_id: idOf('acct', 'The account that the transaction belongs to.'),
      ...itemFields,
    }),
  },
  success: [201, 'The pending transaction.', Type.Ref('ListedTransaction')],
  refusals: [
    refused.badFields,
    ['currency_mismatch', 'The currency is not the currency of the account.'],
    refused.noToken,
    ['insufficient_funds', 'A refund is larger than the available balance.'],
    ['not_found', 'No open account with this id exists or is available to you.'],
  ],
  handler: async (request, { processor, submitTransaction }, reply) => {
    const command = createCommand(request.caller, request.body, processor)
    return sendText(reply, await submitTransaction(request, command, 201, listedJson))
  },
})

export const listTransactionsRoute = route({
  method: 'GET',
  url: '/v1/transactions',
  access: { token: 'required', operation: 'list_transactions' },
  schema: {
    tags,
    operationId: 'listTransactions',
    summary: 'List transactions',
    description:
      'Returns transactions, newest first. For admins and platform users: of all accounts, ' +
      'or of the account in Florin-Account.',
    querystring: Type.Object({
      ...cursorQuery,
      ...transactionFilters,
    }),
  },
  success: [
    200,
    'A page of transactions.',
    Type.Object({
      object: Type.Literal('list'),
      data: Type.Array(Type.Ref('ListedTransaction')),
      has_more: Type.Boolean({ examples: [false] }),
    }),
  ],
  refusals: [refused.badCursor, refused.noToken, refused.unknownAccount],
  handler: async ({ caller, query }, { listTransactions }, reply) =>
    sendList(reply, await listTransactions(caller, query), listedJson),
})

export const getTransactionRoute = route({
  method: 'GET',
  url: '/v1/transactions/:transaction_id',
  access: { token: 'required', operation: 'retrieve_transaction' },
  schema: {
    tags,
    operationId: 'getTransaction',
    summary: 'Retrieve a transaction',
    description: 'Admins and platform users can retrieve transactions of any account.',
    params,
  },
  success: [200, 'The transaction.', Type.Ref('Transaction')],
  refusals: [refused.noToken, refused.unknownTransaction],
  handler: async ({ caller, params }, { findTransaction }, reply) => {
    const row = await getTransaction(findTransaction, caller, params.transaction_id)
    return sendJson(reply, wholeJson(row))
  },
})

export const updateTransactionRoute = route({
  method: 'PATCH',
  url: '/v1/transactions/:transaction_id',
  bodyLimit: body_max_bytes.metadata,
  access: { token: 'required', operation: 'update_transaction', lane: 'transactions' },
  schema: {
    tags,
    operationId: 'updateTransaction',
    summary: 'Update a transaction',
    description:
      'Updates reference and metadata. Metadata keys are merged, and a key set to null is ' +
      'removed. metadata: null clears everything. amount, currency and type never change.',
    params,
    body: strictObject(
      {
        reference: Type.Optional(
          reference('Your reference. Changing it does not affect the link of a refund.'),
        ),
        metadata: Type.Optional(fields.metadata),
        amount: Type.Optional(fixed),
        currency: Type.Optional(fixed),
        type: Type.Optional(fixed),
      },
      { examples: [{ reference: 'Invoice 2026-114', metadata: { order: '114' } }] },
    ),
  },
  success: [200, 'The transaction.', Type.Ref('Transaction')],
  refusals: [
    refused.badFields,
    refused.noToken,
    ['not_found', 'No transaction with this id is visible to you, or its account is closed.'],
    ['conflict', 'amount, currency and type cannot be changed.'],
  ],
  beforeBody: ({ params }) => readTransactionId(params.transaction_id),
  handler: async (request, { findTransaction, submitTransaction }, reply) => {
    requireValidChange(request.body.metadata)
    const row = await getTransaction(findTransaction, request.caller, request.params.transaction_id)
    const command = patchCommand(row, request.body)
    return sendText(reply, await submitTransaction(request, command, 200, wholeJson))
  },
})

export const cancelTransactionRoute = route({
  method: 'DELETE',
  url: '/v1/transactions/:transaction_id',
  access: { token: 'required', operation: 'cancel_transaction', lane: 'transactions' },
  schema: {
    tags,
    operationId: 'cancelTransaction',
    summary: 'Cancel a pending transaction',
    description: 'The transaction remains visible as canceled and never settles.',
    params,
    body: withoutBody,
  },
  success: [
    200,
    'The transaction has been canceled.',
    Type.Object({
      id: idOf('txn', 'The id of the canceled transaction.'),
      status: Type.Literal('canceled'),
      canceled_at: timeOf('When the transaction was canceled.'),
      message: messageOf('The transaction has been canceled. It will not settle.'),
    }),
  ],
  refusals: [
    refused.badFields,
    refused.noToken,
    refused.unknownTransaction,
    ['not_cancellable', no_longer_pending],
  ],
  beforeBody: ({ params }) => readTransactionId(params.transaction_id),
  handler: async (request, { findTransaction, submitTransaction }, reply) => {
    const row = await getTransaction(findTransaction, request.caller, request.params.transaction_id)
    return sendText(reply, await submitTransaction(request, cancelCommand(row), 200, canceledJson))
  },
})

export const settleTransactionRoute = route({
  method: 'POST',
  url: '/v1/transactions/:transaction_id/settle',
  access: { token: 'required', operation: 'settle_transaction', lane: 'transactions' },
  schema: {
    tags,
    operationId: 'settleTransaction',
    summary: 'Settle a pending transaction',
    description: 'For admins and platform users. Sets the outcome of a pending transaction.',
    params,
    body: settlementInput,
  },
  success: [200, 'The transaction.', Type.Ref('Transaction')],
  refusals: [
    refused.badFields,
    refused.mayNotSettle,
    refused.unknownTransaction,
    ['conflict', no_longer_pending],
  ],
  beforeBody: ({ params }) => readTransactionId(params.transaction_id),
  handler: async (request, { findTransaction, submitTransaction }, reply) => {
    const row = await getTransaction(findTransaction, request.caller, request.params.transaction_id)
    const { outcome, reason } = request.body
    const command = settleCommand(row, outcome)
    return sendText(reply, await submitTransaction(request, command, 200, wholeJson, reason))
  },
})

export const listPostingsRoute = route({
  method: 'GET',
  url: '/v1/transactions/:transaction_id/postings',
  access: { token: 'required', operation: 'retrieve_transaction' },
  schema: {
    tags,
    operationId: 'listPostings',
    summary: 'List postings of a transaction',
    description:
      'Returns the ledger postings of the transaction, oldest first: one on creation and one ' +
      'when it is settled or canceled. Postings never change, and there is only one page.',
    params,
  },
  success: [200, 'The postings.', completeList('Posting')],
  refusals: [refused.noToken, refused.unknownTransaction],
  handler: ({ caller, params }, { db, findTransaction }) =>
    listPostings(db, findTransaction, caller, params.transaction_id),
})

export const transactionRoutes = [
  createTransactionRoute,
  listTransactionsRoute,
  getTransactionRoute,
  updateTransactionRoute,
  cancelTransactionRoute,
  settleTransactionRoute,
  listPostingsRoute,
]
