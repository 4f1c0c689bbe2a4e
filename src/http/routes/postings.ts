import { Type } from 'typebox'
import { listPostings } from '../../transactions/list-postings.ts'
import { route } from '../route.ts'
import { completeList, idOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

export const listPostingsRoute = route({
  method: 'GET',
  url: '/v1/transactions/:transaction_id/postings',
  access: { token: 'required', operation: 'retrieve_transaction' },
  schema: {
    tags: ['Transactions'],
    operationId: 'listPostings',
    summary: 'List postings of a transaction',
    description:
      'Returns the ledger postings of the transaction, oldest first: one on creation and one ' +
      'when it is settled or canceled. Postings never change, and there is only one page.',
    params: Type.Object({ transaction_id: idOf('txn', 'The id of the transaction.') }),
  },
  success: [200, 'The postings.', completeList('Posting')],
  refusals: [refused.noToken, refused.unknownTransaction],
  handler: ({ caller, params }, { db, findTransaction }) =>
    listPostings(db, findTransaction, caller, params.transaction_id),
})

export const postingRoutes = [listPostingsRoute]
