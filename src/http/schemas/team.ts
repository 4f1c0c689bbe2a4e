// A user as a member of the team of an account: the user with its role.

import { Type } from 'typebox'
import { components, oneOf } from './resources.ts'

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

/** The roles that a user of an account can be given. */
export const memberRole = oneOf(['member', 'viewer'], {
  description: 'member creates payments, payment requests and subscriptions; viewer only reads.',
  examples: ['viewer'],
})
