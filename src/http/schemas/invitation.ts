// An invitation to join an account.

import { Type } from 'typebox'
import { id, time } from './parts.ts'
import { memberRole } from './team.ts'

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
