// GET /v1/customers/{id}/export: everything that the account stores about a customer.

import { getCustomer } from '../customers/find-customers.ts'
import { type Dispute, presentDispute } from '../disputes/dispute.ts'
import { loadDisputes } from '../disputes/dispute-set.ts'
import { type EmailToCustomer, exportEmailsTo } from '../email/list-emails.ts'
import type { Caller } from '../identity/caller.ts'
import { type Attempt, presentAttempt } from '../payments/attempt.ts'
import { exportRequests } from '../payments/customer-requests.ts'
import { wholeJson } from '../payments/payment.ts'
import { refundedAmounts } from '../payments/refunds.ts'
import type { Db } from '../postgres/database.ts'
import { runQueuedSnapshot } from '../postgres/search.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { exportSubscriptionsOf } from '../subscriptions/customer-subscriptions.ts'
import { subscriptionJson } from '../subscriptions/subscription.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import { findCharges } from '../transactions/charges.ts'
import { type Customer, presentCustomer } from './customers.ts'

interface ExportedCharge {
  transaction_id: string
  provider: string
  charge_id: string
  amount: number
  card: { brand: string; last4: string } | null
}

interface CustomerExport {
  exported_at: string
  customer: Customer
  payments: Record<string, unknown>[]
  attempts: (Attempt & { payment_id: string })[]
  charges: ExportedCharge[]
  disputes: Dispute[]
  subscriptions: Record<string, unknown>[]
  emails: EmailToCustomer[]
  is_complete: boolean
}

export async function exportCustomer(
  { db, public_url }: { db: Db; public_url: string },
  caller: Caller,
  customer_id: string,
): Promise<CustomerExport> {
  const row = await getCustomer(db, caller, customer_id)
  const { account_id, email_canonical: email } = row
  return runQueuedSnapshot(db, account_id, async (snapshot) => {
    const { payments, attempts, is_complete } = await exportRequests(snapshot, account_id, email)
    const refunded = await refundedAmounts(snapshot, payments)
    const paid = payments.flatMap(({ transaction_id }) => transaction_id ?? [])
    const charges = await findCharges(
      snapshot,
      paid.map((id) => ({ account_id, id })),
    )
    const disputes = await loadDisputes(snapshot, charges)
    const subscriptions = await exportSubscriptionsOf(snapshot, caller, account_id, email)
    return {
      exported_at: toIso(Date.now()),
      customer: await presentCustomer(snapshot, row),
      payments: payments.map((one) => JSON.parse(wholeJson(one, public_url, refunded(one)))),
      attempts: attempts.map((one) => ({
        payment_id: toTypeId('payment', one.payment_id),
        ...presentAttempt(one),
      })),
      charges: charges.map(presentCharge),
      disputes: disputes.map(presentDispute),
      subscriptions: subscriptions.map((one) => JSON.parse(subscriptionJson(one))),
      emails: await exportEmailsTo(snapshot, account_id, email),
      is_complete,
    }
  })
}

function presentCharge(charge: ChargeRow): ExportedCharge {
  const { provider, charge_id, amount, card_brand: brand, card_last4: last4 } = charge
  const card = brand === null || last4 === null ? null : { brand, last4 }
  const transaction_id = toTypeId('transaction', charge.transaction_id)
  return { transaction_id, provider, charge_id, amount, card }
}
