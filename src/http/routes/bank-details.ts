// The bank account that payers of an account transfer to. Only admins can set it.

import { Type } from 'typebox'
import {
  removeBankDetails,
  setBankDetails,
} from '../../accounts/bank-details/change-bank-details.ts'
import { getBankDetails } from '../../accounts/bank-details/find-bank-details.ts'
import { route } from '../route.ts'
import { bankDetailsInput } from '../schemas/bank-details.ts'
import { strictObject, withoutBody } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Accounts']
const url = '/v1/account/bank_details'
// Also for API clients: it decides where payers send their money.
const access = { token: 'required', operation: 'manage_bank_details', step_up: 'always' } as const
const success = [200, 'The bank details.', Type.Ref('BankDetails')] as const

export const getBankDetailsRoute = route({
  method: 'GET',
  url,
  access: { token: 'required', operation: 'retrieve_account' },
  schema: {
    tags,
    operationId: 'getBankDetails',
    summary: 'Retrieve the bank details of your account',
    description:
      'Returns the bank account that payers transfer to with the processor "bank_transfer". It ' +
      'belongs to the operator of this server.',
  },
  success,
  refusals: [refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller }, { db, bank_account }) => getBankDetails(db, caller, bank_account),
})

export const setBankDetailsRoute = route({
  method: 'POST',
  url,
  access,
  schema: {
    tags,
    operationId: 'setBankDetails',
    summary: 'Set the bank details of an account',
    description:
      'For admins who have logged in within the last 10 minutes. Replaces the bank account that ' +
      'payers transfer to. Payment pages show it at once, also for payment requests that were ' +
      'created before. Every change is in the audit log.',
    body: strictObject(bankDetailsInput),
  },
  success,
  refusals: [refused.badFields, refused.notAdmin, refused.noAccount, refused.closedAccount],
  handler: ({ caller, body }, context) => setBankDetails(context, caller, body),
})

export const deleteBankDetailsRoute = route({
  method: 'DELETE',
  url,
  access,
  schema: {
    tags,
    operationId: 'deleteBankDetails',
    summary: 'Delete the bank details of an account',
    description:
      'For admins who have logged in within the last 10 minutes. Payers then transfer to the ' +
      'bank account of the server (FLORIN_BANK_IBAN).',
    body: withoutBody,
  },
  success,
  refusals: [refused.bodyNotEmpty, refused.notAdmin, refused.noAccount, refused.closedAccount],
  handler: ({ caller }, context) => removeBankDetails(context, caller),
})

export const bankDetailsRoutes = [getBankDetailsRoute, setBankDetailsRoute, deleteBankDetailsRoute]
