// Reads customers. Their sums come from the folders above: see src/operations/customers.ts.

import { getActingAccountId } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import type { SearchedRows, TextQuery } from '../postgres/search-newest.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { canonicalEmail } from '../primitives/email-address.ts'
import { findUuid } from '../primitives/ids.ts'
import { type CustomerRow, type CustomerSource, newCustomers, unknownCustomer } from './customer.ts'
import {
  deleteCustomer,
  markErased,
  searchCustomerRows,
  selectCustomerById,
  selectCustomerPage,
  selectCustomers,
  selectCustomersByPrefix,
  selectCustomersOf,
  sendNewCustomers,
} from './queries.ts'

/** Part of the write step of a batch. A known address changes nothing. */
export function writeCustomers(tx: Tx, sources: readonly CustomerSource[]): void {
  sendNewCustomers(tx, newCustomers(sources))
}

/** The UUID in a customer id. Malformed ids are reported as unknown. */
export function readCustomerId(text: string): string {
  const id = findUuid('customer', text)
  if (id === undefined) throw unknownCustomer()
  return id
}

/** Throws not_found unless the customer belongs to the acting account. */
export async function getCustomer(
  db: Queryable,
  caller: Caller,
  customer_id: string,
): Promise<CustomerRow> {
  const id = readCustomerId(customer_id)
  const account_id = await getActingAccountId(db, caller)
  const [row] = await selectCustomers(db, [{ account_id, id }])
  if (row === undefined) throw unknownCustomer()
  return row
}

export interface CustomerListQuery extends CursorQuery {
  /** The beginning of the address; case is ignored. */
  email?: string | undefined
}

const search_advice =
  'There are too many customers with this beginning. Retry with more of "email".'

export async function listCustomers(
  db: Db,
  account_id: string,
  query: CustomerListQuery,
): Promise<CursorPage<CustomerRow>> {
  const prefix = query.email === undefined ? undefined : canonicalEmail(query.email)
  return pageByCursor(query, 'customer', {
    exists: async (id) => (await selectCustomers(db, [{ account_id, id }])).length > 0,
    select: (range) =>
      prefix === undefined
        ? selectCustomerPage(db, account_id, range)
        : runQueuedSearch(db, account_id, search_advice, (tx) =>
            selectCustomersByPrefix(tx, account_id, prefix, range),
          ),
  })
}

/** The customers of these canonical addresses; addresses without one are left out. */
export function findCustomersOf(
  db: Queryable,
  keys: { account_id: string; email: string }[],
): Promise<CustomerRow[]> {
  return keys.length === 0 ? Promise.resolve([]) : selectCustomersOf(db, keys)
}

/** By id alone, in any account; undefined if it does not exist. */
export function findCustomerById(db: Queryable, id: string): Promise<CustomerRow | undefined> {
  return selectCustomerById(db, id)
}

const prefix_range = { before: null, after: null, limit: 10 }

/** By the beginning of any email, and by a part of the emails of the newest customers. */
export async function searchCustomers(
  db: Queryable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<CustomerRow>> {
  const { text } = query
  const found = await searchCustomerRows(db, account_id, query)
  if (text === undefined || found.rows.length >= prefix_range.limit) return found
  const started = await selectCustomersByPrefix(db, account_id, text, prefix_range)
  const known = new Set(found.rows.map(({ id }) => id))
  const more = started.filter(({ id }) => !known.has(id))
  return { ...found, rows: [...found.rows, ...more].slice(0, prefix_range.limit) }
}

/**
 * Replaces the address of a customer; returns the customer that has the erased address. If the same
 * person was erased before, that is the earlier one.
 */
export async function eraseCustomerRow(
  tx: Tx,
  row: CustomerRow,
  email: string,
): Promise<CustomerRow> {
  if (!(await markErased(tx, row, email, tx.now))) await deleteCustomer(tx, row)
  const { account_id } = row
  const [erased] = await selectCustomersOf(tx, [{ account_id, email }])
  return erased!
}
