// Users of an account with their roles, and how they log in.

import { Type } from 'typebox'
import { id, nullable, time } from './parts.ts'
import { components, idOf, oneOf, timeOf } from './resources.ts'

export const accountUserSchema = Type.Object(
  {
    ...components.User.properties,
    role: oneOf(['owner', 'member', 'viewer'], {
      description: 'The role in the account. A viewer reads everything and changes nothing.',
      examples: ['member'],
    }),
  },
  { $id: 'AccountUser' },
)

/** What the user object, whose fields are fixed, does not have. */
export const userDetailsSchema = Type.Object(
  {
    user_id: idOf('usr', 'The id of the user.'),
    role: oneOf(['admin', 'platform', 'owner', 'member', 'viewer', 'lone'], {
      description: 'The role of the user. lone: a user without an account.',
      examples: ['owner'],
    }),
    account_id: nullable({
      description: 'The account of the user, or null.',
      examples: ['acct_01h455vb4pex5vsknk084sn02q'],
    }),
  },
  { $id: 'UserDetails' },
)

/** A login at an OpenID Connect provider. */
export const identitySchema = Type.Object(
  {
    id: idOf('idn', 'The id of the linked login.'),
    issuer: Type.String({
      description: 'The provider.',
      examples: ['https://login.example.com'],
    }),
    email: Type.String({
      description: 'The email address at the provider when the login was linked.',
      examples: ['ann@example.com'],
    }),
    created_at: timeOf('When the login was linked.'),
  },
  { $id: 'Identity' },
)

/** The roles that a user of an account can be given. */
export const memberRole = oneOf(['member', 'viewer'], {
  description: 'member creates payments, payment requests and subscriptions; viewer only reads.',
  examples: ['viewer'],
})

export const invitationSchema = Type.Object(
  {
    id: id('inv', 'The id of the invitation.'),
    email: Type.String({
      description: 'The address that the invitation was sent to, which the new user logs in with.',
      examples: ['ann@example.com'],
    }),
    role: memberRole,
    invited_by: id('usr', 'The user who invited. Without their permission the link is invalid.'),
    created_at: time('When the invitation was created.'),
    expires_at: time('Until when the link can be used.'),
  },
  { $id: 'Invitation' },
)
