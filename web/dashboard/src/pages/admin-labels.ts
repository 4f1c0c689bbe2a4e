// Filter values and status descriptions of users, accounts and emails.

import type { Account, Email, User } from '../api/api-types.ts'

export type UserStatus = User['status']
type AccountStatus = Account['status']
export type AssignableAccountStatus = Exclude<AccountStatus, 'closed'>

export const user_statuses = ['active', 'suspended', 'pending'] as const satisfies UserStatus[]

export const assignable_statuses = [
  'active',
  'suspended',
  'pending',
] as const satisfies AssignableAccountStatus[]

export const account_statuses = [
  ...assignable_statuses,
  'closed',
] as const satisfies AccountStatus[]

export const account_types = ['business', 'individual'] as const satisfies Account['type'][]

export const email_states = [
  'stored',
  'queued',
  'sent',
  'failed',
  'suppressed',
] as const satisfies Email['state'][]

export const user_status_descriptions: Record<UserStatus, string> = {
  active: 'can log in and use the API.',
  suspended: 'cannot log in. All their sessions have ended and all their API keys are revoked.',
  pending: 'cannot log in yet. Their sessions and API keys do not work.',
}

export const account_status_descriptions: Record<AccountStatus, string> = {
  active: 'The account can create payments, credits and refunds.',
  suspended:
    'The account cannot create payments, credits, refunds or payment requests, and subscriptions ' +
    'skip their periods. Pending transactions still settle. Users can log in, view it and ' +
    'cancel what is pending.',
  pending:
    'The account is not active yet. Until it is, it has the same limits as a suspended account. ' +
    'Users can log in and view it.',
  closed:
    'The account is permanently closed. Its users and API keys are deleted; its transactions ' +
    'and ledger remain.',
}

export const email_state_descriptions: Record<Email['state'], string> = {
  stored: 'No mail server is configured, so the email was stored and not sent.',
  queued: 'Waiting to be sent.',
  sent: 'Accepted by the mail server.',
  failed: 'Permanently rejected by the mail server.',
  suppressed: 'Not sent: a sending limit was reached, or the email was no longer needed.',
}
