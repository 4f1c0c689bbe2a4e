// Describes audit entries in English. An action without an entry here is described by its name, so
// new actions always appear.

import type { AuditEntry } from '../../api/api-types.ts'

export const audit_nouns = [
  'user',
  'account',
  'transaction',
  'payment',
  'payment_link',
  'subscription',
  'dispute',
  'transfer',
  'payout',
  'payout_export',
  'bank_statement',
  'bank_entry',
  'bank_column_map',
  'customer',
  'api_key',
  'invitation',
  'webhook_endpoint',
  'webhook_delivery',
  'session',
  'clock',
] as const

const roles: Record<string, string> = {
  admin: 'The admin',
  platform: 'The platform',
  owner: 'The owner',
  member: 'The member',
  viewer: 'The read-only member',
  lone: 'The user',
  account_key: 'The API key',
  operator: 'CLI',
}

export function describeActor({ action, actor_role, actor_id }: AuditEntry): string {
  if (actor_id?.startsWith('key_')) {
    return actor_role === 'platform' ? 'The platform key' : 'The API key'
  }
  if (actor_role === 'anonymous') {
    return action.endsWith('.created') ? 'Anonymous sign-up' : 'An anonymous visitor'
  }
  return roles[actor_role] ?? `The ${actor_role.replaceAll('_', ' ')}`
}

const verbs: Record<string, string> = {
  'user.created': 'created the user',
  'user.deleted': 'deleted the user',
  'user.identity_linked': 'linked a login to the user',
  'user.identity_unlinked': 'unlinked a login from the user',
  'user.factor_added': 'added a second factor to the user',
  'user.factor_removed': 'removed a second factor from the user',
  'user.factors_reset': 'removed all second factors of the user',
  'user.recovery_codes_created': 'created recovery codes for the user',
  'user.recovery_code_used': 'used a recovery code of the user',
  'user.role_changed': 'changed the role of the user',
  'account.created': 'created the account',
  'account.closed': 'closed the account',
  'account.payout_destination_changed': 'changed the payout destination of the account',
  'account.payout_limit_changed': 'changed the payout limit of the account',
  'payout.created': 'created the payout',
  'payout.approved': 'approved the payout',
  'payout.canceled': 'canceled the payout',
  'payout.paid': 'marked as paid the payout',
  'payout.failed': 'marked as failed the payout',
  'payout.returned': 'marked as returned the payout',
  'payout_export.created': 'exported payouts to the payment file',
  'transfer.created': 'created the transfer',
  'bank_statement.imported': 'imported the bank statement',
  'bank_entry.matched': 'matched the bank entry',
  'bank_entry.ignored': 'ignored the bank entry',
  'bank_entry.reopened': 'reopened the bank entry',
  'bank_column_map.saved': 'saved a column map for bank statements',
  'bank_column_map.deleted': 'deleted a column map for bank statements',
  'account.transfer_fee_updated': 'changed the transfer fee of the account',
  'account.email_change_requested': 'requested a new email for the account',
  'account.email_confirmed': 'confirmed the new email of the account',
  'user.notifications_updated': 'changed their notification settings',
  'account.branding_updated': 'changed the branding of the account',
  'account.bank_details_set': 'set the bank account of the account',
  'account.bank_details_removed': 'removed the bank account of the account',
  'account.return_origin_added': 'added a return origin to the account',
  'account.return_origin_removed': 'removed a return origin from the account',
  'transaction.created': 'created the transaction',
  'transaction.updated': 'updated the transaction',
  'transaction.canceled': 'canceled the transaction',
  'payment.created': 'created the payment request',
  'payment.updated': 'changed the return URLs of the payment request',
  'payment_link.created': 'created the payment link',
  'payment_link.updated': 'changed the payment link',
  'payment.canceled': 'canceled the payment request',
  'payment.sent': 'resent the payment request',
  'payment.attempted': 'attempted to pay the payment request',
  'payment.expired': 'expired the payment request',
  'subscription.created': 'created the subscription',
  'subscription.updated': 'updated the subscription',
  'subscription.canceled': 'canceled the subscription',
  'api_key.created': 'created the API key',
  'api_key.revoked': 'revoked the API key',
  'webhook_endpoint.created': 'added the webhook endpoint',
  'webhook_endpoint.updated': 'updated the webhook endpoint',
  'webhook_endpoint.deleted': 'deleted the webhook endpoint',
  'webhook_endpoint.rotated': 'rotated the secret of the webhook endpoint',
  'webhook_endpoint.tested': 'sent a test event to the webhook endpoint',
  'webhook_endpoint.replayed': 'replayed events to the webhook endpoint',
}

/** The verb phrase, split into the text before and after the object's name. */
export function auditActionText({ action, details }: AuditEntry): [before: string, after?: string] {
  const verb_phrase = verbs[action]
  if (verb_phrase !== undefined) return [verb_phrase]
  if (action === 'user.updated') return userText(details)
  if (action === 'account.updated') return accountText(details)
  if (action === 'transaction.settled' || action === 'payment.settled') {
    const noun = action === 'payment.settled' ? 'payment request' : 'transaction'
    return [`settled the ${noun}`, `as ${String(details.outcome)}`]
  }
  if (action === 'dispute.resolved')
    return ['resolved the dispute', `as ${String(details.outcome)}`]
  if (action === 'webhook_delivery.retried') return ['resent the webhook delivery']
  if (action === 'clock.advanced')
    return [`advanced the clock by ${describeDuration(details.seconds)}`]
  const [noun = '', verb = ''] = action.split('.')
  return [`${verb.replaceAll('_', ' ')} the ${noun.replaceAll('_', ' ')}`]
}

function userText({ status, name, password }: AuditEntry['details']): [string, string?] {
  const done = [
    status === 'suspended' && 'suspended',
    name === true && 'renamed',
    password === true && 'changed the password of',
  ].filter((one) => one !== false)
  return statusText(joinWithAnd(done), 'user', status)
}

function accountText({ status }: AuditEntry['details']): [string, string?] {
  return statusText(status === 'suspended' ? 'suspended' : '', 'account', status)
}

function statusText(done: string, noun: string, status: unknown): [string, string?] {
  if (status === 'active' || status === 'pending') {
    return [`${done === '' ? '' : `${done} and `}set the ${noun}`, `to ${status}`]
  }
  return [`${done === '' ? 'updated' : done} the ${noun}`]
}

function joinWithAnd(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const units: [string, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** 90061 becomes "1 day, 1 hour, 1 minute and 1 second". */
export function describeDuration(seconds: unknown): string {
  let left = Number(seconds)
  if (!Number.isFinite(left)) return 'some time'
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.length === 0 ? 'no time' : joinWithAnd(parts)
}

/** Details that are not already part of the sentence. */
export function remainingDetails({ action, details }: AuditEntry): [string, unknown][] {
  const shown = new Set(['updated_at', 'seconds', 'outcome'])
  if (action === 'user.updated') for (const name of ['status', 'name', 'password']) shown.add(name)
  if (action === 'account.updated') shown.add('status')
  return Object.entries(details).filter(([name]) => !shown.has(name))
}
