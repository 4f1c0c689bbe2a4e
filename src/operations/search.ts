// GET /v1/search. A full id finds its object; other text is compared with objects of the account,
// and for admins and platforms without an account with all accounts and users. The permission table
// determines access. Objects without access are left out.

import { findAccounts } from '../accounts/find-accounts.ts'
import { findCreditorReferences } from '../bank/creditor-reference.ts'
import { findEntryById } from '../bank-statements/find-statements.ts'
import { findCustomerById } from '../customers/find-customers.ts'
import { findDisputeById } from '../disputes/find-dispute.ts'
import { findEvent } from '../events/list-events.ts'
import { findActingAccount, findListedAccount } from '../identity/acting-account.ts'
import { findKeyOwners } from '../identity/api-keys/find-key-owners.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { type Permission, reachOf } from '../identity/permissions.ts'
import { findVisibleUser } from '../identity/users/get-user.ts'
import { findLink } from '../payment-links/start-payment.ts'
import { findByReference, findPayments, paymentFinder } from '../payments/find-payment.ts'
import { findPayoutOf } from '../payouts/find-payout.ts'
import type { Db } from '../postgres/database.ts'
import { findUuid } from '../primitives/ids.ts'
import { findSettlementById } from '../settlements/find-settlements.ts'
import { findSubscriptionById } from '../subscriptions/find-subscription.ts'
import { findTransactions, transactionFinder } from '../transactions/find-transaction.ts'
import { findTransferOf } from '../transfers/find-transfers.ts'
import { findDeliveryOwner } from '../webhooks/find-deliveries.ts'
import { findEndpointOwner } from '../webhooks/find-endpoints.ts'
import {
  accountResult,
  bankEntryResult,
  customerResult,
  disputeResult,
  linkResult,
  paymentResult,
  payoutResult,
  resultOf,
  type SearchableKind,
  type SearchResult,
  searchable_kinds,
  settlementResult,
  subscriptionResult,
  transactionResult,
  transferResult,
  userResult,
} from './search-result.ts'
import { type FoundObjects, searchAccount, searchPeople } from './search-text.ts'

/** By id, admins and platforms find objects of all accounts, regardless of the header. */
export async function search(db: Db, caller: Caller, text: string): Promise<FoundObjects> {
  const q = text.trim()
  // Rejects a header that names an account without access.
  findActingAccount(caller)
  for (const kind of searchable_kinds) {
    const id = findUuid(kind, q)
    if (id === undefined) continue
    const found = await finders[kind](db, caller, id)
    return { data: found === undefined ? [] : [found], searched_from: null }
  }
  const by_reference = await findByReference(db, findCreditorReferences(q))
  const paid = by_reference.flatMap(
    (row) => ifVisible(caller, 'retrieve_payment', row, paymentResult) ?? [],
  )
  if (paid.length > 0) return { data: paid, searched_from: null }
  const account_id = await findListedAccount(db, caller)
  const in_account = account_id && (await searchAccount(db, caller, account_id, q))
  const people = await searchPeople(db, caller, q)
  if (!in_account) return { data: people, searched_from: null }
  return { ...in_account, data: [...in_account.data, ...people] }
}

type Found = Promise<SearchResult | undefined>

const finders: Record<SearchableKind, (db: Db, caller: Caller, id: string) => Found> = {
  customer: async (db, caller, id) =>
    ifVisible(caller, 'retrieve_customer', await findCustomerById(db, id), customerResult),
  transaction: async (db, caller, id) => {
    const row = isAdminOrPlatform(caller)
      ? await transactionFinder(db)({ account_id: undefined, id, may_be_closed: true })
      : await inOwnAccount(
          caller,
          async (account_id) => (await findTransactions(db, [{ account_id, id }]))[0],
        )
    return row && transactionResult(row)
  },
  payment: async (db, caller, id) => {
    const row = isAdminOrPlatform(caller)
      ? await paymentFinder(db)({ account_id: undefined, id, may_be_closed: true })
      : await inOwnAccount(
          caller,
          async (account_id) => (await findPayments(db, [{ account_id, id }]))[0],
        )
    return row && paymentResult(row)
  },
  subscription: async (db, caller, id) => {
    const row = await findSubscriptionById(db, caller, id)
    return ifVisible(caller, 'retrieve_subscription', row, subscriptionResult)
  },
  dispute: async (db, caller, id) =>
    ifVisible(caller, 'retrieve_dispute', await findDisputeById(db, id), disputeResult),
  // Over all accounts, the row of the source.
  transfer: async (db, caller, id) => {
    const row = await findTransferOf(db, caller, caller.account_id ?? undefined, id)
    return ifVisible(caller, 'retrieve_transfer', row, transferResult)
  },
  payout: async (db, caller, id) => {
    const row = await findPayoutOf(db, caller, caller.account_id ?? undefined, id)
    return ifVisible(caller, 'retrieve_payout', row, payoutResult)
  },
  bank_entry: async (db, caller, id) =>
    ifVisible(caller, 'read_bank_statements', await findEntryById(db, id), bankEntryResult),
  settlement: async (db, caller, id) => {
    const row = await findSettlementById(db, id)
    const of_operator = row && { ...row, account_id: null }
    return ifVisible(caller, 'read_settlements', of_operator, settlementResult)
  },
  account: async (db, caller, id) => {
    const [row] = await findAccounts(db, [id])
    const owned = row && { ...row, account_id: row.id }
    return ifVisible(caller, 'retrieve_account', owned, accountResult)
  },
  user: async (db, caller, id) => {
    const row = await findVisibleUser(db, { ...caller, header_account_id: undefined }, id)
    return row && userResult(row)
  },
  // Payment links and events are looked up within an account, so the account must be known.
  payment_link: async (db, caller, id) => {
    const account_id = findActingAccount(caller)
    const found = account_id && (await findLink(db, { account_id, id }))
    return found ? linkResult(found.row) : undefined
  },
  event: async (db, caller, id) => {
    const account_id = findActingAccount(caller)
    const event = account_id && (await findEvent(db, account_id, id))
    return event ? resultOf('event', event, { title: event.type }) : undefined
  },
  webhook_endpoint: async (db, caller, id) => {
    const owner = await findEndpointOwner(db, id)
    return ifVisible(caller, 'manage_webhooks', owner, (row) =>
      resultOf('webhook_endpoint', { ...row, id }),
    )
  },
  webhook_delivery: async (db, caller, id) => {
    const owner = await findDeliveryOwner(db, id)
    return ifVisible(caller, 'manage_webhooks', owner, (row) =>
      resultOf('webhook_delivery', { ...row, id }),
    )
  },
  api_key: async (db, caller, id) => {
    const owners = await findKeyOwners(db, [id])
    const owner = owners.has(id) ? { account_id: owners.get(id) ?? null } : undefined
    return ifVisible(caller, 'manage_api_keys', owner, (row) => resultOf('api_key', { ...row, id }))
  },
}

async function inOwnAccount<Row>(
  caller: Caller,
  find: (account_id: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  return caller.account_id === null ? undefined : find(caller.account_id)
}

function ifVisible<Row extends { account_id: string | null }>(
  caller: Caller,
  operation: Permission,
  row: Row | undefined,
  present: (row: Row) => SearchResult,
): SearchResult | undefined {
  if (row === undefined) return undefined
  switch (reachOf(caller, operation)) {
    case 'any':
    case 'any_or_header':
    case 'header':
    case 'service':
      return present(row)
    case 'account':
      return caller.account_id !== null && row.account_id === caller.account_id
        ? present(row)
        : undefined
    default:
      return undefined
  }
}
