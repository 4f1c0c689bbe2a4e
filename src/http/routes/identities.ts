// The logins at an OpenID Connect provider that are linked to the caller.

import { Type } from 'typebox'
import {
  listIdentities,
  requireIdentityId,
  unlinkIdentity,
} from '../../identity/oidc/identities.ts'
import { route } from '../route.ts'
import { completeList, idOf, messageOf, withoutBody } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Sessions']
const access = { token: 'required', operation: 'manage_own_identities' } as const

export const listIdentitiesRoute = route({
  method: 'GET',
  url: '/v1/user/identities',
  access,
  schema: {
    tags,
    operationId: 'listIdentities',
    summary: 'List your linked logins',
    description:
      'Returns the logins at an OpenID Connect provider that are linked to you, newest first.',
  },
  success: [200, 'All linked logins.', completeList('Identity')],
  refusals: [refused.notPermitted],
  handler: ({ caller }, { db }) => listIdentities(db, caller),
})

export const unlinkIdentityRoute = route({
  method: 'DELETE',
  url: '/v1/user/identities/:identity_id',
  access: { ...access, step_up: true },
  schema: {
    tags,
    operationId: 'unlinkIdentity',
    summary: 'Unlink a login',
    description:
      'Removes the link to a login at an OpenID Connect provider. Sessions stay active. The next ' +
      'login with it asks for your password again.',
    params: Type.Object({ identity_id: idOf('idn', 'The id of the linked login.') }),
    body: withoutBody,
  },
  success: [
    200,
    'The login has been unlinked.',
    Type.Object({
      message: messageOf('The login has been unlinked.'),
      id: idOf('idn', 'The id of the linked login.'),
    }),
  ],
  refusals: [
    refused.bodyNotEmpty,
    refused.notPermitted,
    ['not_found', 'You have no linked login with this id.'],
  ],
  beforeBody: ({ params }) => requireIdentityId(params.identity_id),
  handler: ({ caller, params }, { db }) => unlinkIdentity(db, caller, params.identity_id),
})

export const identityRoutes = [listIdentitiesRoute, unlinkIdentityRoute]
