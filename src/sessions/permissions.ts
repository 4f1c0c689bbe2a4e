// Who may do what, as one table. The edge refuses what a role never may, before it looks at the
// request's body; the nouns read the same cells to decide about one object.

import { Refusal } from '../primitives/refusal.ts'
import type { Caller, Role } from './caller.ts'

/**
 * any: every object. header: the account that Florin-Account names. account: what belongs to the
 * own account. members: the own account's members. self: the caller's own user. 401, 403: never.
 */
export type Reach = 'any' | 'header' | 'account' | 'members' | 'self' | 401 | 403

// Transactions and payment requests. A lone user has no account, so every one is unknown and every
// list empty.
const use_money = {
  admin: 'any',
  platform: 'any',
  owner: 'account',
  member: 'account',
  lone: 'account',
} as const

export const permissions = {
  list_users: { admin: 'any', platform: 'any', owner: 403, member: 403, lone: 403 },
  create_user: { admin: 'any', platform: 'any', owner: 'account', member: 401, lone: 401 },
  retrieve_user: { admin: 'any', platform: 'any', owner: 'account', member: 'self', lone: 'self' },
  update_user: { admin: 'any', platform: 401, owner: 'account', member: 'self', lone: 'self' },
  // An admin may not change the own status; a member and a lone user may change none.
  update_user_status: { admin: 'any', platform: 401, owner: 'members', member: 401, lone: 401 },
  delete_user: { admin: 'any', platform: 403, owner: 'members', member: 'self', lone: 'self' },
  list_accounts: { admin: 'any', platform: 'any', owner: 403, member: 403, lone: 403 },
  create_account: { admin: 'any', platform: 'any', owner: 401, member: 401, lone: 'self' },
  retrieve_account: {
    admin: 'header',
    platform: 'header',
    owner: 'account',
    member: 'account',
    lone: 403,
  },
  update_account: { admin: 'header', platform: 401, owner: 'account', member: 401, lone: 401 },
  close_account: { admin: 'header', platform: 403, owner: 'account', member: 403, lone: 403 },
  list_account_users: {
    admin: 'header',
    platform: 'header',
    owner: 'account',
    member: 'account',
    lone: 403,
  },
  retrieve_account_by_id: { admin: 'any', platform: 'any', owner: 401, member: 401, lone: 401 },
  update_account_by_id: { admin: 'any', platform: 401, owner: 401, member: 401, lone: 401 },
  create_transaction: use_money,
  list_transactions: use_money,
  retrieve_transaction: use_money,
  update_transaction: use_money,
  cancel_transaction: use_money,
  settle_transaction: { admin: 'any', platform: 'any', owner: 401, member: 401, lone: 401 },
  create_payment: use_money,
  list_payments: use_money,
  retrieve_payment: use_money,
  cancel_payment: use_money,
  send_payment: use_money,
  settle_payment: { admin: 'any', platform: 'any', owner: 401, member: 401, lone: 401 },
  read_books: {
    admin: 'header',
    platform: 'header',
    owner: 'account',
    member: 'account',
    lone: 403,
  },
  manage_webhooks: { admin: 'header', platform: 401, owner: 'account', member: 401, lone: 403 },
  advance_clock: { admin: 'any', platform: 401, owner: 401, member: 401, lone: 401 },
  read_mail: { admin: 'any', platform: 401, owner: 401, member: 401, lone: 401 },
  use_own_sessions: {
    admin: 'self',
    platform: 'self',
    owner: 'self',
    member: 'self',
    lone: 'self',
  },
  read_metrics: { admin: 'any', platform: 401, owner: 401, member: 401, lone: 401 },
} as const satisfies Record<string, Record<Role, Reach>>

export type Operation = keyof typeof permissions

export function reachOf(caller: Caller, operation: Operation): Reach {
  return permissions[operation][caller.role]
}

/** Refuses a role that never may do this, and an admin who did not say for which account. */
export function requirePermission(caller: Caller, operation: Operation): void {
  const reach = reachOf(caller, operation)
  if (reach === 401) throw lacksPermission(caller, operation)
  if (reach === 403) throw forbidden(`${article(caller)} may not ${words(operation)}.`)
  if (reach === 'header' && caller.header_account_id === undefined) {
    throw forbidden(
      `${article(caller)} has no account of its own. Name one in the Florin-Account header.`,
    )
  }
}

export function forbidden(message: string): Refusal {
  return new Refusal('forbidden', message)
}

export function lacksPermission(caller: Caller, operation: Operation): Refusal {
  const who = article(caller).toLowerCase()
  const message = `This token may not ${words(operation)}: ${who} lacks the permission.`
  return new Refusal('unauthorized', message, { insufficient_scope: true })
}

const names: Record<Role, string> = {
  admin: 'An admin',
  platform: 'A platform user',
  owner: 'An account owner',
  member: 'A member',
  lone: 'A user without an account',
}

function article(caller: Caller): string {
  return names[caller.role]
}

const phrases: Record<Operation, string> = {
  list_users: 'list all users',
  create_user: 'create users',
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
  retrieve_transaction: 'retrieve this transaction',
  update_transaction: 'update this transaction',
  cancel_transaction: 'cancel this transaction',
  settle_transaction: 'settle transactions',
  create_payment: 'create payment requests',
  list_payments: 'list payment requests',
  retrieve_payment: 'retrieve this payment request',
  cancel_payment: 'cancel this payment request',
  send_payment: 'send this payment request',
  settle_payment: 'settle payment requests',
  read_books: "read an account's books",
  manage_webhooks: 'manage webhooks',
  advance_clock: 'advance the sandbox clock',
  read_mail: 'read mail',
  use_own_sessions: 'use sessions',
  read_metrics: 'read metrics',
}

function words(operation: Operation): string {
  return phrases[operation]
}
