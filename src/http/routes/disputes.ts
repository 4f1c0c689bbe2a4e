import { Type } from 'typebox'
import { presentDispute, readDisputeId } from '../../disputes/dispute.ts'
import { getDispute, listDisputes } from '../../disputes/find-dispute.ts'
import { resolveDispute } from '../../disputes/resolve-dispute.ts'
import { route } from '../route.ts'
import { disputeFilters } from '../schemas/list-filters.ts'
import { cursorList, cursorQuery, idOf, oneOf, strictObject } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Disputes']
const params = Type.Object({ dispute_id: idOf('dsp', 'The id of the dispute.') })

const unknown = ['not_found', 'No dispute with this id exists or is visible to you.'] as const

export const listDisputesRoute = route({
  method: 'GET',
  url: '/v1/disputes',
  access: { token: 'required', operation: 'list_disputes' },
  schema: {
    tags,
    operationId: 'listDisputes',
    summary: 'List disputes',
    description:
      'Returns the disputes of the account, newest first. Without Florin-Account, admins and ' +
      'platforms get those of all accounts.',
    querystring: Type.Object({ ...cursorQuery, ...disputeFilters }),
  },
  success: [200, 'A page of disputes.', cursorList('Dispute')],
  refusals: [refused.badCursor, refused.noToken, refused.hiddenAccount],
  handler: async ({ caller, query }, { db }) => {
    const page = await listDisputes(db, caller, query)
    return { ...page, data: page.data.map(presentDispute) }
  },
})

export const getDisputeRoute = route({
  method: 'GET',
  url: '/v1/disputes/:dispute_id',
  access: { token: 'required', operation: 'retrieve_dispute' },
  schema: {
    tags,
    operationId: 'getDispute',
    summary: 'Retrieve a dispute',
    description:
      'Returns a dispute. A cardholder disputes a payment through their bank. The amount is ' +
      'withdrawn from the account at once, and returned if the dispute is won.',
    params,
  },
  success: [200, 'The dispute.', Type.Ref('Dispute')],
  refusals: [refused.noToken, unknown],
  handler: async ({ caller, params }, { db }) =>
    presentDispute(await getDispute(db, caller, params.dispute_id)),
})

export const resolveDisputeRoute = route({
  method: 'POST',
  url: '/v1/disputes/:dispute_id/resolve',
  access: { token: 'required', operation: 'resolve_dispute' },
  schema: {
    tags,
    operationId: 'resolveDispute',
    summary: 'Resolve a dispute in the sandbox',
    description:
      'Decides a dispute of a sandbox card as the bank would. A dispute that is not resolved ' +
      'by due_at is lost. In live mode only the provider decides.',
    params,
    body: strictObject({
      status: oneOf(['under_review', 'won', 'lost'], {
        description: 'The decision, or under_review as if evidence had been submitted.',
        examples: ['won'],
      }),
    }),
  },
  success: [200, 'The resolved dispute.', Type.Ref('Dispute')],
  refusals: [
    ['invalid_request', 'A field is malformed, the server is live, or a provider decides.'],
    refused.noToken,
    unknown,
    ['conflict', 'The dispute has already been won or lost.'],
  ],
  beforeBody: ({ params }) => readDisputeId(params.dispute_id),
  handler: ({ caller, params, body }, context) =>
    resolveDispute(context, caller, params.dispute_id, body.status),
})

export const disputeRoutes = [listDisputesRoute, getDisputeRoute, resolveDisputeRoute]
