import { Type } from 'typebox'
import {
  approvePayout,
  cancelPayout,
  payoutOutcomes,
  resolvePayout,
} from '../../payouts/change-payout.ts'
import { createPayout } from '../../payouts/create-payout.ts'
import { getPayout, listPayouts } from '../../payouts/find-payout.ts'
import { payoutStatuses, presentPayout, readPayoutId } from '../../payouts/payout.ts'
import { changeDestination, changeLimit, getPayoutSettings } from '../../payouts/payout-settings.ts'
import { balance_max } from '../../primitives/money.ts'
import { route } from '../route.ts'
import { bankAccountInput } from '../schemas/payout.ts'
import {
  cursorList,
  cursorQuery,
  fields,
  idOf,
  nullable,
  oneOf,
  strictObject,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { notPermitted } from './webhooks.ts'

const tags = ['Payouts']
const params = Type.Object({ payout_id: idOf('po', 'The id of the payout.') })
const payout = [200, 'The payout.', Type.Ref('Payout')] as const
const settings = [200, 'The payout settings.', Type.Ref('PayoutSettings')] as const

const unknown = ['not_found', 'No payout with this id exists or is visible to you.'] as const

export const createPayoutRoute = route({
  method: 'POST',
  url: '/v1/payouts',
  // Also for API clients: the money cannot be called back.
  access: { token: 'required', operation: 'create_payout', step_up: 'always' },
  schema: {
    tags,
    operationId: 'createPayout',
    summary: 'Create a payout',
    description:
      'Holds an amount for a transfer to the payout destination. Needs a login within the last ' +
      '10 minutes, and is not available to API keys. The payout waits for approval if the ' +
      'destination is new, or if the total of the last 24 hours exceeds the approval limit.',
    body: strictObject({
      amount: fields.amount,
      currency: Type.Optional(fields.currency),
      reference: Type.Optional(
        nullable({
          format: 'line',
          minLength: 1,
          maxLength: 140,
          description:
            'The text on the bank statement of the recipient. The id of the payout follows it, ' +
            'and it is cut so that both have at most 140 characters.',
          examples: ['Payout of week 47'],
        }),
      ),
    }),
  },
  success: [201, 'The payout.', Type.Ref('Payout')],
  refusals: [
    ['invalid_request', 'A field is malformed, or the account is not active.'],
    ['currency_mismatch', 'The currency is not the currency of the account.'],
    refused.notPermitted,
    ['insufficient_funds', 'The amount exceeds the available balance.'],
    refused.noAccount,
    refused.closedAccount,
    ['conflict', 'The account has no payout destination.'],
  ],
  handler: ({ caller, body }, context) => createPayout(context, caller, body),
})

export const listPayoutsRoute = route({
  method: 'GET',
  url: '/v1/payouts',
  access: { token: 'required', operation: 'list_payouts' },
  schema: {
    tags,
    operationId: 'listPayouts',
    summary: 'List payouts',
    description:
      'Returns the payouts of the account, newest first. Without Florin-Account, admins and ' +
      'platforms get those of all accounts.',
    querystring: Type.Object({
      ...cursorQuery,
      status: Type.Optional(
        oneOf(payoutStatuses, { description: 'Only payouts with this status.' }),
      ),
    }),
  },
  success: [200, 'A page of payouts.', cursorList('Payout')],
  refusals: [refused.badCursor, refused.noToken, refused.hiddenAccount],
  handler: async ({ caller, query }, { db }) => {
    const page = await listPayouts(db, caller, query)
    return { ...page, data: page.data.map(presentPayout) }
  },
})

export const getPayoutRoute = route({
  method: 'GET',
  url: '/v1/payouts/:payout_id',
  access: { token: 'required', operation: 'retrieve_payout' },
  schema: {
    tags,
    operationId: 'getPayout',
    summary: 'Retrieve a payout',
    description: 'Returns a payout with its current status.',
    params,
  },
  success: payout,
  refusals: [refused.noToken, unknown],
  handler: async ({ caller, params }, { db }) =>
    presentPayout(await getPayout(db, caller, params.payout_id)),
})

export const approvePayoutRoute = route({
  method: 'POST',
  url: '/v1/payouts/:payout_id/approve',
  access: { token: 'required', operation: 'approve_payout', step_up: 'always' },
  schema: {
    tags,
    operationId: 'approvePayout',
    summary: 'Approve a payout',
    description:
      'Approves a payout that another user has created, and its destination, which another user ' +
      'has set. For admins and platform users who have logged in within the last 10 minutes. To ' +
      'reject it, cancel it.',
    params,
    body: withoutBody,
  },
  success: payout,
  refusals: [
    refused.bodyNotEmpty,
    refused.notPermitted,
    ['forbidden', 'You created the payout, or set its destination.'],
    unknown,
    ['conflict', 'The payout does not wait for approval.'],
  ],
  beforeBody: ({ params }) => readPayoutId(params.payout_id),
  handler: ({ caller, params }, { db }) => approvePayout(db, caller, params.payout_id),
})

export const cancelPayoutRoute = route({
  method: 'POST',
  url: '/v1/payouts/:payout_id/cancel',
  access: { token: 'required', operation: 'cancel_payout' },
  schema: {
    tags,
    operationId: 'cancelPayout',
    summary: 'Cancel a payout',
    description: 'Cancels a payout that was not exported yet. Its amount is available again.',
    params,
    body: withoutBody,
  },
  success: payout,
  refusals: [
    refused.bodyNotEmpty,
    refused.notPermitted,
    unknown,
    ['conflict', 'The payout is in transit or has ended.'],
  ],
  beforeBody: ({ params }) => readPayoutId(params.payout_id),
  handler: ({ caller, params }, { db }) => cancelPayout(db, caller, params.payout_id),
})

export const resolvePayoutRoute = route({
  method: 'POST',
  url: '/v1/payouts/:payout_id/resolve',
  // The amount of a payout that failed is available again, so it can be paid out twice.
  access: { token: 'required', operation: 'resolve_payout', step_up: 'always' },
  schema: {
    tags,
    operationId: 'resolvePayout',
    summary: 'Record what the bank did with a payout',
    description:
      'Records that the bank has executed (paid) or rejected (failed) a payout in transit, or ' +
      'returned a paid one. For admins and platform users who have logged in within the last 10 ' +
      'minutes.',
    params,
    body: strictObject({
      status: oneOf(payoutOutcomes, { description: 'The new status.', examples: ['paid'] }),
      reason: Type.Optional(
        nullable({
          format: 'line',
          minLength: 1,
          maxLength: 500,
          description: 'Why the bank rejected or returned it.',
          examples: ['AC04: account closed'],
        }),
      ),
    }),
  },
  success: payout,
  refusals: [
    refused.badFields,
    refused.notPermitted,
    unknown,
    ['conflict', 'The payout is not in transit or, to be returned, not paid.'],
  ],
  beforeBody: ({ params }) => readPayoutId(params.payout_id),
  handler: ({ caller, params, body }, { db }) => resolvePayout(db, caller, params.payout_id, body),
})

export const getPayoutSettingsRoute = route({
  method: 'GET',
  url: '/v1/account/payout_settings',
  access: { token: 'required', operation: 'read_payout_settings' },
  schema: {
    tags,
    operationId: 'getPayoutSettings',
    summary: 'Retrieve the payout settings',
    description: 'Returns the payout destination of the account, and when payouts need approval.',
  },
  success: settings,
  refusals: [refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller }, context) => getPayoutSettings(context, caller),
})

export const changePayoutDestinationRoute = route({
  method: 'PATCH',
  url: '/v1/account/payout_destination',
  access: { token: 'required', operation: 'change_payout_destination', step_up: 'always' },
  schema: {
    tags,
    operationId: 'changePayoutDestination',
    summary: 'Change the payout destination',
    description:
      'Sets the bank account for new payouts. Needs a login within the last 10 minutes. The ' +
      'owner gets an email, and the next payout needs approval. Earlier payouts keep their ' +
      'destination.',
    body: strictObject(bankAccountInput),
  },
  success: settings,
  refusals: [refused.badFields, ...notPermitted, refused.closedAccount],
  handler: ({ caller, body }, context) => changeDestination(context, caller, body),
})

export const changePayoutLimitRoute = route({
  method: 'PATCH',
  url: '/v1/account/payout_limit',
  access: { token: 'required', operation: 'change_payout_limit', step_up: 'always' },
  schema: {
    tags,
    operationId: 'changePayoutLimit',
    summary: 'Change the limit of payouts without approval',
    description:
      'Sets up to which total within 24 hours payouts of the account need no approval. For ' +
      'admins who have logged in within the last 10 minutes.',
    body: strictObject({
      approval_limit: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: balance_max,
        description: 'In minor units. null: 0 in live mode, no limit in sandbox mode.',
        examples: [100000],
      }),
    }),
  },
  success: settings,
  refusals: [refused.badFields, refused.notAdmin, refused.noAccount, refused.closedAccount],
  handler: ({ caller, body }, context) => changeLimit(context, caller, body.approval_limit),
})

export const payoutRoutes = [
  createPayoutRoute,
  listPayoutsRoute,
  getPayoutRoute,
  approvePayoutRoute,
  cancelPayoutRoute,
  resolvePayoutRoute,
  getPayoutSettingsRoute,
  changePayoutDestinationRoute,
  changePayoutLimitRoute,
]
