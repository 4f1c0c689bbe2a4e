// What GET /v1/search returns for each kind of object.

import type { AccountRow } from '../accounts/account.ts'
import type { EntryRow } from '../bank-statements/bank-entry.ts'
import type { CustomerRow } from '../customers/customer.ts'
import type { DisputeRow } from '../disputes/dispute.ts'
import type { UserRow } from '../identity/users/user.ts'
import type { LinkRow } from '../payment-links/payment-link.ts'
import type { PaymentRow } from '../payments/payment.ts'
import type { PayoutRow } from '../payouts/payout.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import type { SettlementRow } from '../settlements/settlement.ts'
import type { SubscriptionRow } from '../subscriptions/subscription.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import type { TransferRow } from '../transfers/transfer.ts'

export const searchable_kinds = [
  'customer',
  'payment',
  'transaction',
  'subscription',
  'dispute',
  'transfer',
  'payout',
  'payment_link',
  'account',
  'user',
  'event',
  'webhook_endpoint',
  'webhook_delivery',
  'api_key',
  'bank_entry',
  'settlement',
] as const

export type SearchableKind = (typeof searchable_kinds)[number]

export interface SearchResult {
  kind: SearchableKind
  id: string
  account_id: string | null
  title: string
  amount: number | null
  currency: string | null
  status: string | null
  customer_email: string | null
  created_at: string
}

type Details = Partial<
  Pick<SearchResult, 'title' | 'amount' | 'currency' | 'status' | 'customer_email'>
>

/** A row of any kind; without details, the id is the title. */
export function resultOf(
  kind: SearchableKind,
  { id, account_id }: { id: string; account_id: string | null },
  details: Details = {},
): SearchResult {
  const type_id = toTypeId(kind, id)
  return {
    kind,
    id: type_id,
    account_id: account_id && toTypeId('account', account_id),
    title: details.title ?? type_id,
    amount: details.amount ?? null,
    currency: details.currency ?? null,
    status: details.status ?? null,
    customer_email: details.customer_email ?? null,
    created_at: toIso(timeOfUuid(id)),
  }
}

export const customerResult = (row: CustomerRow): SearchResult =>
  resultOf('customer', row, { title: row.email, customer_email: row.email })

export function paymentResult(row: PaymentRow): SearchResult {
  const { reference, customer_email, amount, currency, status } = row
  const title = reference ?? customer_email
  return resultOf('payment', row, { title, customer_email, amount, currency, status })
}

export function subscriptionResult(row: SubscriptionRow): SearchResult {
  const { reference, customer_email, amount, currency, status } = row
  const title = reference ?? customer_email
  return resultOf('subscription', row, { title, customer_email, amount, currency, status })
}

/** `customer_email` is of the payment request that the transaction paid or refunded. */
export function transactionResult(
  row: TransactionRow,
  customer_email: string | null = null,
): SearchResult {
  const { reference, type, amount, currency, status } = row
  const title = customer_email ?? reference ?? typeTitles[type]
  return resultOf('transaction', row, { title, customer_email, amount, currency, status })
}

const typeTitles = { payment: 'Payment', credit: 'Credit', refund: 'Refund' }

export const disputeResult = ({ amount, currency, status, ...row }: DisputeRow): SearchResult =>
  resultOf('dispute', row, { amount, currency, status })

export function transferResult(row: TransferRow): SearchResult {
  const { reference, amount, currency, status } = row
  return resultOf('transfer', row, { title: reference ?? 'Transfer', amount, currency, status })
}

export function payoutResult(row: PayoutRow): SearchResult {
  const { reference, amount, currency, status } = row
  return resultOf('payout', row, { title: reference ?? 'Payout', amount, currency, status })
}

/** Entries and settlements belong to the operator, not to an account. */
export function bankEntryResult({ id, direction, currency, status, ...row }: EntryRow) {
  const title = row.counterparty_name ?? row.remittance ?? 'Bank entry'
  const amount = direction === 'credit' ? row.amount : 0 - row.amount
  return resultOf('bank_entry', { id, account_id: null }, { title, amount, currency, status })
}

export function settlementResult({ id, provider_id, amount, currency, status }: SettlementRow) {
  const details = { title: provider_id, amount, currency, status }
  return resultOf('settlement', { id, account_id: null }, details)
}

export const linkResult = ({ title, amount, currency, ...row }: LinkRow): SearchResult =>
  resultOf('payment_link', row, { title, amount, currency })

export const accountResult = ({ id, name, status }: AccountRow): SearchResult =>
  resultOf('account', { id, account_id: id }, { title: name, status })

export const userResult = (row: UserRow): SearchResult =>
  resultOf('user', row, { title: row.name ?? row.email, status: row.status })
