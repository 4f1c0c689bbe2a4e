import { Type } from 'typebox'
import { changeRole } from '../../identity/users/change-role.ts'
import { requireUserId } from '../../identity/users/get-user.ts'
import { listUsersOfActingAccount } from '../../identity/users/list-users.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, idOf, strictObject } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { memberRole } from '../schemas/team.ts'

const tags = ['Accounts']

export const listAccountUsersRoute = route({
  method: 'GET',
  url: '/v1/account/users',
  access: { token: 'required', operation: 'list_account_users' },
  schema: {
    tags,
    operationId: 'listAccountUsers',
    summary: 'List users of your account',
    description: 'Returns the owner and the members with their roles, newest first.',
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of users.', cursorList('AccountUser')],
  refusals: [
    refused.badCursor,
    refused.noToken,
    refused.noAccount,
    ['not_found', 'No account with this id exists.'],
  ],
  handler: ({ caller, query }, { db }) => listUsersOfActingAccount(db, caller, query),
})

export const changeUserRoleRoute = route({
  method: 'PATCH',
  url: '/v1/account/users/:user_id',
  access: { token: 'required', operation: 'change_role' },
  schema: {
    tags,
    operationId: 'changeUserRole',
    summary: 'Change the role of a user of your account',
    description:
      'For the owner, and for admins with Florin-Account. Makes a member read-only, or gives a ' +
      'read-only member the role member again. If the role changes, all sessions of the user end.',
    params: Type.Object({ user_id: idOf('usr', 'The id of the user.') }),
    body: strictObject({ role: memberRole }),
  },
  success: [200, 'The user.', Type.Ref('AccountUser')],
  refusals: [
    refused.badFields,
    refused.notPermitted,
    ['forbidden', "The user is the owner, or the caller's account is not known."],
    ['not_found', 'No user with this id exists in the account.'],
  ],
  beforeBody: ({ params }) => requireUserId(params.user_id),
  handler: ({ caller, params, body }, { db }) => changeRole(db, caller, params.user_id, body.role),
})

export const teamRoutes = [listAccountUsersRoute, changeUserRoleRoute]
