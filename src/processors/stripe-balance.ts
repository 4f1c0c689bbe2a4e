// The operator's balance at Stripe: balance transactions, and payouts to the operator's bank.

import type Stripe from 'stripe'
import type { BalanceEntry, BalancePage, ProviderBalance, ProviderSettlement } from './provider.ts'
import { fromStripeAmount } from './stripe-amounts.ts'

const page_rows = 100

/** `attempt` translates the errors of the library. */
export function stripeBalance(
  stripe: Stripe,
  attempt: <Value>(call: Promise<Value>) => Promise<Value>,
): ProviderBalance {
  return {
    async listEntries(filter, cursor) {
      const list = stripe.balanceTransactions.list({
        limit: page_rows,
        expand: ['data.source'],
        ...('settlement_id' in filter && { payout: filter.settlement_id }),
        ...(cursor !== undefined && { starting_after: cursor }),
      })
      return pageOf(await attempt(list), entryOf, filter)
    },
    async listSettlements(filter, cursor) {
      const list = stripe.payouts.list({
        limit: page_rows,
        ...(cursor !== undefined && { starting_after: cursor }),
      })
      return pageOf(await attempt(list), settlementOf, filter)
    },
  }
}

/** Stripe lists the newest first, so the first row that is too old ends the list. */
function pageOf<Object extends { id: string; created: number }, Row>(
  { data, has_more }: Stripe.ApiList<Object>,
  rowOf: (object: Object) => Row,
  filter: { since: Date } | { settlement_id: string },
): BalancePage<Row> {
  const last = data.at(-1)
  const since_s = 'since' in filter ? filter.since.getTime() / 1_000 : 0
  const continues = has_more && last !== undefined && last.created >= since_s
  return { rows: data.map(rowOf), next: continues ? last.id : undefined }
}

function entryOf(entry: Stripe.BalanceTransaction): BalanceEntry {
  const currency = entry.currency.toUpperCase()
  const source = typeof entry.source === 'string' ? null : (entry.source as Source | null)
  const kind = kindOf(entry)
  return {
    id: entry.id,
    kind,
    source_id: typeof entry.source === 'string' ? entry.source : (source?.id ?? null),
    charge_id: idOf(source?.charge),
    account_id: kind === 'charge' ? (source?.metadata?.florin_account_id ?? null) : null,
    amount: fromStripeAmount(entry.amount, currency),
    fee: fromStripeAmount(entry.fee, currency),
    currency,
    charged: chargedOf(entry, source),
    at: new Date(entry.created * 1_000),
  }
}

/** The fields that charges, refunds and disputes share. */
interface Source {
  id: string
  amount?: number
  currency?: string
  metadata?: Record<string, string> | null
  charge?: string | { id: string } | null
}

function idOf(object: Source['charge']): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}

const kinds: Record<string, BalanceEntry['kind']> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  // A refund that the bank returned.
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  payout: 'settlement',
  payout_cancel: 'settlement',
  payout_failure: 'settlement',
}

function kindOf({ type, reporting_category }: Stripe.BalanceTransaction): BalanceEntry['kind'] {
  // Disputes are adjustments, as many others are.
  if (/^dispute(_reversal)?$/.test(reporting_category)) return 'dispute'
  return kinds[type] ?? 'other'
}

/** The amount that was charged, with the sign of the entry. */
function chargedOf(
  entry: Stripe.BalanceTransaction,
  source: Source | null,
): BalanceEntry['charged'] {
  const { amount = entry.amount, currency = entry.currency } = source ?? {}
  const is_converted = currency !== entry.currency && kindOf(entry) !== 'settlement'
  const of = is_converted ? { amount, currency } : entry
  const code = of.currency.toUpperCase()
  return {
    amount: fromStripeAmount(Math.sign(entry.amount) * Math.abs(of.amount), code),
    fee: feeInCurrency(entry, of),
    currency: code,
  }
}

/**
 * The fee in the currency of the charge, also if Stripe settles in another one: then by the ratio
 * of both amounts, which does not depend on the units of an exchange rate.
 */
export function feeInCurrency(
  entry: Pick<Stripe.BalanceTransaction, 'amount' | 'fee' | 'currency'>,
  { amount, currency }: { amount: number; currency: string },
): number {
  const is_converted = entry.currency !== currency && entry.amount !== 0
  const fee = is_converted ? (entry.fee * Math.abs(amount)) / Math.abs(entry.amount) : entry.fee
  return fromStripeAmount(fee, currency.toUpperCase())
}

function settlementOf(payout: Stripe.Payout): ProviderSettlement {
  const currency = payout.currency.toUpperCase()
  // Not the statement descriptor: all settlements have the same.
  const trace = payout.trace_id?.value
  return {
    id: payout.id,
    amount: fromStripeAmount(payout.amount, currency),
    currency,
    status: payout.status as ProviderSettlement['status'],
    grouping: groupings[payout.reconciliation_status] ?? 'none',
    created_at: new Date(payout.created * 1_000),
    arrives_at: new Date(payout.arrival_date * 1_000),
    references: trace ? [trace, payout.id] : [payout.id],
  }
}

const groupings: Record<string, ProviderSettlement['grouping']> = {
  completed: 'complete',
  in_progress: 'in_progress',
}
