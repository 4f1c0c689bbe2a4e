// The payment requests of customers. Callers pass canonical addresses.

import { rowKey } from '../lanes/row-set.ts'
import { isClosed } from '../ledger/closings.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import type { AddressReplacement } from '../postgres/replace-text.ts'
import type { SearchedRows, TextQuery } from '../postgres/search-newest.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { loadAndApplyClosings } from '../transactions/apply-closings.ts'
import { eraseCustomerTexts } from '../transactions/find-transaction.ts'
import { findRefundTotals } from '../transactions/list-refunds.ts'
import type { AttemptRow } from './attempt.ts'
import {
  type CustomerAddress,
  eraseRequests,
  eraseReturns,
  type RequestTotal,
  searchRequestRows,
  selectAddressesAfter,
  selectAttemptsOf,
  selectRequestsTo,
  selectRequestTotals,
} from './customer-queries.ts'
import type { PaymentRow } from './payment.ts'
import { selectPayments } from './queries.ts'

interface RequestTotals {
  /** The amount of succeeded requests, before refunds. */
  total_paid: number
  /** The amount of pending requests. */
  open: number
  /** The amount of refunds, including pending ones. */
  refunded: number
  requests: number
  paid_requests: number
  open_requests: number
  last_at: Date
  /** Set if older requests were left out: the creation time of the oldest one included. */
  totals_from: Date | null
}

// A sum of 5,000 of the largest amounts is a safe integer.
const requests_max = 5_000

/** The sums of each address that has requests, from its newest requests. */
export async function sumRequestsTo(
  db: Queryable,
  account_id: string,
  emails: string[],
): Promise<Map<string, RequestTotals>> {
  const found = await selectRequestTotals(db, account_id, emails, requests_max)
  const payments = found.flatMap(({ transaction_ids }) =>
    (transaction_ids ?? []).map((id) => ({ account_id, id })),
  )
  const refunds = await findRefundTotals(db, payments)
  const refundedOf = ({ transaction_ids }: RequestTotal) =>
    sum(transaction_ids ?? [], (id) => refunds.get(rowKey(account_id, id))?.amount ?? 0)
  // Pending rows of a closed account count as canceled.
  const is_pending = found.some(({ status }) => status === 'pending')
  const is_closed = is_pending && (await isClosed(db, account_id))
  const of_email = Map.groupBy(found, ({ email }) => email)
  return new Map(
    [...of_email].map(([email, totals]) => {
      const paid = totals.filter(({ status }) => status === 'succeeded')
      const open = totals.filter(({ status }) => status === 'pending' && !is_closed)
      const requests = sum(totals, (total) => total.requests)
      const first_id = totals.map((total) => total.first_id).sort()[0]!
      const entry: RequestTotals = {
        total_paid: sum(paid, ({ amount }) => amount),
        open: sum(open, ({ amount }) => amount),
        refunded: sum(paid, refundedOf),
        requests,
        paid_requests: sum(paid, (total) => total.requests),
        open_requests: sum(open, (total) => total.requests),
        last_at: new Date(Math.max(...totals.map(({ last_at }) => last_at.getTime()))),
        totals_from: requests < requests_max ? null : timeOfUuid(first_id),
      }
      return [email, entry]
    }),
  )
}

function sum<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** The requests to one address, newest first. */
export function listRequestsTo(
  db: Queryable,
  account_id: string,
  email: string,
  query: CursorQuery,
): Promise<CursorPage<PaymentRow>> {
  return pageByCursor(query, 'payment', {
    exists: async (id) => (await selectPayments(db, [{ account_id, id }])).length > 0,
    select: async (range) =>
      loadAndApplyClosings(db, await selectRequestsTo(db, account_id, email, range)),
  })
}

/** A page of the distinct addresses of requests, for `florin verify`. */
export function listAddresses(
  db: Queryable,
  range: AccountRange,
  after: CustomerAddress,
  limit: number,
): Promise<CustomerAddress[]> {
  return selectAddressesAfter(db, range, after, limit)
}

/** The newest requests that match, as the API shows them. */
export async function searchRequests(
  db: Queryable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<PaymentRow>> {
  const found = await searchRequestRows(db, account_id, query)
  return { ...found, rows: await loadAndApplyClosings(db, found.rows) }
}

/** Part of erasing a customer. The caller holds the account lock. */
export async function erasePayments(
  tx: Tx,
  email: string,
  replacement: AddressReplacement,
): Promise<void> {
  const rows = await eraseRequests(tx, email, replacement)
  const payment_ids = rows.flatMap(({ transaction_id }) => transaction_id ?? [])
  await eraseCustomerTexts(tx, payment_ids, replacement)
  await eraseReturns(
    tx,
    rows.map(({ id }) => id),
    replacement,
  )
}

// An export is one response. More requests of one customer are not exported.
const exported_max = 10_000

interface ExportedRequests {
  payments: PaymentRow[]
  attempts: AttemptRow[]
  is_complete: boolean
}

/** The requests to one address and their card attempts, newest first. */
export async function exportRequests(
  db: Queryable,
  account_id: string,
  email: string,
): Promise<ExportedRequests> {
  const range = { before: null, after: null, limit: exported_max + 1 }
  const rows = await selectRequestsTo(db, account_id, email, range)
  const payments = await loadAndApplyClosings(db, rows.slice(0, exported_max))
  const attempts = payments.length === 0 ? [] : await selectAttemptsOf(db, payments)
  return { payments, attempts, is_complete: rows.length <= exported_max }
}
