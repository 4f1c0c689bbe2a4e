import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Db } from '../../postgres/database.ts'
import type { Processor } from '../../processors/processor.ts'
import { auditEntryFor } from '../../transactions/audit-entry-for.ts'
import {
  cancelCommand,
  createCommand,
  patchCommand,
  settleCommand,
} from '../../transactions/commands.ts'
import {
  getTransaction,
  readTransactionId,
  transactionFinder,
} from '../../transactions/find-transaction.ts'
import type { TransactionLanes } from '../../transactions/lanes.ts'
import { transactionLister } from '../../transactions/list-transactions.ts'
import { requireValidChange } from '../../transactions/metadata.ts'
import { canceledJson, listedJson, wholeJson } from '../../transactions/transaction.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { body_max_bytes } from '../json-body.ts'
import { transactionFilters } from '../schemas/list-filters.ts'
import {
  cursorQuery,
  fields,
  idOf,
  messageOf,
  nullable,
  oneOf,
  strictObject,
  timeOf,
} from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'
import { sendText } from '../send-text.ts'
import { commandSubmitter } from '../submit-command.ts'

const tags = ['Transactions']
const params = Type.Object({ transaction_id: idOf('txn', 'The id of the transaction.') })

const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const noToken = ['unauthorized', 'The token is missing or invalid.'] as const
const unknown = ['not_found', 'No transaction with this id exists or is visible to you.'] as const
const no_longer_pending = 'The transaction is no longer pending, or its account is closed.'

const reference = (description: string) =>
  nullable({ format: 'line', maxLength: 255, description, examples: ['Invoice 2026-114'] })

// In the schema only to return 409 instead of "not a field".
const fixed = Type.Unknown({ readOnly: true, description: 'Cannot be changed. Returns 409.' })

// The path is checked before the body: a malformed id is 404 before the body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  readTransactionId((request.params as { transaction_id: string }).transaction_id)
}

export interface TransactionRouteParts {
  db: Db
  lanes: TransactionLanes
  processor: Processor
}

export function transactionRoutes(parts: TransactionRouteParts): FastifyPluginAsyncTypebox {
  const { db, lanes, processor } = parts
  const find = transactionFinder(db)
  const list = transactionLister(db)
  const submit = commandSubmitter(lanes, auditEntryFor)

  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/transactions',
      bodyLimit: body_max_bytes.metadata,
      config: {
        access: { token: 'required', operation: 'create_transaction', lane: 'transactions' },
      },
      schema: {
        tags,
        operationId: 'createTransaction',
        summary: 'Create a transaction',
        description:
          'Creates a payment, credit or refund. It is pending until the processor or an admin ' +
          'settles it. A refund reserves its amount from the available balance at once.',
        body: strictObject({
          account_id: idOf('acct', 'The account that the transaction belongs to.'),
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
        }),
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The pending transaction.',
            schema: Type.Ref('ListedTransaction'),
          },
          refusals: [
            badFields,
            ['currency_mismatch', 'The currency is not the currency of the account.'],
            noToken,
            ['insufficient_funds', 'A refund is larger than the available balance.'],
            ['not_found', 'No open account with this id exists or is available to you.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const command = createCommand(callerOf(request), request.body, processor)
        return sendText(reply, await submit(request, command, 201, listedJson))
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/transactions',
      config: { access: { token: 'required', operation: 'list_transactions' } },
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
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of transactions.',
            schema: Type.Object({
              object: Type.Literal('list'),
              data: Type.Array(Type.Ref('ListedTransaction')),
              has_more: Type.Boolean({ examples: [false] }),
            }),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noToken,
            ['not_found', 'The account in Florin-Account does not exist.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const page = await list(callerOf(request), request.query)
        const data = page.data.map(listedJson).join(',')
        const body = `{"object":"list","data":[${data}],"has_more":${page.has_more}}`
        return sendText(reply, { status: 200, body, replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/transactions/:transaction_id',
      config: { access: { token: 'required', operation: 'retrieve_transaction' } },
      schema: {
        tags,
        operationId: 'getTransaction',
        summary: 'Retrieve a transaction',
        description: 'Admins and platform users can retrieve transactions of any account.',
        params,
        response: responseSchemas({
          success: {
            status: 200,
            description: 'The transaction.',
            schema: Type.Ref('Transaction'),
          },
          refusals: [noToken, unknown],
        }),
      },
      handler: async (request, reply) => {
        const row = await getTransaction(find, callerOf(request), request.params.transaction_id)
        return sendText(reply, { status: 200, body: wholeJson(row), replayed: false })
      },
    })

    app.route({
      method: 'PATCH',
      url: '/v1/transactions/:transaction_id',
      bodyLimit: body_max_bytes.metadata,
      config: {
        access: { token: 'required', operation: 'update_transaction', lane: 'transactions' },
      },
      onRequest: validatePathId,
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
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The transaction.',
            schema: Type.Ref('Transaction'),
          },
          refusals: [
            badFields,
            noToken,
            [
              'not_found',
              'No transaction with this id is visible to you, or its account is closed.',
            ],
            ['conflict', 'amount, currency and type cannot be changed.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        requireValidChange(request.body.metadata)
        const row = await getTransaction(find, callerOf(request), request.params.transaction_id)
        const command = patchCommand(row, request.body)
        return sendText(reply, await submit(request, command, 200, wholeJson))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/v1/transactions/:transaction_id',
      config: {
        access: { token: 'required', operation: 'cancel_transaction', lane: 'transactions' },
      },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'cancelTransaction',
        summary: 'Cancel a pending transaction',
        description: 'The transaction remains visible as canceled and never settles.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The transaction has been canceled.',
            schema: Type.Object({
              id: idOf('txn', 'The id of the canceled transaction.'),
              status: Type.Literal('canceled'),
              canceled_at: timeOf('When the transaction was canceled.'),
              message: messageOf('The transaction has been canceled. It will not settle.'),
            }),
          },
          refusals: [badFields, noToken, unknown, ['not_cancellable', no_longer_pending]],
        }),
      },
      handler: async (request, reply) => {
        const row = await getTransaction(find, callerOf(request), request.params.transaction_id)
        return sendText(reply, await submit(request, cancelCommand(row), 200, canceledJson))
      },
    })

    app.route({
      method: 'POST',
      url: '/v1/transactions/:transaction_id/settle',
      config: {
        access: { token: 'required', operation: 'settle_transaction', lane: 'transactions' },
      },
      onRequest: validatePathId,
      schema: {
        tags,
        operationId: 'settleTransaction',
        summary: 'Settle a pending transaction',
        description: 'For admins and platform users. Sets the outcome of a pending transaction.',
        params,
        body: strictObject({
          outcome: oneOf(['succeeded', 'failed']),
          reason: Type.Optional(
            Type.String({
              format: 'line',
              maxLength: 255,
              description: 'Stored in the audit log.',
              examples: ['Seen on the bank statement of 15 November.'],
            }),
          ),
        }),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The transaction.',
            schema: Type.Ref('Transaction'),
          },
          refusals: [
            badFields,
            ['unauthorized', 'The token is missing, invalid or may not settle.'],
            unknown,
            ['conflict', no_longer_pending],
          ],
        }),
      },
      handler: async (request, reply) => {
        const row = await getTransaction(find, callerOf(request), request.params.transaction_id)
        const { outcome, reason } = request.body
        const command = settleCommand(row, outcome)
        return sendText(reply, await submit(request, command, 200, wholeJson, reason))
      },
    })
  }
}
