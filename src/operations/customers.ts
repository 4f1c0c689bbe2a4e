// Customers with their sums: what they paid, owe and got back, and their subscriptions. Read from
// payment requests and subscriptions, so that a payment updates no counter.

import { findAccounts } from '../accounts/find-accounts.ts'
import type { CustomerRow } from '../customers/customer.ts'
import {
  type CustomerListQuery,
  getCustomer as getRow,
  listCustomers as listRows,
} from '../customers/find-customers.ts'
import { getActingAccountId } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { listRequestsTo, sumRequestsTo } from '../payments/customer-requests.ts'
import type { PaymentRow } from '../payments/payment.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import type { CursorPage, CursorQuery } from '../primitives/cursor.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import {
  countSubscriptionsOf,
  listSubscriptionsOf,
} from '../subscriptions/customer-subscriptions.ts'
import type { SubscriptionRow } from '../subscriptions/subscription.ts'

export interface Customer {
  id: string
  account_id: string
  email: string
  currency: string
  total_paid: number
  refunded: number
  open: number
  requests: number
  paid_requests: number
  open_requests: number
  active_subscriptions: number
  created_at: string
  last_activity_at: string
  totals_from: string | null
  erased_at: string | null
}

export async function getCustomer(db: Db, caller: Caller, customer_id: string): Promise<Customer> {
  const row = await getRow(db, caller, customer_id)
  const [customer] = await present(db, row.account_id, [row])
  return customer!
}

/** Within a transaction, which is not queued behind searches. */
export async function presentCustomer(db: Queryable, row: CustomerRow): Promise<Customer> {
  const [customer] = await withSums(db, row.account_id, [row])
  return customer!
}

const page_advice = 'The sums of these customers took too long. Retry with a smaller "limit".'

export async function listCustomers(
  db: Db,
  caller: Caller,
  query: CustomerListQuery,
): Promise<CursorPage<Customer>> {
  const account_id = await getActingAccountId(db, caller)
  const page = await listRows(db, account_id, query)
  const data = await present(db, account_id, page.data)
  return { ...page, data }
}

/** The payment requests of a customer, newest first. */
export async function listCustomerPayments(
  db: Db,
  caller: Caller,
  customer_id: string,
  query: CursorQuery,
): Promise<CursorPage<PaymentRow>> {
  const { account_id, email_canonical } = await getRow(db, caller, customer_id)
  return listRequestsTo(db, account_id, email_canonical, query)
}

/** The subscriptions of a customer, newest first. */
export async function listCustomerSubscriptions(
  db: Db,
  caller: Caller,
  customer_id: string,
  query: CursorQuery,
): Promise<CursorPage<SubscriptionRow>> {
  const { account_id, email_canonical: email } = await getRow(db, caller, customer_id)
  return listSubscriptionsOf(db, caller, { account_id, email }, query)
}

function present(db: Db, account_id: string, rows: CustomerRow[]): Promise<Customer[]> {
  if (rows.length === 0) return Promise.resolve([])
  return runQueuedSearch(db, account_id, page_advice, (tx) => withSums(tx, account_id, rows))
}

async function withSums(
  db: Queryable,
  account_id: string,
  rows: CustomerRow[],
): Promise<Customer[]> {
  const emails = rows.map(({ email_canonical }) => email_canonical)
  const [[account], sums, subscriptions] = await Promise.all([
    findAccounts(db, [account_id]),
    sumRequestsTo(db, account_id, emails),
    countSubscriptionsOf(db, account_id, emails),
  ])
  return rows.map((row) => {
    const sum = sums.get(row.email_canonical)
    const subscribed = subscriptions.get(row.email_canonical)
    const times = [timeOfUuid(row.id), sum?.last_at, subscribed?.last_at, row.erased_at]
    return {
      id: toTypeId('customer', row.id),
      account_id: toTypeId('account', account_id),
      email: row.email,
      currency: account!.currency,
      total_paid: sum?.total_paid ?? 0,
      refunded: sum?.refunded ?? 0,
      open: sum?.open ?? 0,
      requests: sum?.requests ?? 0,
      paid_requests: sum?.paid_requests ?? 0,
      open_requests: sum?.open_requests ?? 0,
      active_subscriptions: subscribed?.active ?? 0,
      created_at: toIso(timeOfUuid(row.id)),
      last_activity_at: toIso(Math.max(...times.map((time) => time?.getTime() ?? 0))),
      totals_from: sum?.totals_from ? toIso(sum.totals_from) : null,
      erased_at: row.erased_at && toIso(row.erased_at),
    }
  })
}
