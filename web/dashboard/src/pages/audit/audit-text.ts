// A line of the audit log in words: who did what to which. Actions that are not named here are told
// by their own words, so that a new one is never hidden.

import type { AuditEntry } from '../../api/api-types.ts'

export const audit_nouns = [
  'user',
  'account',
  'transaction',
  'payment',
  'subscription',
  'api_key',
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
  lone: 'The user',
  account_key: 'The API key',
  operator: 'Somebody at the command line',
  anonymous: 'Somebody without a token',
}

export function describeActor({ actor_role, actor_id }: AuditEntry): string {
  if (actor_id?.startsWith('key_')) {
    return actor_role === 'platform' ? 'The platform key' : 'The API key'
  }
  return roles[actor_role] ?? `The ${actor_role.replaceAll('_', ' ')}`
}

const verbs: Record<string, string> = {
  'user.created': 'created the user',
  'user.deleted': 'deleted the user',
  'account.created': 'opened the account',
  'account.closed': 'closed the account',
  'account.email_change_requested': 'asked for another email for the account',
  'account.email_confirmed': 'confirmed another email for the account',
  'transaction.created': 'created the transaction',
  'transaction.updated': 'changed the transaction',
  'transaction.canceled': 'canceled the transaction',
  'payment.created': 'created the payment request',
  'payment.canceled': 'canceled the payment request',
  'payment.sent': 'sent once more the payment request',
  'payment.attempted': 'tried to pay the payment request',
  'payment.expired': 'let the payment request expire',
  'subscription.created': 'created the subscription',
  'subscription.updated': 'changed the subscription',
  'subscription.canceled': 'canceled the subscription',
  'api_key.created': 'made the API key',
  'api_key.revoked': 'revoked the API key',
  'webhook_endpoint.created': 'added the webhook endpoint',
  'webhook_endpoint.updated': 'changed the webhook endpoint',
  'webhook_endpoint.deleted': 'removed the webhook endpoint',
  'webhook_endpoint.rotated': 'changed the secret of the webhook endpoint',
  'webhook_endpoint.tested': 'sent a test to the webhook endpoint',
  'webhook_endpoint.replayed': 'replayed events to the webhook endpoint',
}

/** What was done, before and after the name of what it was done to. */
export function auditActionText({ action, details }: AuditEntry): [before: string, after?: string] {
  const named = verbs[action]
  if (named !== undefined) return [named]
  if (action === 'user.updated') return userWords(details)
  if (action === 'account.updated') return accountWords(details)
  if (action === 'transaction.settled' || action === 'payment.settled') {
    const noun = action === 'payment.settled' ? 'payment request' : 'transaction'
    return [`settled the ${noun}`, `as ${String(details.outcome)}`]
  }
  if (action === 'webhook_delivery.retried') return ['sent the webhook delivery', 'again']
  if (action === 'clock.advanced')
    return [`advanced the clock by ${describeDuration(details.seconds)}`]
  const [noun = '', verb = ''] = action.split('.')
  return [`${verb.replaceAll('_', ' ')} the ${noun.replaceAll('_', ' ')}`]
}

function userWords({ status, name, password }: AuditEntry['details']): [string, string?] {
  const done = [
    status === 'suspended' && 'suspended',
    name === true && 'renamed',
    password === true && 'gave a new password to',
  ].filter((one) => one !== false)
  return moveWords(inRow(done), 'user', status)
}

function accountWords({ status }: AuditEntry['details']): [string, string?] {
  return moveWords(status === 'suspended' ? 'suspended' : '', 'account', status)
}

function moveWords(done: string, noun: string, status: unknown): [string, string?] {
  if (status === 'active' || status === 'pending') {
    return [`${done === '' ? '' : `${done} and `}made the ${noun}`, status]
  }
  return [`${done === '' ? 'changed' : done} the ${noun}`]
}

function inRow(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const lengths: [string, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** 90061 is "1 day, 1 hour, 1 minute and 1 second". */
export function describeDuration(seconds: unknown): string {
  let left = Number(seconds)
  if (!Number.isFinite(left)) return 'some time'
  const parts: string[] = []
  for (const [unit, size] of lengths) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.length === 0 ? 'no time' : inRow(parts)
}

/** Details that the words have not told yet. */
export function remainingDetails({ action, details }: AuditEntry): [string, unknown][] {
  const told = new Set(['updated_at', 'seconds', 'outcome'])
  if (action === 'user.updated') for (const name of ['status', 'name', 'password']) told.add(name)
  if (action === 'account.updated') told.add('status')
  return Object.entries(details).filter(([name]) => !told.has(name))
}
