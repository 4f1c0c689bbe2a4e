import { Type } from 'typebox'
import { getAccount, getActingAccount, requireAccountId } from '../../accounts/get-account.ts'
import { listAccounts } from '../../accounts/list-accounts.ts'
import { openAccount, openOwnAccount } from '../../accounts/open-account.ts'
import { changeAccountStatus, updateAccount } from '../../accounts/update-account.ts'
import { closeAccount } from '../../operations/close-account.ts'
import { clampLimit } from '../../primitives/cursor.ts'
import { rateLimitAddress } from '../client-address.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { route } from '../route.ts'
import {
  countOf,
  fields,
  idOf,
  messageOf,
  oneOf,
  pageQuery,
  settingsInput,
  strictObject,
  timeOf,
  timestampOf,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Accounts']
const params = Type.Object({ account_id: idOf('acct', 'The id of the account.') })
const account = [200, 'The account.', Type.Ref('Account')] as const

const notPermittedOrWrongPassword = [
  'unauthorized',
  'The token is missing, invalid or lacks permission, or the password is wrong.',
] as const
const unknown = ['not_found', 'No account with this id exists.'] as const
const tooOften = ['rate_limited', 'Too many email changes were requested.'] as const

export const createAccountRoute = route({
  method: 'POST',
  url: '/v1/accounts',
  access: { token: 'or_sign_up', operation: 'create_account', changes_caller: true },
  schema: {
    tags,
    operationId: 'createAccount',
    summary: 'Open an account',
    description:
      'Opens an account and creates its owner, a user with this email and password. With the ' +
      "token of a user without an account, and that user's email and password, that user " +
      'becomes the owner. Without a token in live mode, the owner is pending and cannot log in ' +
      'until a link in an email is used; a sign-up that is not confirmed is deleted after 24 ' +
      'hours.',
    body: strictObject({
      email: fields.email,
      name: fields.accountName,
      type: fields.accountType,
      password: fields.password,
      settings: Type.Optional(settingsInput),
    }),
  },
  success: [201, 'The account.', Type.Ref('Account')],
  refusals: [refused.badFields, notPermittedOrWrongPassword, refused.emailExists],
  handler: async (request, { db, passwords, countSignUp, sign_up_policy: policy }, reply) => {
    const { caller, body } = request
    const client = hashingClientOf(request, reply)
    if (caller?.role === 'lone') {
      return openOwnAccount(db, caller, body, rateLimitAddress(request.ip), client)
    }
    const count = () => countSignUp(request)
    const opener = { caller, request_id: request.id, client, count, policy }
    return openAccount(db, opener, body, passwords)
  },
})

export const listAccountsRoute = route({
  method: 'GET',
  url: '/v1/accounts',
  access: { token: 'required', operation: 'list_accounts' },
  schema: {
    tags,
    operationId: 'listAccounts',
    summary: 'List accounts',
    description: 'For admins and platform users. Returns all accounts, oldest first.',
    querystring: Type.Object({
      ...pageQuery,
      status: Type.Optional(fields.accountStatus),
      type: Type.Optional(fields.accountType),
      created_after: timestampOf('Only accounts opened at or after this time.'),
      created_before: timestampOf('Only accounts opened at or before this time.'),
      search: Type.Optional(
        Type.String({
          format: 'line',
          maxLength: 200,
          description: 'Part of the name or email. Case is ignored.',
        }),
      ),
    }),
  },
  success: [
    200,
    'A page of accounts, without their settings.',
    Type.Object({
      data: Type.Array(Type.Ref('ListedAccount')),
      pagination: Type.Object({
        page: countOf('The current page, starting at 1.', 1),
        limit: countOf('The number of entries per page.', 25),
        total: countOf('The number of entries on all pages.', 1),
        has_next: Type.Boolean({
          description: 'Whether there is a next page.',
          examples: [false],
        }),
      }),
    }),
  ],
  refusals: [
    refused.badParameter,
    refused.noToken,
    ['forbidden', 'Only admins and platform users can list accounts.'],
  ],
  handler: ({ caller, query }, { db }) =>
    listAccounts(db, caller, {
      ...query,
      limit: clampLimit(query.limit),
    }),
})

export const getAccountByIdRoute = route({
  method: 'GET',
  url: '/v1/accounts/:account_id',
  access: { token: 'required', operation: 'retrieve_account_by_id' },
  schema: {
    tags,
    operationId: 'getAccountById',
    summary: 'Retrieve any account',
    description: 'For admins and platform users. Returns the account with this id.',
    params,
  },
  success: account,
  refusals: [refused.notPermitted, unknown],
  handler: ({ params }, { findAccount }) => getAccount(findAccount, params.account_id),
})

export const updateAccountStatusRoute = route({
  method: 'PATCH',
  url: '/v1/accounts/:account_id',
  access: { token: 'required', operation: 'update_account_by_id' },
  schema: {
    tags,
    operationId: 'updateAccountStatus',
    summary: 'Update the status of an account',
    description: 'For admins. To close an account, use DELETE /v1/account.',
    params,
    body: strictObject({
      status: oneOf(['active', 'suspended', 'pending'], {
        description: 'A suspended or pending account accepts no new payments.',
        examples: ['suspended'],
      }),
    }),
  },
  success: account,
  refusals: [
    refused.badFields,
    refused.notPermitted,
    unknown,
    ['conflict', 'The account is closed.'],
  ],
  beforeBody: ({ params }) => requireAccountId(params.account_id),
  handler: ({ caller, params, body }, { db }) =>
    changeAccountStatus(db, caller, params.account_id, body.status),
})

export const getAccountRoute = route({
  method: 'GET',
  url: '/v1/account',
  access: { token: 'required', operation: 'retrieve_account' },
  schema: {
    tags,
    operationId: 'getAccount',
    summary: 'Retrieve your account',
    description: 'Returns your account. Admins and platform users name it in Florin-Account.',
  },
  success: account,
  refusals: [refused.noToken, refused.noAccount, unknown],
  handler: ({ caller }, { findAccount }) => getActingAccount(findAccount, caller),
})

export const updateAccountRoute = route({
  method: 'PATCH',
  url: '/v1/account',
  access: {
    token: 'required',
    operation: 'update_account',
    step_up: { fields: ['email'] },
  },
  schema: {
    tags,
    operationId: 'updateAccount',
    summary: 'Update your account',
    description:
      "Changes the fields sent. The email is also the owner's login email. In sandbox mode " +
      'both change immediately. In live mode the response still has the old email: Florin ' +
      'sends a link to the new address, valid for 24 hours, and changes the email when the ' +
      'link is confirmed. ' +
      'The currency is fixed after the first transaction, payment request or subscription.',
    body: strictObject({
      name: Type.Optional(fields.accountName),
      email: Type.Optional(fields.email),
      settings: Type.Optional(settingsInput),
    }),
  },
  success: account,
  refusals: [
    refused.badFields,
    refused.notPermitted,
    refused.noAccount,
    unknown,
    refused.emailExists,
    tooOften,
  ],
  handler: ({ caller, body }, { db, email_change_policy }) =>
    updateAccount(db, caller, body, email_change_policy),
})

export const closeAccountRoute = route({
  method: 'DELETE',
  url: '/v1/account',
  access: { token: 'required', operation: 'close_account' },
  schema: {
    tags,
    operationId: 'closeAccount',
    summary: 'Close your account',
    description:
      'Closes the account permanently: its tokens are revoked, its users are deleted, and ' +
      'everything pending is canceled. Takes effect at once; events for large accounts ' +
      'follow within seconds, and account.closed is the last one.',
    body: withoutBody,
  },
  success: [
    200,
    'The account is closed.',
    Type.Object({
      id: idOf('acct', 'The id of the closed account.'),
      status: Type.Literal('closed'),
      closed_at: timeOf('When the account was closed.'),
      message: messageOf('The account has been closed. This cannot be undone.'),
    }),
  ],
  refusals: [
    refused.bodyNotEmpty,
    refused.noToken,
    ['forbidden', 'Only the owner, or an admin with Florin-Account, can close an account.'],
    unknown,
    ['active_subscriptions', 'The account has active subscriptions. Cancel them first.'],
  ],
  handler: ({ caller }, context) => closeAccount(context, caller),
})

export const accountRoutes = [
  createAccountRoute,
  listAccountsRoute,
  getAccountByIdRoute,
  updateAccountStatusRoute,
  getAccountRoute,
  updateAccountRoute,
  closeAccountRoute,
]
