import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../postgres/database.ts'
import { clampLimit } from '../../primitives/numbered-page.ts'
import { unknownHeader } from '../../sessions/acting-account.ts'
import { createUser, signUp } from '../../users/create-user.ts'
import { deleteUser, requireDeletableId } from '../../users/delete-user.ts'
import { getUser, requireUserId } from '../../users/get-user.ts'
import { listUsers } from '../../users/list-users.ts'
import type { PasswordPolicy } from '../../users/password-policy.ts'
import { updateUser } from '../../users/update-user.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { type CountSignUp, hashingClientOf } from '../hashing-client.ts'
import { responseSchemas } from '../response-schemas.ts'
import { countOf, fields, idOf, messageOf, pageQuery, strictObject } from '../schemas.ts'
import { Type } from '../type.ts'

const tags = ['Users']
const params = Type.Object({ user_id: idOf('usr', 'The id of the user.') })

const noToken = ['unauthorized', 'The token is missing or not valid.'] as const
const unknown = ['not_found', 'No user that you may see has this id.'] as const

export interface UserRouteParts {
  db: Db
  passwords: PasswordPolicy
  countSignUp: CountSignUp
}

export function userRoutes(parts: UserRouteParts): FastifyPluginAsyncTypebox {
  const { db, passwords, countSignUp } = parts
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/users',
      config: { access: { token: 'required', operation: 'list_users' } },
      schema: {
        tags,
        operationId: 'listUsers',
        summary: 'List users',
        description: 'All users, oldest first. For admins and platform users.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(fields.userStatus),
          search: Type.Optional(
            Type.String({
              format: 'line',
              maxLength: 200,
              description: 'A part of the name or the email, in any case.',
            }),
          ),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of users.',
            schema: Type.Object({
              data: Type.Array(Type.Ref('User')),
              pagination: Type.Object({
                page: countOf('This page, from 1.', 1),
                limit: countOf('Entries on a page.', 25),
                total_pages: countOf('How many pages there are.', 1),
                total_records: countOf('Entries on all pages.', 1),
              }),
            }),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed.'],
            noToken,
            ['forbidden', 'Only admins and platform users list all users.'],
          ],
        }),
      },
      handler: (request) =>
        listUsers(db, callerOf(request), {
          ...request.query,
          limit: clampLimit(request.query.limit),
        }),
    })

    app.route({
      method: 'POST',
      url: '/v1/users',
      config: { access: { token: 'or_sign_up', operation: 'create_user' } },
      schema: {
        tags,
        operationId: 'createUser',
        summary: 'Create a user',
        description:
          "Without a token: signs up a user without an account. With an owner's token: a member " +
          "of that account. With an admin's or platform user's token: a user without an account, " +
          'or with the Florin-Account header a member of that account: for that a platform key ' +
          'needs the scope `members:write` instead. Revoking the key suspends the users that it ' +
          'created.',
        body: strictObject({
          email: fields.email,
          password: fields.password,
          name: Type.Optional(fields.userName),
        }),
        response: responseSchemas({
          body: true,
          success: { status: 201, description: 'The user.', schema: Type.Ref('User') },
          refusals: [
            ['invalid_request', 'A field is missing or malformed, or the password is too short.'],
            [
              'unauthorized',
              'The token is not valid or may not create users, or sign-up is closed.',
            ],
            ['not_found', 'Florin-Account names no open account.'],
            ['email_exists', 'The email is in use.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        reply.code(201)
        const { caller, body } = request
        const client = hashingClientOf(request, reply)
        if (caller !== undefined) return createUser(db, caller, body, passwords, client)
        // Whoever names an account wants a member of it, and without a token there is none to name.
        if (request.headers['florin-account'] !== undefined) throw unknownHeader()
        const count = () => countSignUp(request)
        return signUp(db, { request_id: request.id, client, count }, body, passwords)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/users/:user_id',
      config: { access: { token: 'required', operation: 'retrieve_user' } },
      schema: {
        tags,
        operationId: 'getUser',
        summary: 'Retrieve a user',
        description:
          "Yourself; for an owner the account's users; for admins and platforms any user.",
        params,
        response: responseSchemas({
          success: { status: 200, description: 'The user.', schema: Type.Ref('User') },
          refusals: [noToken, unknown],
        }),
      },
      handler: (request) => getUser(db, callerOf(request), request.params.user_id),
    })

    app.route({
      method: 'PATCH',
      url: '/v1/users/:user_id',
      config: { access: { token: 'required', operation: 'update_user' } },
      onRequest: async (request) => void requireUserId(request.params.user_id),
      schema: {
        tags,
        operationId: 'updateUser',
        summary: 'Update a user',
        description:
          "Changes the fields sent. An admin sets anybody's name and password, an owner those of " +
          "all the account's users, members and users without an account their own. An admin " +
          "sets others' status, an owner that of the account's members. A new password ends the " +
          "user's other sessions, all of them if somebody else set it; a status other than " +
          'active ends all of them.',
        params,
        body: strictObject({
          name: Type.Optional(fields.userName),
          status: Type.Optional(fields.userStatus),
          password: Type.Optional(fields.password),
        }),
        response: responseSchemas({
          body: true,
          success: { status: 200, description: 'The user.', schema: Type.Ref('User') },
          refusals: [
            ['invalid_request', 'A field is malformed or unknown.'],
            ['unauthorized', 'The token is not valid, or may not change this.'],
            unknown,
          ],
        }),
      },
      handler: (request, reply) => {
        const { params, body } = request
        const client = hashingClientOf(request, reply)
        return updateUser(db, callerOf(request), params.user_id, body, passwords, client)
      },
    })

    app.route({
      method: 'DELETE',
      url: '/v1/users/:user_id',
      config: { access: { token: 'required', operation: 'delete_user' } },
      onRequest: async (request) =>
        void requireDeletableId(callerOf(request), request.params.user_id),
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description: 'Deletes the user for good, and ends every session of theirs.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The user is gone.',
            schema: Type.Object({
              message: messageOf('The user has been deleted.'),
              id: idOf('usr', 'The deleted user.'),
            }),
          },
          refusals: [
            ['invalid_request', 'A body came that is not empty.'],
            noToken,
            ['forbidden', 'The token may not delete this user.'],
            unknown,
          ],
        }),
      },
      handler: (request) => deleteUser(db, callerOf(request), request.params.user_id),
    })
  }
}
