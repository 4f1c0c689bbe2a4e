// Invitations of an account, and the page behind the link of one. Opening the page changes nothing,
// because mail scanners open links.

import { Type } from 'typebox'
import { findRecipient } from '../../accounts/find-accounts.ts'
import {
  acceptInvitation,
  findInvitation,
} from '../../identity/one-time-links/accept-invitation.ts'
import {
  createInvitation,
  listInvitations,
  requireInvitationId,
  revokeInvitation,
} from '../../identity/one-time-links/invitations.ts'
import { invalidInvitationPage, joinPage, takenInvitationPage } from '../../pages/join-page.ts'
import { nameFault, passwordFault, readText } from '../../pages/read-setup-form.ts'
import type { Db } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { refuseCrossSite } from '../cross-site.ts'
import { enterDashboard } from '../enter-dashboard.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { page, route } from '../route.ts'
import {
  cursorList,
  cursorQuery,
  fields,
  idOf,
  messageOf,
  strictObject,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { memberRole } from '../schemas/team.ts'
import { sendPage } from '../send-page.ts'

const tags = ['Accounts']
const access = { token: 'required', operation: 'manage_invitations' } as const

export const createInvitationRoute = route({
  method: 'POST',
  url: '/v1/account/invitations',
  access: { ...access, step_up: true },
  schema: {
    tags,
    operationId: 'createInvitation',
    summary: 'Invite a person to your account',
    description:
      'For the owner, and for admins with Florin-Account. Sends an email with a link that works ' +
      'once, for 7 days. The person chooses a password and becomes a user of the account. ' +
      'Another invitation of the same email replaces the first one.',
    body: strictObject({ email: fields.email, role: memberRole }),
  },
  success: [201, 'The invitation.', Type.Ref('Invitation')],
  refusals: [
    ['invalid_request', 'A field is missing or malformed, or the account is not active.'],
    refused.notPermitted,
    refused.noAccount,
    refused.hiddenAccount,
    refused.emailExists,
    ['conflict', 'The maximum number of open invitations has been reached.'],
  ],
  handler: ({ caller, body }, { db, public_url }) =>
    createInvitation({ db, public_url, findRecipient }, caller, body),
})

export const listInvitationsRoute = route({
  method: 'GET',
  url: '/v1/account/invitations',
  access,
  schema: {
    tags,
    operationId: 'listInvitations',
    summary: 'List open invitations',
    description: 'Returns the invitations that were neither accepted nor expired, newest first.',
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of invitations.', cursorList('Invitation')],
  refusals: [refused.badCursor, refused.notPermitted, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller, query }, { db }) => listInvitations(db, caller, query),
})

export const revokeInvitationRoute = route({
  method: 'DELETE',
  url: '/v1/account/invitations/:invitation_id',
  access,
  schema: {
    tags,
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'The link stops working immediately.',
    params: Type.Object({ invitation_id: idOf('inv', 'The id of the invitation.') }),
    body: withoutBody,
  },
  success: [
    200,
    'The invitation has been revoked.',
    Type.Object({
      message: messageOf('The invitation has been revoked.'),
      id: idOf('inv', 'The id of the invitation.'),
    }),
  ],
  refusals: [
    refused.bodyNotEmpty,
    refused.notPermitted,
    refused.noAccount,
    ['not_found', 'No open invitation with this id exists in the account.'],
  ],
  beforeBody: ({ params }) => requireInvitationId(params.invitation_id),
  handler: ({ caller, params }, { db }) => revokeInvitation(db, caller, params.invitation_id),
})

export const invitationRoutes = [createInvitationRoute, listInvitationsRoute, revokeInvitationRoute]

const link = {
  url: '/join/:token',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
  schema: { params: Type.Object({ token: Type.String() }) },
} as const

export const joinPageRoute = page({
  ...link,
  method: 'GET',
  handler: async ({ params }, { db, sandbox, passwords }, reply) => {
    const invitation = await describeInvitation(db, params.token)
    if (invitation === undefined) return sendPage(reply, 404, invalidInvitationPage({ sandbox }))
    const password_min = passwords.length_min
    return sendPage(reply, 200, joinPage({ sandbox, password_min, ...invitation }))
  },
})

export const submitJoinRoute = page({
  ...link,
  method: 'POST',
  beforeBody: refuseCrossSite,
  handler: async (request, context, reply) => {
    const { db, sandbox, passwords: policy } = context
    const { token } = request.params
    const invitation = await describeInvitation(db, token)
    if (invitation === undefined) return sendPage(reply, 404, invalidInvitationPage({ sandbox }))
    const name = readText(request.body, 'name').trim()
    const password = readText(request.body, 'password')
    const { email } = invitation
    const faults = { name: nameFault(name), password: passwordFault(password, policy, email) }
    if (faults.name !== undefined || faults.password !== undefined) {
      const shown = { sandbox, password_min: policy.length_min, ...invitation, name, faults }
      return sendPage(reply, 400, joinPage(shown))
    }
    try {
      const client = hashingClientOf(request, reply)
      const person = { token, name: name === '' ? null : name, password }
      await acceptInvitation(db, { request_id: request.id, ...person, policy, client })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'email_exists')
        return sendPage(reply, 409, takenInvitationPage({ sandbox }))
      if (error.code !== 'not_found') throw error
      return sendPage(reply, 404, invalidInvitationPage({ sandbox }))
    }
    return enterDashboard(context, request, reply, { email, password })
  },
})

export const joinRoutes = [joinPageRoute, submitJoinRoute]

async function describeInvitation(db: Db, token: string) {
  const row = await findInvitation(db, token)
  const account = row && (await findRecipient(db, row.account_id))
  return account && { email: row.email, role: row.role, account_name: account.account_name }
}
