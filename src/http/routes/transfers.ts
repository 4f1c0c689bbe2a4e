import { Type } from 'typebox'
import { amount_max } from '../../primitives/money.ts'
import { createTransfer } from '../../transfers/create-transfer.ts'
import { getTransferFee, removeTransferFee, setTransferFee } from '../../transfers/fees.ts'
import { getTransfer, listTransfers } from '../../transfers/find-transfers.ts'
import { presentTransfer } from '../../transfers/transfer.ts'
import { route } from '../route.ts'
import { transferFilters } from '../schemas/list-filters.ts'
import {
  cursorList,
  cursorQuery,
  fields,
  idOf,
  nullable,
  strictObject,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Transfers']
const params = Type.Object({ transfer_id: idOf('tr', 'The id of the transfer.') })

const wrongCurrency = ['currency_mismatch', 'The accounts have different currencies.'] as const

export const createTransferRoute = route({
  method: 'POST',
  url: '/v1/transfers',
  // An owner needs a recent login in any client: see createTransfer.
  access: { token: 'required', operation: 'create_transfer', step_up: true },
  schema: {
    tags,
    operationId: 'createTransfer',
    summary: 'Transfer money to another account',
    description:
      'Debits the account at once. The amount is in transit until a worker has credited the ' +
      'target, usually within a second. If the target no longer accepts money, it is returned. ' +
      'Admins and platforms name the source in Florin-Account; an owner needs a recent login.',
    body: strictObject({
      to_account_id: idOf('acct', 'The account that gets the money.'),
      amount: fields.amount,
      currency: fields.currency,
      reference: Type.Optional(
        nullable({
          format: 'line',
          maxLength: 255,
          description: 'Your reference. All accounts of the transfer see it.',
          examples: ['Order 114'],
        }),
      ),
      fee_amount: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: amount_max,
          description:
            'The part of amount that fee_account_id gets, instead of the fee of the account. ' +
            'For admins and platforms.',
          examples: [150],
        }),
      ),
      fee_account_id: Type.Optional(
        idOf('acct', 'The account that gets the fee. Required with a fee_amount above 0.'),
      ),
    }),
  },
  success: [201, 'The transfer, in transit.', Type.Ref('Transfer')],
  refusals: [
    ['invalid_request', 'A field is malformed, or an account is not active.'],
    wrongCurrency,
    refused.notPermitted,
    ['insufficient_funds', 'The amount is larger than the available balance.'],
    ['forbidden', 'Florin-Account is missing, or an owner has sent a fee.'],
    refused.closedAccount,
  ],
  handler: ({ caller, body }, { db }) => createTransfer(db, caller, body),
})

export const listTransfersRoute = route({
  method: 'GET',
  url: '/v1/transfers',
  access: { token: 'required', operation: 'list_transfers' },
  schema: {
    tags,
    operationId: 'listTransfers',
    summary: 'List transfers',
    description:
      'Returns the transfers of the account, sent and received, newest first. Without ' +
      'Florin-Account, admins and platforms get those of all accounts.',
    querystring: Type.Object({ ...cursorQuery, ...transferFilters }),
  },
  success: [200, 'A page of transfers.', cursorList('Transfer')],
  refusals: [refused.badCursor, refused.noToken, refused.hiddenAccount],
  handler: async ({ caller, query }, { db }) => {
    const page = await listTransfers(db, caller, query)
    return { ...page, data: page.data.map(presentTransfer) }
  },
})

export const getTransferRoute = route({
  method: 'GET',
  url: '/v1/transfers/:transfer_id',
  access: { token: 'required', operation: 'retrieve_transfer' },
  schema: {
    tags,
    operationId: 'getTransfer',
    summary: 'Retrieve a transfer',
    description: 'Returns a transfer as the account has sent or received it.',
    params,
  },
  success: [200, 'The transfer.', Type.Ref('Transfer')],
  refusals: [
    refused.noToken,
    ['not_found', 'No transfer with this id exists or is visible to you.'],
  ],
  handler: async ({ caller, params }, { db }) =>
    presentTransfer(await getTransfer(db, caller, params.transfer_id)),
})

const fee_access = { token: 'required', operation: 'change_transfer_fee', step_up: true } as const
const fee_success = [200, 'The fee.', Type.Ref('TransferFee')] as const

export const getTransferFeeRoute = route({
  method: 'GET',
  url: '/v1/account/transfer_fee',
  access: { token: 'required', operation: 'retrieve_transfer_fee' },
  schema: {
    tags,
    operationId: 'getTransferFee',
    summary: 'Retrieve the transfer fee of an account',
    description: 'Returns the fee of transfers from the account, which the platform sets.',
  },
  success: fee_success,
  refusals: [refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller }, { db }) => getTransferFee(db, caller),
})

export const setTransferFeeRoute = route({
  method: 'POST',
  url: '/v1/account/transfer_fee',
  access: fee_access,
  schema: {
    tags,
    operationId: 'setTransferFee',
    summary: 'Set the transfer fee of an account',
    description:
      'Replaces the fee of transfers from the account, for admins and platforms. Transfers that ' +
      'were created before keep their fee. Every change is in the audit log.',
    body: strictObject({
      fee_account_id: idOf('acct', 'The account that gets the fee, in the same currency.'),
      basis_points: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 10_000,
          description: 'Hundredths of a percent of the amount: 200 is 2 %. Rounded down.',
          examples: [200],
        }),
      ),
      fixed_amount: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: amount_max,
          description: 'In minor units, added to the percentage.',
          examples: [0],
        }),
      ),
    }),
  },
  success: fee_success,
  refusals: [
    refused.badFields,
    wrongCurrency,
    refused.notPermitted,
    refused.noAccount,
    refused.closedAccount,
  ],
  handler: ({ caller, body }, { db }) => setTransferFee(db, caller, body),
})

export const deleteTransferFeeRoute = route({
  method: 'DELETE',
  url: '/v1/account/transfer_fee',
  access: fee_access,
  schema: {
    tags,
    operationId: 'deleteTransferFee',
    summary: 'Delete the transfer fee of an account',
    description: 'Transfers from the account have no fee from now on.',
    body: withoutBody,
  },
  success: fee_success,
  refusals: [refused.bodyNotEmpty, refused.notPermitted, refused.noAccount, refused.closedAccount],
  handler: ({ caller }, { db }) => removeTransferFee(db, caller),
})

export const transferRoutes = [
  createTransferRoute,
  listTransfersRoute,
  getTransferRoute,
  getTransferFeeRoute,
  setTransferFeeRoute,
  deleteTransferFeeRoute,
]
