import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { unknownHeader } from '../../identity/acting-account.ts'
import { createUser, signUp } from '../../identity/users/create-user.ts'
import { deleteUser, requireDeletableId } from '../../identity/users/delete-user.ts'
import { getUser, requireUserId } from '../../identity/users/get-user.ts'
import { listUsers } from '../../identity/users/list-users.ts'
import type { PasswordPolicy } from '../../identity/users/password-policy.ts'
import { updateUser } from '../../identity/users/update-user.ts'
import type { Db } from '../../postgres/database.ts'
import { clampLimit } from '../../primitives/cursor.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { type CountSignUp, hashingClientOf } from '../hashing-client.ts'
import { countOf, fields, idOf, messageOf, pageQuery, strictObject } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

const tags = ['Users']
const params = Type.Object({ user_id: idOf('usr', 'The id of the user.') })

const noToken = ['unauthorized', 'The token is missing or invalid.'] as const
const unknown = ['not_found', 'No user with this id exists or is visible to you.'] as const

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
        description: 'For admins and platform users. Returns all users, oldest first.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(fields.userStatus),
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
            description: 'A page of users.',
            schema: Type.Object({
              data: Type.Array(Type.Ref('User')),
              pagination: Type.Object({
                page: countOf('The current page, starting at 1.', 1),
                limit: countOf('The number of entries per page.', 25),
                total_pages: countOf('The number of pages.', 1),
                total_records: countOf('The number of entries on all pages.', 1),
              }),
            }),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed.'],
            noToken,
            ['forbidden', 'Only admins and platform users can list all users.'],
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
          'Without a token: signs up a user without an account. With the token of an owner: ' +
          'creates a member of that account. With the token of an admin or platform user: ' +
          'creates a user without an account or, with Florin-Account, a member of that account. ' +
          'For the latter a platform key needs the scope `members:write` instead. Revoking the ' +
          'key suspends the users that it created.',
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
            ['unauthorized', 'The token is invalid or may not create users, or sign-up is closed.'],
            ['not_found', 'The account in Florin-Account does not exist or is closed.'],
            ['email_exists', 'A user with this email already exists.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        reply.code(201)
        const { caller, body } = request
        const client = hashingClientOf(request, reply)
        if (caller !== undefined) return createUser(db, caller, body, passwords, client)
        // Florin-Account requests a member of that account, which requires a token.
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
          'Users can retrieve themselves, owners the users of their account, admins and ' +
          'platforms any user.',
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
          'Changes the fields sent. Admins may change the name and password of any user, owners ' +
          "those of their account's users, other users their own. Admins may change the status " +
          "of other users, owners that of their account's members. A new password ends the " +
          "user's other sessions, or all of them if another user sets it. A status other than " +
          'active ends all sessions.',
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
            ['unauthorized', 'The token is invalid or may not change this.'],
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
        description: 'Permanently deletes the user and ends all of their sessions.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: {
            status: 200,
            description: 'The user has been deleted.',
            schema: Type.Object({
              message: messageOf('The user has been deleted.'),
              id: idOf('usr', 'The id of the deleted user.'),
            }),
          },
          refusals: [
            ['invalid_request', 'The request body is not empty.'],
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
