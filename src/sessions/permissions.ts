// Who may do what, as one table. The edge refuses what a role never may, before it looks at the
// request's body; the nouns read the same cells to decide about one object.

import { Refusal } from '../primitives/refusal.ts'
import type { Caller, Role } from './caller.ts'

/**
 * any: every object. header: the account that Florin-Account names. service: the same, or without
 * the header what belongs to the service itself. account: what belongs to the own account. members:
 * the own account's members. self: the caller's own user. 401, 403: never.
 */
export type Reach = 'any' | 'header' | 'service' | 'account' | 'members' | 'self' | 401 | 403

/** What an API key must have been given. never: no key may, whatever it was given. */
export type PermissionScope = `${string}:${'read' | 'write'}` | 'never'

// Transactions and payment requests. A lone user has no account, so every one is unknown and every
// list empty.
const use_money = {
  admin: 'any',
  platform: 'any',
  owner: 'account',
  member: 'account',
  lone: 'account',
  account_key: 'account',
} as const

const never = {
  admin: 401,
  platform: 401,
  owner: 401,
  member: 401,
  lone: 401,
  account_key: 401,
} as const

// What belongs to one account: used by all its people, and by whoever runs the service by header.
const use_account = {
  admin: 'header',
  platform: 'header',
  owner: 'account',
  member: 'account',
  lone: 403,
  account_key: 'account',
} as const

const no_list = { owner: 403, member: 403, lone: 403, account_key: 403 } as const

const of_people = {
  admin: 'any',
  platform: 401,
  owner: 'account',
  member: 'self',
  lone: 'self',
  account_key: 401,
} as const

// In the order of the specification's table. An account key acts for the account and for no person,
// so it has a column of its own; a platform key has the platform's, within its scopes.
export const permissions = {
  list_users: { ...never, admin: 'any', platform: 'any', ...no_list, scope: 'users:read' },
  create_user: {
    ...never,
    admin: 'any',
    platform: 'any',
    owner: 'account',
    scope: 'users:write',
  },
  // A member may move the account's money, so a key that creates users cannot create members with
  // the same scope: see requirePermission.
  create_member: {
    ...never,
    admin: 'any',
    platform: 'any',
    owner: 'account',
    scope: 'members:write',
  },
  retrieve_user: {
    ...of_people,
    platform: 'any',
    scope: 'users:read',
  },
  update_user: { ...of_people, scope: 'never' },
  // An admin may not change the own status; a member and a lone user may change none.
  update_user_status: { ...never, admin: 'any', owner: 'members', scope: 'never' },
  delete_user: {
    ...of_people,
    platform: 403,
    owner: 'members',
    account_key: 403,
    scope: 'never',
  },
  list_accounts: { ...never, admin: 'any', platform: 'any', ...no_list, scope: 'accounts:read' },
  create_account: {
    ...never,
    admin: 'any',
    platform: 'any',
    lone: 'self',
    scope: 'accounts:write',
  },
  retrieve_account: { ...use_account, scope: 'accounts:read' },
  update_account: { ...never, admin: 'header', owner: 'account', scope: 'never' },
  close_account: {
    admin: 'header',
    platform: 403,
    owner: 'account',
    member: 403,
    lone: 403,
    account_key: 403,
    scope: 'never',
  },
  list_account_users: { ...use_account, account_key: 401, scope: 'users:read' },
  retrieve_account_by_id: { ...never, admin: 'any', platform: 'any', scope: 'accounts:read' },
  update_account_by_id: { ...never, admin: 'any', scope: 'never' },
  create_transaction: { ...use_money, scope: 'transactions:write' },
  list_transactions: { ...use_money, scope: 'transactions:read' },
  // A count is of one account: across all of them it would read too many rows.
  count_transactions: { ...use_account, scope: 'transactions:read' },
  retrieve_transaction: { ...use_money, scope: 'transactions:read' },
  update_transaction: { ...use_money, scope: 'transactions:write' },
  cancel_transaction: { ...use_money, scope: 'transactions:write' },
  settle_transaction: { ...never, admin: 'any', platform: 'any', scope: 'transactions:write' },
  create_payment: { ...use_money, scope: 'payments:write' },
  list_payments: { ...use_money, scope: 'payments:read' },
  count_payments: { ...use_account, scope: 'payments:read' },
  retrieve_payment: { ...use_money, scope: 'payments:read' },
  cancel_payment: { ...use_money, scope: 'payments:write' },
  send_payment: { ...use_money, scope: 'payments:write' },
  settle_payment: { ...never, admin: 'any', platform: 'any', scope: 'payments:write' },
  create_subscription: { ...use_account, scope: 'subscriptions:write' },
  list_subscriptions: { ...use_account, scope: 'subscriptions:read' },
  retrieve_subscription: { ...use_account, scope: 'subscriptions:read' },
  update_subscription: { ...use_account, scope: 'subscriptions:write' },
  cancel_subscription: { ...use_account, scope: 'subscriptions:write' },
  read_balance: { ...use_account, scope: 'balance:read' },
  read_events: { ...use_account, scope: 'events:read' },
  read_request_logs: { ...use_account, scope: 'request_logs:read' },
  // Keys of an account by header; without it an admin manages the keys of platforms.
  manage_api_keys: { ...never, admin: 'service', owner: 'account', lone: 403, scope: 'never' },
  create_platform_key: { ...never, admin: 'any', scope: 'never' },
  manage_webhooks: {
    ...never,
    admin: 'header',
    owner: 'account',
    lone: 403,
    scope: 'never',
  },
  advance_clock: { ...never, admin: 'any', scope: 'never' },
  read_emails: { ...never, admin: 'any', scope: 'never' },
  read_audit_log: { ...never, admin: 'any', scope: 'never' },
  read_health: { ...never, admin: 'any', scope: 'never' },
  // For people. What is found is judged by the row of its own kind.
  search: { ...of_people, admin: 'any', platform: 'any', member: 'account', scope: 'never' },
  manage_own_sessions: {
    ...of_people,
    admin: 'self',
    platform: 'self',
    owner: 'self',
    scope: 'never',
  },
  read_metrics: { ...never, admin: 'any', scope: 'never' },
} as const satisfies Record<string, Record<Role, Reach> & { scope: PermissionScope }>

export type Permission = keyof typeof permissions

export function reachOf(caller: Caller, operation: Permission): Reach {
  return permissions[operation][caller.role]
}

/**
 * Refuses a role that never may do this, a key without the scope, and an admin who did not say for
 * which account.
 */
export function requirePermission(caller: Caller, asked: Permission): void {
  const by_key = caller.role === 'platform' && caller.scopes !== undefined
  const is_member = by_key && caller.header_account_id !== undefined
  const operation = asked === 'create_user' && is_member ? 'create_member' : asked
  const reach = reachOf(caller, operation)
  if (reach === 401) throw lacksPermission(caller, operation)
  if (reach === 403) throw forbidden(`${article(caller)} may not ${words(operation)}.`)
  if (caller.scopes !== undefined) requireScope(caller.scopes, operation)
  if (reach === 'header' && caller.header_account_id === undefined) throw namesNoAccount(caller)
}

/** Whether the edge admits this, for responses that include data of another resource. */
export function mayUse(caller: Caller, operation: Permission): boolean {
  const reach = reachOf(caller, operation)
  if (reach === 401 || reach === 403) return false
  return caller.scopes === undefined || hasScope(caller.scopes, operation)
}

// The endpoints where the interface has 403 for whoever lacks the permission; elsewhere it is 401.
const forbidden_where_denied: ReadonlySet<Permission> = new Set<Permission>([
  'list_users',
  'list_accounts',
  'retrieve_account',
  'delete_user',
  'close_account',
])

function requireScope(given: readonly string[], operation: Permission): void {
  if (hasScope(given, operation)) return
  const { scope } = permissions[operation]
  const reason =
    scope === 'never' ? 'no API key may' : `the key lacks the scope ${scope}. Use another key`
  const message = `This API key may not ${words(operation)}: ${reason}.`
  if (forbidden_where_denied.has(operation)) throw forbidden(message)
  throw new Refusal('unauthorized', message, { insufficient_scope: true })
}

function hasScope(given: readonly string[], operation: Permission): boolean {
  const { scope } = permissions[operation]
  return scope !== 'never' && (given.includes(scope) || given.includes('*'))
}

/** The scopes that a key of this role can use: another one in a new key is a mistake. */
export function scopesOf(role: 'account_key' | 'platform'): string[] {
  const scopes = Object.values(permissions)
    .filter((row) => row[role] !== 401 && row[role] !== 403)
    .map(({ scope }) => scope)
    .filter((scope) => scope !== 'never')
  return [...new Set<string>(scopes), '*']
}

export function namesNoAccount(caller: Caller): Refusal {
  return forbidden(
    `${article(caller)} has no account of its own. Name one in the Florin-Account header.`,
  )
}

export function forbidden(message: string): Refusal {
  return new Refusal('forbidden', message)
}

export function lacksPermission(caller: Caller, operation: Permission): Refusal {
  const who = article(caller).replace(/^A/, 'a')
  const message = `This token may not ${words(operation)}: ${who} lacks the permission.`
  return new Refusal('unauthorized', message, { insufficient_scope: true })
}

const names: Record<Role, string> = {
  admin: 'An admin',
  platform: 'A platform user',
  owner: 'An account owner',
  member: 'A member',
  lone: 'A user without an account',
  account_key: "An account's API key",
}

function article(caller: Caller): string {
  return names[caller.role]
}

const phrases: Record<Permission, string> = {
  list_users: 'list all users',
  create_user: 'create users',
  create_member: 'create members of an account',
  retrieve_user: 'retrieve this user',
  update_user: 'update this user',
  update_user_status: "change this user's status",
  delete_user: 'delete this user',
  list_accounts: 'list accounts',
  create_account: 'open another account',
  retrieve_account: 'retrieve an account',
  update_account: 'update the account',
  close_account: 'close the account',
  list_account_users: "list an account's users",
  retrieve_account_by_id: 'retrieve accounts by id',
  update_account_by_id: "change an account's status",
  create_transaction: 'create transactions',
  list_transactions: 'list transactions',
  count_transactions: 'count transactions',
  retrieve_transaction: 'retrieve this transaction',
  update_transaction: 'update this transaction',
  cancel_transaction: 'cancel this transaction',
  settle_transaction: 'settle transactions',
  create_payment: 'create payment requests',
  list_payments: 'list payment requests',
  count_payments: 'count payment requests',
  retrieve_payment: 'retrieve this payment request',
  cancel_payment: 'cancel this payment request',
  send_payment: 'send this payment request',
  settle_payment: 'settle payment requests',
  create_subscription: 'create subscriptions',
  list_subscriptions: 'list subscriptions',
  retrieve_subscription: 'retrieve this subscription',
  update_subscription: 'update this subscription',
  cancel_subscription: 'cancel this subscription',
  read_balance: "read an account's balance",
  read_events: "read an account's events",
  read_request_logs: "read an account's request log",
  manage_api_keys: 'manage API keys',
  create_platform_key: 'manage the API keys of platforms',
  manage_webhooks: 'manage webhooks',
  advance_clock: 'advance the sandbox clock',
  read_emails: 'read emails',
  read_audit_log: 'read the audit log',
  read_health: "read the server's health",
  search: 'search',
  manage_own_sessions: 'use sessions',
  read_metrics: 'read metrics',
}

function words(operation: Permission): string {
  return phrases[operation]
}
