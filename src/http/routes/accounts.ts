import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { EmailChangePolicy } from '../../accounts/email-change.ts'
import {
  accountFinder,
  getAccount,
  getActingAccount,
  requireAccountId,
} from '../../accounts/get-account.ts'
import { listAccounts } from '../../accounts/list-accounts.ts'
import { openAccount, openOwnAccount } from '../../accounts/open-account.ts'
import { changeAccountStatus, updateAccount } from '../../accounts/update-account.ts'
import { listUsersOfActingAccount } from '../../identity/users/list-users.ts'
import type { PasswordPolicy } from '../../identity/users/password-policy.ts'
import { closeAccount } from '../../operations/close-account.ts'
import type { Db } from '../../postgres/database.ts'
import { clampLimit } from '../../primitives/cursor.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { rateLimitAddress } from '../client-address.ts'
import { type CountSignUp, hashingClientOf } from '../hashing-client.ts'
import {
  countOf,
  cursorList,
  cursorQuery,
  fields,
  idOf,
  messageOf,
  oneOf,
  pageQuery,
  settingsInput,
  strictObject,
  timeOf,
} from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

const tags = ['Accounts']
const params = Type.Object({ account_id: idOf('acct', 'The id of the account.') })
const account = { status: 200, description: 'The account.', schema: Type.Ref('Account') } as const

const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const noToken = ['unauthorized', 'The token is missing or invalid.'] as const
const notPermittedOrWrongPassword = [
  'unauthorized',
  'The token is missing, invalid or lacks permission, or the password is wrong.',
] as const
const notPermitted = ['unauthorized', 'The token is missing, invalid or lacks permission.'] as const
const noAccount = ['forbidden', 'The caller has no account, or Florin-Account is missing.'] as const
const unknown = ['not_found', 'No account with this id exists.'] as const
const taken = ['email_exists', 'A user with this email already exists.'] as const
const tooOften = ['rate_limited', 'Too many email changes were requested.'] as const

export interface AccountRouteParts {
  db: Db
  passwords: PasswordPolicy
  countSignUp: CountSignUp
  email_change_policy: EmailChangePolicy
  public_url: string
}

export function accountRoutes(parts: AccountRouteParts): FastifyPluginAsyncTypebox {
  const { db, passwords, countSignUp, email_change_policy } = parts
  const findAccount = accountFinder(db)
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/accounts',
      config: {
        access: { token: 'or_sign_up', operation: 'create_account', changes_caller: true },
      },
      schema: {
        tags,
        operationId: 'createAccount',
        summary: 'Open an account',
        description:
          'Opens an account and creates its owner, a user with this email and password. With the ' +
          "token of a user without an account, and that user's email and password, that user " +
          'becomes the owner.',
        body: strictObject({
          email: fields.email,
          name: fields.accountName,
          type: fields.accountType,
          password: fields.password,
          settings: Type.Optional(settingsInput),
        }),
        response: responseSchemas({
          body: true,
          success: { ...account, status: 201 },
          refusals: [badFields, notPermittedOrWrongPassword, taken],
        }),
      },
      handler: async (request, reply) => {
        reply.code(201)
        const { caller, body } = request
        const client = hashingClientOf(request, reply)
        if (caller?.role === 'lone') {
          return openOwnAccount(db, caller, body, rateLimitAddress(request.ip), client)
        }
        const count = () => countSignUp(request)
        const opener = { caller, request_id: request.id, client, count }
        return openAccount(db, opener, body, passwords)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/accounts',
      config: { access: { token: 'required', operation: 'list_accounts' } },
      schema: {
        tags,
        operationId: 'listAccounts',
        summary: 'List accounts',
        description: 'For admins and platform users. Returns all accounts, oldest first.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(fields.accountStatus),
          type: Type.Optional(fields.accountType),
          created_after: Type.Optional(
            Type.String({
              format: 'timestamp',
              description: 'Only accounts opened at or after this time.',
            }),
          ),
          created_before: Type.Optional(
            Type.String({
              format: 'timestamp',
              description: 'Only accounts opened at or before this time.',
            }),
          ),
          search: Type.Optional(
            Type.String({
              format: 'line',
              maxLength: 200,
              description: 'Part of the name or email. Case is ignored.',
            }),
          ),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of accounts, without their settings.',
            schema: Type.Object({
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
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed.'],
            noToken,
            ['forbidden', 'Only admins and platform users can list accounts.'],
          ],
        }),
      },
      handler: (request) =>
        listAccounts(db, callerOf(request), {
          ...request.query,
          limit: clampLimit(request.query.limit),
        }),
    })

    app.route({
      method: 'GET',
      url: '/v1/accounts/:account_id',
      config: { access: { token: 'required', operation: 'retrieve_account_by_id' } },
      schema: {
        tags,
        operationId: 'getAccountById',
        summary: 'Retrieve any account',
        description: 'For admins and platform users. Returns the account with this id.',
        params,
        response: responseSchemas({ success: account, refusals: [notPermitted, unknown] }),
      },
      handler: (request) => getAccount(findAccount, request.params.account_id),
    })

    app.route({
      method: 'PATCH',
      url: '/v1/accounts/:account_id',
      config: { access: { token: 'required', operation: 'update_account_by_id' } },
      onRequest: async (request) => void requireAccountId(request.params.account_id),
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
        response: responseSchemas({
          body: true,
          success: account,
          refusals: [badFields, notPermitted, unknown, ['conflict', 'The account is closed.']],
        }),
      },
      handler: (request) =>
        changeAccountStatus(db, callerOf(request), request.params.account_id, request.body.status),
    })

    app.route({
      method: 'GET',
      url: '/v1/account',
      config: { access: { token: 'required', operation: 'retrieve_account' } },
      schema: {
        tags,
        operationId: 'getAccount',
        summary: 'Retrieve your account',
        description: 'Returns your account. Admins and platform users name it in Florin-Account.',
        response: responseSchemas({ success: account, refusals: [noToken, noAccount, unknown] }),
      },
      handler: (request) => getActingAccount(findAccount, callerOf(request)),
    })

    app.route({
      method: 'PATCH',
      url: '/v1/account',
      config: { access: { token: 'required', operation: 'update_account' } },
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
        response: responseSchemas({
          body: true,
          success: account,
          refusals: [badFields, notPermitted, noAccount, unknown, taken, tooOften],
        }),
      },
      handler: (request) => updateAccount(db, callerOf(request), request.body, email_change_policy),
    })

    app.route({
      method: 'DELETE',
      url: '/v1/account',
      config: { access: { token: 'required', operation: 'close_account' } },
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'closeAccount',
        summary: 'Close your account',
        description:
          'Closes the account permanently: its tokens are revoked, its users are deleted, and ' +
          'everything pending is canceled. Takes effect at once; events for large accounts ' +
          'follow within seconds, and account.closed is the last one.',
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The account is closed.',
            schema: Type.Object({
              id: idOf('acct', 'The id of the closed account.'),
              status: Type.Literal('closed'),
              closed_at: timeOf('When the account was closed.'),
              message: messageOf('The account has been closed. This cannot be undone.'),
            }),
          },
          refusals: [
            ['invalid_request', 'The request body is not empty.'],
            noToken,
            ['forbidden', 'Only the owner, or an admin with Florin-Account, can close an account.'],
            unknown,
            ['active_subscriptions', 'The account has active subscriptions. Cancel them first.'],
          ],
        }),
      },
      handler: (request) => closeAccount(parts, callerOf(request)),
    })

    app.route({
      method: 'GET',
      url: '/v1/account/users',
      config: { access: { token: 'required', operation: 'list_account_users' } },
      schema: {
        tags,
        operationId: 'listAccountUsers',
        summary: 'List users of your account',
        description: 'Returns the owner and the members, newest first.',
        querystring: Type.Object(cursorQuery),
        response: responseSchemas({
          success: { status: 200, description: 'A page of users.', schema: cursorList('User') },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noToken,
            noAccount,
            unknown,
          ],
        }),
      },
      handler: (request) => listUsersOfActingAccount(db, callerOf(request), request.query),
    })
  }
}
