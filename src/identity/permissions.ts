// The permission table. Admission rejects what a role may never do, before the body is read; nouns
// use the same table to decide about one object.

import { Refusal } from '../primitives/refusal.ts'
import type { Caller, Role } from './caller.ts'
import { permission_phrases } from './permission-phrases.ts'

/**
 * any: every object. header: the account in the Florin-Account header. any_or_header: the same, or
 * every object without the header. service: the same, or objects of the service itself without the
 * header. account: objects of the caller's account. members: the members of the caller's account,
 * read-only or not. self: the caller's user. 401, 403: never.
 */
type Reach =
  | 'any'
  | 'any_or_header'
  | 'header'
  | 'service'
  | 'account'
  | 'members'
  | 'self'
  | 401
  | 403

/** The scope that an API key needs. never: not available to API keys. */
type PermissionScope = `${string}:${'read' | 'write'}` | 'never'

/**
 * What an account's request log stores of the operation. Everyone with access to the account reads
 * that log, so it must not contain anything that one of them may not request. bodies: the request
 * line and the bodies. line: the request line. own_line: the same, but only of requests by users
 * and keys of the account: those of admins and platforms may concern other accounts. nothing:
 * reads of the log itself, which would crowd out other requests.
 */
type LoggedPart = 'bodies' | 'line' | 'own_line' | 'nothing'

// Transactions and payment requests. A lone user has no account, so every id is unknown and every
// list is empty.
const use_money = {
  admin: 'any_or_header',
  platform: 'any_or_header',
  owner: 'account',
  member: 'account',
  viewer: 'account',
  lone: 'account',
  account_key: 'account',
} as const

// A viewer reads what a member reads, and changes nothing of the account.
const change_money = { ...use_money, viewer: 401 } as const

const never = {
  admin: 401,
  platform: 401,
  owner: 401,
  member: 401,
  viewer: 401,
  lone: 401,
  account_key: 401,
} as const

const use_any = { ...never, admin: 'any', platform: 'any' } as const
const use_any_or_header = {
  ...never,
  admin: 'any_or_header',
  platform: 'any_or_header',
} as const

// Objects of one account: used by all its users, and by admins and platforms with the header.
const use_account = {
  admin: 'header',
  platform: 'header',
  owner: 'account',
  member: 'account',
  viewer: 'account',
  lone: 403,
  account_key: 'account',
} as const

const change_account = { ...use_account, viewer: 401 } as const

const no_list = { owner: 403, member: 403, viewer: 403, lone: 403, account_key: 403 } as const

const of_people = {
  admin: 'any',
  platform: 401,
  owner: 'account',
  member: 'self',
  viewer: 'self',
  lone: 'self',
  account_key: 401,
} as const

// What API keys must not do, because a stolen one could do lasting damage.
const of_owner = {
  ...never,
  admin: 'header',
  owner: 'account',
  lone: 403,
  scope: 'never',
  log: 'line',
} as const

// An API key of an account acts for the account, not for a user, so it has a separate column. A
// platform key has the permissions of the platform, limited by its scopes.
export const permissions = {
  list_users: { ...use_any, ...no_list, scope: 'users:read', log: 'own_line' },
  create_user: { ...use_any_or_header, owner: 'account', scope: 'users:write', log: 'line' },
  // A member can move the account's money, so creating members needs a separate scope: see
  // requirePermission.
  create_member: { ...use_any, owner: 'account', scope: 'members:write', log: 'own_line' },
  retrieve_user: { ...of_people, platform: 'any', scope: 'users:read', log: 'own_line' },
  update_user: { ...of_people, scope: 'never', log: 'own_line' },
  // Admins cannot change their status; members and lone users cannot change any status.
  update_user_status: { ...never, admin: 'any', owner: 'members', scope: 'never', log: 'own_line' },
  delete_user: {
    ...of_people,
    platform: 403,
    owner: 'members',
    account_key: 403,
    scope: 'never',
    log: 'own_line',
  },
  list_accounts: { ...use_any, ...no_list, scope: 'accounts:read', log: 'own_line' },
  create_account: { ...use_any, lone: 'self', scope: 'accounts:write', log: 'own_line' },
  retrieve_account: { ...use_account, scope: 'accounts:read', log: 'bodies' },
  update_account: { ...never, admin: 'header', owner: 'account', scope: 'never', log: 'line' },
  close_account: {
    admin: 'header',
    platform: 403,
    owner: 'account',
    member: 403,
    viewer: 403,
    lone: 403,
    account_key: 403,
    scope: 'never',
    log: 'line',
  },
  list_account_users: { ...use_account, account_key: 401, scope: 'users:read', log: 'line' },
  change_role: of_owner,
  retrieve_account_by_id: { ...use_any, scope: 'accounts:read', log: 'own_line' },
  update_account_by_id: { ...never, admin: 'any', scope: 'never', log: 'own_line' },
  create_transaction: { ...change_money, scope: 'transactions:write', log: 'bodies' },
  list_transactions: { ...use_money, scope: 'transactions:read', log: 'bodies' },
  // Only for one account: a count over all accounts would read too many rows.
  count_transactions: { ...use_account, scope: 'transactions:read', log: 'bodies' },
  retrieve_transaction: { ...use_money, scope: 'transactions:read', log: 'bodies' },
  update_transaction: { ...change_money, scope: 'transactions:write', log: 'bodies' },
  cancel_transaction: { ...change_money, scope: 'transactions:write', log: 'bodies' },
  settle_transaction: { ...use_any_or_header, scope: 'transactions:write', log: 'line' },
  create_payment: { ...change_money, scope: 'payments:write', log: 'bodies' },
  list_payments: { ...use_money, scope: 'payments:read', log: 'bodies' },
  count_payments: { ...use_account, scope: 'payments:read', log: 'bodies' },
  retrieve_payment: { ...use_money, scope: 'payments:read', log: 'bodies' },
  update_payment: { ...change_money, scope: 'payments:write', log: 'bodies' },
  cancel_payment: { ...change_money, scope: 'payments:write', log: 'bodies' },
  send_payment: { ...change_money, scope: 'payments:write', log: 'bodies' },
  settle_payment: { ...use_any_or_header, scope: 'payments:write', log: 'line' },
  list_payment_links: { ...use_account, scope: 'payment_links:read', log: 'bodies' },
  manage_payment_links: { ...change_account, scope: 'payment_links:write', log: 'bodies' },
  list_documents: { ...use_account, scope: 'payments:read', log: 'bodies' },
  // The first request issues the document. It has no effect on money.
  retrieve_receipt: { ...use_money, scope: 'payments:read', log: 'bodies' },
  retrieve_credit_note: { ...use_money, scope: 'payments:read', log: 'bodies' },
  list_disputes: { ...use_money, scope: 'disputes:read', log: 'bodies' },
  retrieve_dispute: { ...use_money, scope: 'disputes:read', log: 'bodies' },
  // In a sandbox only, where it plays the bank.
  resolve_dispute: { ...change_money, scope: 'disputes:write', log: 'bodies' },
  // Not for keys of an account: a stolen key could otherwise empty the account.
  create_transfer: { ...of_owner, platform: 'header', scope: 'transfers:write' },
  list_transfers: { ...use_money, scope: 'transfers:read', log: 'bodies' },
  retrieve_transfer: { ...use_money, scope: 'transfers:read', log: 'bodies' },
  retrieve_transfer_fee: { ...use_account, scope: 'transfers:read', log: 'bodies' },
  change_transfer_fee: {
    ...of_owner,
    platform: 'header',
    owner: 401,
    lone: 401,
    scope: 'transfers:write',
  },
  // Money that leaves for good, so never by an API key. Read-only members see payouts, too.
  create_payout: { ...of_owner, platform: 'header' },
  list_payouts: { ...use_money, scope: 'payouts:read', log: 'bodies' },
  retrieve_payout: { ...use_money, scope: 'payouts:read', log: 'bodies' },
  cancel_payout: { ...use_any_or_header, owner: 'account', scope: 'never', log: 'line' },
  approve_payout: { ...use_any_or_header, scope: 'never', log: 'line' },
  resolve_payout: { ...use_any_or_header, scope: 'never', log: 'line' },
  read_payout_settings: { ...use_account, scope: 'payouts:read', log: 'bodies' },
  change_payout_destination: of_owner,
  change_payout_limit: { ...never, admin: 'header', scope: 'never', log: 'own_line' },
  // The payouts of all accounts in one file.
  export_payouts: { ...use_any, scope: 'never', log: 'own_line' },
  // Bank statements belong to the operator, and their entries settle payment requests.
  read_bank_statements: { ...use_any, scope: 'bank_statements:read', log: 'own_line' },
  manage_bank_statements: { ...use_any, scope: 'bank_statements:write', log: 'own_line' },
  // The operator's balance at payment providers, with the entries of all accounts.
  read_settlements: { ...use_any, scope: 'settlements:read', log: 'own_line' },
  create_subscription: { ...change_account, scope: 'subscriptions:write', log: 'bodies' },
  list_subscriptions: { ...use_account, scope: 'subscriptions:read', log: 'bodies' },
  retrieve_subscription: { ...use_account, scope: 'subscriptions:read', log: 'bodies' },
  update_subscription: { ...change_account, scope: 'subscriptions:write', log: 'bodies' },
  cancel_subscription: { ...change_account, scope: 'subscriptions:write', log: 'bodies' },
  list_customers: { ...use_account, scope: 'customers:read', log: 'bodies' },
  retrieve_customer: { ...use_account, scope: 'customers:read', log: 'bodies' },
  list_customer_payments: { ...use_account, scope: 'payments:read', log: 'bodies' },
  // Everything that is stored about a person, in one file. Not for API keys, as erasing.
  export_customer: of_owner,
  erase_customer: of_owner,
  read_balance: { ...use_account, scope: 'balance:read', log: 'bodies' },
  read_events: { ...use_account, scope: 'events:read', log: 'bodies' },
  read_request_logs: { ...use_account, scope: 'request_logs:read', log: 'nothing' },
  // With the header an admin manages the keys of that account, without it those of platforms.
  manage_api_keys: {
    ...never,
    admin: 'service',
    owner: 'account',
    lone: 403,
    scope: 'never',
    log: 'line',
  },
  // Not for API keys: a stolen key could otherwise add a person to the account.
  manage_invitations: of_owner,
  create_platform_key: { ...never, admin: 'any', scope: 'never', log: 'own_line' },
  manage_webhooks: of_owner,
  // Not for API keys: a stolen key could otherwise send customers to a foreign site.
  manage_return_origins: of_owner,
  // Not for API keys: a stolen key could otherwise send transfers of customers elsewhere.
  update_branding: of_owner,
  // For admins only: it is a bank account of the operator, and customers transfer to it.
  manage_bank_details: { ...never, admin: 'header', scope: 'never', log: 'own_line' },
  advance_clock: { ...never, admin: 'any', scope: 'never', log: 'own_line' },
  read_emails: { ...never, admin: 'any_or_header', scope: 'never', log: 'own_line' },
  read_audit_log: { ...never, admin: 'any_or_header', scope: 'never', log: 'own_line' },
  read_overview: { ...use_any, scope: 'never', log: 'own_line' },
  read_processor: { ...use_any, scope: 'never', log: 'own_line' },
  read_health: { ...never, admin: 'any', scope: 'never', log: 'own_line' },
  // For users only. Each result is also checked with the permission of its kind. The header selects
  // the account whose events are searched.
  search: {
    ...of_people,
    admin: 'any_or_header',
    platform: 'any_or_header',
    member: 'account',
    viewer: 'account',
    scope: 'never',
    log: 'own_line',
  },
  manage_own_sessions: {
    ...of_people,
    admin: 'self',
    platform: 'self',
    owner: 'self',
    scope: 'never',
    log: 'own_line',
  },
  manage_own_notifications: {
    ...of_people,
    admin: 'self',
    platform: 'self',
    owner: 'self',
    scope: 'never',
    log: 'own_line',
  },
  manage_own_factors: {
    ...of_people,
    admin: 'self',
    platform: 'self',
    owner: 'self',
    scope: 'never',
    log: 'own_line',
  },
  // The logins at an OpenID Connect provider that belong to the caller.
  manage_own_identities: {
    ...of_people,
    admin: 'self',
    platform: 'self',
    owner: 'self',
    scope: 'never',
    log: 'own_line',
  },
  read_metrics: { ...never, admin: 'any', scope: 'never', log: 'own_line' },
} as const satisfies Record<
  string,
  Record<Role, Reach> & { scope: PermissionScope; log: LoggedPart }
>

export type Permission = keyof typeof permissions

export function reachOf(caller: Caller, operation: Permission): Reach {
  // During an upgrade, the next version may have created users with a role that is not known here.
  return permissions[operation][caller.role] ?? 403
}

/**
 * Throws for a role that may never do this, for an API key without the scope, and for an admin or a
 * platform without a required Florin-Account header.
 */
export function requirePermission(caller: Caller, requested: Permission): void {
  const by_key = caller.role === 'platform' && caller.scopes !== undefined
  const is_member = by_key && caller.header_account_id !== undefined
  const operation = requested === 'create_user' && is_member ? 'create_member' : requested
  const reach = reachOf(caller, operation)
  if (reach === 401) throw lacksPermission(caller, operation)
  if (reach === 403) throw forbidden(`${roleName(caller)} may not ${phraseOf(operation)}.`)
  if (caller.scopes !== undefined) requireScope(caller.scopes, operation)
  if (reach === 'header' && caller.header_account_id === undefined) throw namesNoAccount(caller)
}

/** Whether admission would accept this, for responses that include data of another resource. */
export function mayUse(caller: Caller, operation: Permission): boolean {
  const reach = reachOf(caller, operation)
  if (reach === 401 || reach === 403) return false
  return caller.scopes === undefined || hasScope(caller.scopes, operation)
}

// The endpoints whose contract is 403 for a missing permission; elsewhere it is 401.
const forbidden_where_denied: ReadonlySet<Permission> = new Set<Permission>([
  'list_users',
  'list_accounts',
  'retrieve_account',
  'delete_user',
  'close_account',
])

function requireScope(granted: readonly string[], operation: Permission): void {
  if (hasScope(granted, operation)) return
  const { scope } = permissions[operation]
  const reason =
    scope === 'never'
      ? 'this is not available to API keys'
      : `it lacks the scope "${scope}". Use a key with this scope`
  const message = `This API key may not ${phraseOf(operation)}: ${reason}.`
  if (forbidden_where_denied.has(operation)) throw forbidden(message)
  throw new Refusal('unauthorized', message, { insufficient_scope: true })
}

function hasScope(granted: readonly string[], operation: Permission): boolean {
  const { scope } = permissions[operation]
  return scope !== 'never' && (granted.includes(scope) || granted.includes('*'))
}

/** The scopes that an API key of this role can have. */
export function scopesOf(role: 'account_key' | 'platform'): string[] {
  const scopes = Object.values(permissions)
    .filter((row) => row[role] !== 401 && row[role] !== 403)
    .map(({ scope }) => scope)
    .filter((scope) => scope !== 'never')
  return [...new Set<string>(scopes), '*']
}

export function namesNoAccount(caller: Caller): Refusal {
  return forbidden(
    `${roleName(caller)} must name an account. Send its id in the Florin-Account header.`,
  )
}

export function forbidden(message: string): Refusal {
  return new Refusal('forbidden', message)
}

export function lacksPermission(caller: Caller, operation: Permission): Refusal {
  const who = roleName(caller).replace(/^A/, 'a')
  const message = `This token may not ${phraseOf(operation)}: ${who} does not have this permission.`
  return new Refusal('unauthorized', message, { insufficient_scope: true })
}

const names: Record<Role, string> = {
  admin: 'An admin',
  platform: 'A platform user',
  owner: 'An account owner',
  member: 'A member',
  viewer: 'A read-only member',
  lone: 'A user without an account',
  account_key: 'An API key of an account',
}

function roleName(caller: Caller): string {
  return names[caller.role] ?? 'A user with an unknown role'
}

function phraseOf(operation: Permission): string {
  return permission_phrases[operation]
}
