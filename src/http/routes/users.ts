import { Type } from 'typebox'
import { unknownHeader } from '../../identity/acting-account.ts'
import { requireCurrentPassword } from '../../identity/login/check-password.ts'
import { createUser, signUp } from '../../identity/users/create-user.ts'
import { deleteUser, requireDeletableId } from '../../identity/users/delete-user.ts'
import { getUser, requireUserId } from '../../identity/users/get-user.ts'
import { listUserDetails, listUsers, user_details_max } from '../../identity/users/list-users.ts'
import { updateUser } from '../../identity/users/update-user.ts'
import { clampLimit } from '../../primitives/cursor.ts'
import { rateLimitAddress } from '../client-address.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { route } from '../route.ts'
import {
  completeList,
  countOf,
  fields,
  idOf,
  messageOf,
  pageQuery,
  strictObject,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Users']
const params = Type.Object({ user_id: idOf('usr', 'The id of the user.') })

const unknown = ['not_found', 'No user with this id exists or is visible to you.'] as const

export const listUsersRoute = route({
  method: 'GET',
  url: '/v1/users',
  access: { token: 'required', operation: 'list_users' },
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
  },
  success: [
    200,
    'A page of users.',
    Type.Object({
      data: Type.Array(Type.Ref('User')),
      pagination: Type.Object({
        page: countOf('The current page, starting at 1.', 1),
        limit: countOf('The number of entries per page.', 25),
        total_pages: countOf('The number of pages.', 1),
        total_records: countOf('The number of entries on all pages.', 1),
      }),
    }),
  ],
  refusals: [
    refused.badParameter,
    refused.noToken,
    ['forbidden', 'Only admins and platform users can list all users.'],
  ],
  handler: ({ caller, query }, { db }) =>
    listUsers(db, caller, {
      ...query,
      limit: clampLimit(query.limit),
    }),
})

export const listUserDetailsRoute = route({
  method: 'GET',
  url: '/v1/user_details',
  access: { token: 'required', operation: 'list_users' },
  schema: {
    tags,
    operationId: 'listUserDetails',
    summary: 'List roles and accounts of users',
    description:
      'For the users of one page, returns the role and the account of each. The order follows ' +
      'the ids; users that do not exist are left out. For admins and platform users.',
    querystring: Type.Object({
      user_ids: Type.String({
        description: `Up to ${user_details_max} user ids, separated by commas.`,
        examples: ['usr_01h455vb4pex5vsknk084sn02q,usr_01h455vb4pex5vsknk084sn02r'],
      }),
    }),
  },
  success: [200, 'The details, one entry per user.', completeList('UserDetails')],
  refusals: [
    ['invalid_request', 'An id is malformed, or there are too many.'],
    refused.noToken,
    ['forbidden', 'Only admins and platform users can list all users.'],
  ],
  handler: async ({ query }, { db }) => {
    const data = await listUserDetails(db, query.user_ids)
    return { object: 'list' as const, data, has_more: false }
  },
})

export const createUserRoute = route({
  method: 'POST',
  url: '/v1/users',
  // Step-up, as for invitations: a new user outlives a stolen cookie.
  access: { token: 'or_sign_up', operation: 'create_user', step_up: true },
  schema: {
    tags,
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'Without a token: signs up a user without an account, in live mode with the status ' +
      'pending until a link in an email is used. With the token of an owner: ' +
      'creates a member of that account. With the token of an admin or platform user: ' +
      'creates a user without an account or, with Florin-Account, a member of that account. ' +
      'For the latter a platform key needs the scope `members:write` instead. Revoking the ' +
      'key suspends the users that it created.',
    body: strictObject({
      email: fields.email,
      password: fields.password,
      name: Type.Optional(fields.userName),
    }),
  },
  success: [201, 'The user.', Type.Ref('User')],
  refusals: [
    ['invalid_request', 'A field is missing or malformed, or the password is too short.'],
    ['unauthorized', 'The token is invalid or may not create users, or sign-up is closed.'],
    refused.closedAccount,
    refused.emailExists,
  ],
  handler: async (request, { db, passwords, countSignUp, sign_up_policy: policy }, reply) => {
    const { caller, body } = request
    const client = hashingClientOf(request, reply)
    if (caller !== undefined) return createUser(db, caller, body, passwords, client)
    // Florin-Account requests a member of that account, which requires a token.
    if (request.headers['florin-account'] !== undefined) throw unknownHeader()
    const count = () => countSignUp(request)
    return signUp(db, { request_id: request.id, client, count, policy }, body, passwords)
  },
})

export const getUserRoute = route({
  method: 'GET',
  url: '/v1/users/:user_id',
  access: { token: 'required', operation: 'retrieve_user' },
  schema: {
    tags,
    operationId: 'getUser',
    summary: 'Retrieve a user',
    description:
      'Users can retrieve themselves, owners the users of their account, admins and ' +
      'platforms any user.',
    params,
  },
  success: [200, 'The user.', Type.Ref('User')],
  refusals: [refused.noToken, unknown],
  handler: ({ caller, params }, { db }) => getUser(db, caller, params.user_id),
})

export const updateUserRoute = route({
  method: 'PATCH',
  url: '/v1/users/:user_id',
  access: {
    token: 'required',
    operation: 'update_user',
    step_up: { fields: ['password'] },
  },
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
      current_password: Type.Optional(
        Type.String({
          format: 'line',
          minLength: 1,
          description:
            "The caller's current password. Optional: checked if it is sent. A wrong one counts " +
            'as a failed login.',
          examples: ['correct horse battery'],
          'x-secret': true,
        }),
      ),
    }),
  },
  success: [200, 'The user.', Type.Ref('User')],
  refusals: [
    ['invalid_request', 'A field is malformed or unknown, or "current_password" is wrong.'],
    ['unauthorized', 'The token is invalid or may not change this.'],
    unknown,
  ],
  beforeBody: ({ params }) => requireUserId(params.user_id),
  handler: async (request, { db, passwords }, reply) => {
    const { params, caller } = request
    const { current_password, ...changes } = request.body
    const client = hashingClientOf(request, reply)
    const attempt = { password: current_password ?? '', address: rateLimitAddress(request.ip) }
    const current_hash =
      current_password === undefined
        ? undefined
        : await requireCurrentPassword(db, caller, attempt, client)
    const confirmed = { ...changes, current_hash }
    return updateUser(db, caller, params.user_id, confirmed, passwords, client)
  },
})

export const deleteUserRoute = route({
  method: 'DELETE',
  url: '/v1/users/:user_id',
  access: { token: 'required', operation: 'delete_user' },
  schema: {
    tags,
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description: 'Permanently deletes the user and ends all of their sessions.',
    params,
    body: withoutBody,
  },
  success: [
    200,
    'The user has been deleted.',
    Type.Object({
      message: messageOf('The user has been deleted.'),
      id: idOf('usr', 'The id of the deleted user.'),
    }),
  ],
  refusals: [
    refused.bodyNotEmpty,
    refused.noToken,
    ['forbidden', 'The token may not delete this user.'],
    unknown,
  ],
  beforeBody: ({ caller, params }) => requireDeletableId(caller, params.user_id),
  handler: ({ caller, params }, { db }) => deleteUser(db, caller, params.user_id),
})

export const userRoutes = [
  listUsersRoute,
  listUserDetailsRoute,
  createUserRoute,
  getUserRoute,
  updateUserRoute,
  deleteUserRoute,
]
