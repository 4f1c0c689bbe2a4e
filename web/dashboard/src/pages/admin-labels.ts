// The words of users, accounts and emails: what filters offer, and what each status means.

import type { Account, Email, User } from '../api/api-types.ts'

export type UserStatus = User['status']
export type AccountStatus = Account['status']
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
  active: 'can sign in and use the API.',
  suspended: 'cannot sign in. Every session has ended and every key of theirs is revoked.',
  pending: 'cannot sign in yet. No session and no key of theirs works.',
}

export const account_status_descriptions: Record<AccountStatus, string> = {
  active: 'It takes payments, credits and refunds.',
  suspended:
    'It makes nothing new: no payments, credits, refunds or payment requests, and subscriptions ' +
    'skip. What is pending still settles, and its people can sign in, look and cancel.',
  pending:
    'It waits to be made active: until then it makes nothing new, as if it were suspended. Its ' +
    'people can sign in and look.',
  closed: 'It is closed for good. Its people and keys are gone; its books stay.',
}

export const email_state_descriptions: Record<Email['state'], string> = {
  stored: 'No mail server is set, so it was kept here and nothing left.',
  queued: 'It waits for the mail server.',
  sent: 'The mail server took it.',
  failed: 'The mail server refused it for good.',
  suppressed: 'It was not sent: over a limit, or nobody had to be asked any more.',
}
