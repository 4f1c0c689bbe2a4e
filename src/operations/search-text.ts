// Search by text, amount or the end of an id: in one account, or among all accounts and users.

import { findAccounts } from '../accounts/find-accounts.ts'
import { listAccounts } from '../accounts/list-accounts.ts'
import { searchCustomers } from '../customers/find-customers.ts'
import type { Caller } from '../identity/caller.ts'
import { mayUse, type Permission } from '../identity/permissions.ts'
import { listUsers } from '../identity/users/list-users.ts'
import { searchRequests } from '../payments/customer-requests.ts'
import { findCustomers } from '../payments/transaction-details.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import type { SearchedRows, TextQuery } from '../postgres/search-newest.ts'
import { findUuidEnd, timeOfUuid } from '../primitives/ids.ts'
import { findAmount } from '../primitives/money.ts'
import { toIso } from '../primitives/time.ts'
import { searchSubscriptions } from '../subscriptions/customer-subscriptions.ts'
import { searchTransactions } from '../transactions/find-transaction.ts'
import {
  customerResult,
  paymentResult,
  type SearchResult,
  subscriptionResult,
  transactionResult,
} from './search-result.ts'

export interface FoundObjects {
  data: SearchResult[]
  /** Older objects were not compared; null if all were. */
  searched_from: string | null
}

const advice = 'The search took too long. Search for a full id or a full email.'

/** In the newest objects of one account, kind by kind. */
export function searchAccount(
  db: Db,
  caller: Caller,
  account_id: string,
  typed: string,
): Promise<FoundObjects> {
  return runQueuedSearch(db, account_id, advice, async (tx) => {
    const query = await readQuery(tx, account_id, typed)
    const search = async <Row>(
      permission: Permission,
      find: () => Promise<SearchedRows<Row>>,
      present: (row: Row) => SearchResult,
    ) => {
      if (!mayUse(caller, permission)) return { results: [], from_id: undefined }
      const { rows, from_id } = await find()
      return { results: rows.map(present), from_id }
    }
    const transactions = await searchTransactions(tx, account_id, query)
    const customerOf = await findCustomers(tx, caller, transactions.rows)
    const found = [
      await search('list_customers', () => searchCustomers(tx, account_id, query), customerResult),
      await search('list_payments', () => searchRequests(tx, account_id, query), paymentResult),
      await search(
        'list_transactions',
        async () => transactions,
        (row) => transactionResult(row, customerOf(row)),
      ),
      await search(
        'list_subscriptions',
        () => searchSubscriptions(tx, caller, account_id, query),
        subscriptionResult,
      ),
    ]
    const from_ids = found.flatMap(({ from_id }) => from_id ?? [])
    const latest = from_ids.sort().at(-1)
    return {
      data: found.flatMap(({ results }) => results),
      searched_from: latest === undefined ? null : toIso(timeOfUuid(latest)),
    }
  })
}

// One character is part of nearly every email.
const text_length_min = 2

async function readQuery(tx: Tx, account_id: string, typed: string): Promise<TextQuery> {
  const [account] = await findAccounts(tx, [account_id])
  const text = typed.toLowerCase()
  return {
    text: text.length < text_length_min ? undefined : text,
    amount: account && findAmount(typed, account.currency),
    id_end: findUuidEnd(text),
  }
}

const page = { page: 1, limit: 10 }

/** Accounts and users of the service by a part of their name or email. */
export async function searchPeople(
  db: Db,
  caller: Caller,
  search: string,
): Promise<SearchResult[]> {
  if (search.length < text_length_min) return []
  const accounts = mayUse(caller, 'list_accounts')
    ? (await listAccounts(db, caller, { ...page, search })).data
    : []
  const users = mayUse(caller, 'list_users')
    ? (await listUsers(db, caller, { ...page, search })).data
    : []
  const none = { amount: null, currency: null, customer_email: null }
  return [
    ...accounts.map(({ id, name: title, status, created_at }) => ({
      ...{ kind: 'account' as const, id, account_id: id, title, status, created_at, ...none },
    })),
    ...users.map(({ id, name, email, status, created_at }) => ({
      ...{ kind: 'user' as const, id, account_id: null, title: name ?? email, status },
      ...{ created_at, ...none },
    })),
  ]
}
