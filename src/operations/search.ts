// GET /v1/search: finds an object by its id. The prefix determines the type, and the permission
// table determines access. Objects without access are reported as unknown.

import { findAccounts } from '../accounts/find-accounts.ts'
import { findDisputeOwner } from '../disputes/find-dispute.ts'
import { findEvent } from '../events/list-events.ts'
import { findActingAccount } from '../identity/acting-account.ts'
import { findKeyOwners } from '../identity/api-keys/find-key-owners.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { type Permission, reachOf } from '../identity/permissions.ts'
import { findCredentials } from '../identity/users/credentials.ts'
import { findVisibleUser } from '../identity/users/get-user.ts'
import { findPayments, paymentFinder } from '../payments/find-payment.ts'
import type { Db } from '../postgres/database.ts'
import { canonicalEmail, isEmail } from '../primitives/email-address.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { findSubscriptionOwner } from '../subscriptions/find-subscription.ts'
import { findTransactions, transactionFinder } from '../transactions/find-transaction.ts'
import { findDeliveryOwner } from '../webhooks/find-deliveries.ts'
import { findEndpointOwner } from '../webhooks/find-endpoints.ts'

export const searchable_kinds = [
  'transaction',
  'payment',
  'subscription',
  'dispute',
  'account',
  'user',
  'event',
  'webhook_endpoint',
  'webhook_delivery',
  'api_key',
] as const

type SearchableKind = (typeof searchable_kinds)[number]

interface SearchResult {
  kind: SearchableKind
  id: string
  account_id: string | null
}

/** The object's account; undefined if the object does not exist. */
type OwnerAccount = { account_id: string | null } | undefined

/** Admins and platforms find objects of all accounts, regardless of the Florin-Account header. */
export async function search(db: Db, caller: Caller, text: string): Promise<SearchResult> {
  const q = text.trim()
  // Rejects a header that names an account without access.
  findActingAccount(caller)
  const found = (await findByEmail(db, caller, q)) ?? (await findById(db, caller, q))
  if (found === undefined) {
    throw new Refusal('not_found', 'No object with this id exists. Check the id and its prefix.')
  }
  return found
}

async function findByEmail(db: Db, caller: Caller, q: string): Promise<SearchResult | undefined> {
  if (caller.role !== 'admin' || !isEmail(q)) return undefined
  const user = await findCredentials(db, canonicalEmail(q))
  return user && findById(db, caller, toTypeId('user', user.id))
}

async function findById(db: Db, caller: Caller, q: string): Promise<SearchResult | undefined> {
  for (const kind of searchable_kinds) {
    const id = findUuid(kind, q)
    if (id === undefined) continue
    const owner = await finders[kind](db, caller, id)
    if (owner === undefined) return undefined
    const { account_id } = owner
    return { kind, id: q, account_id: account_id && toTypeId('account', account_id) }
  }
  return undefined
}

const finders: Record<
  SearchableKind,
  (db: Db, caller: Caller, id: string) => Promise<OwnerAccount>
> = {
  transaction: async (db, caller, id) =>
    isAdminOrPlatform(caller)
      ? transactionFinder(db)({ account_id: undefined, id })
      : inOwnAccount(
          caller,
          async (account_id) => (await findTransactions(db, [{ account_id, id }]))[0],
        ),
  payment: async (db, caller, id) =>
    isAdminOrPlatform(caller)
      ? paymentFinder(db)({ account_id: undefined, id })
      : inOwnAccount(
          caller,
          async (account_id) => (await findPayments(db, [{ account_id, id }]))[0],
        ),
  subscription: async (db, caller, id) =>
    ifVisible(caller, 'retrieve_subscription', await findSubscriptionOwner(db, id)),
  dispute: async (db, caller, id) =>
    ifVisible(caller, 'retrieve_dispute', await findDisputeOwner(db, id)),
  account: async (db, caller, id) => {
    const [account] = await findAccounts(db, [id])
    return ifVisible(caller, 'retrieve_account', account && { account_id: account.id })
  },
  user: (db, caller, id) => findVisibleUser(db, { ...caller, header_account_id: undefined }, id),
  // Events are looked up by their number within an account, so the account must be known.
  event: async (db, caller, id) => {
    const account_id = findActingAccount(caller)
    const event = account_id && (await findEvent(db, account_id, id))
    return event ? { account_id: event.account_id } : undefined
  },
  webhook_endpoint: async (db, caller, id) =>
    ifVisible(caller, 'manage_webhooks', await findEndpointOwner(db, id)),
  webhook_delivery: async (db, caller, id) =>
    ifVisible(caller, 'manage_webhooks', await findDeliveryOwner(db, id)),
  api_key: async (db, caller, id) => {
    const owners = await findKeyOwners(db, [id])
    const owner = owners.has(id) ? { account_id: owners.get(id) ?? null } : undefined
    return ifVisible(caller, 'manage_api_keys', owner)
  },
}

async function inOwnAccount(
  caller: Caller,
  find: (account_id: string) => Promise<OwnerAccount>,
): Promise<OwnerAccount> {
  return caller.account_id === null ? undefined : find(caller.account_id)
}

function ifVisible(caller: Caller, operation: Permission, owner: OwnerAccount): OwnerAccount {
  switch (reachOf(caller, operation)) {
    case 'any':
    case 'any_or_header':
    case 'header':
    case 'service':
      return owner
    case 'account':
      return caller.account_id !== null && owner?.account_id === caller.account_id
        ? owner
        : undefined
    default:
      return undefined
  }
}
