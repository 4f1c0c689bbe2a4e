// Money that arrived after a payment request ended is booked as a late payment, and refunded or
// kept by the policy. Money that arrived for a pending request pays it.

import type { Final, History } from '../history.ts'
import type { ProviderState, RecordedCharge } from '../provider/provider-history.ts'

export function lateMoneyFollowsPolicy({ final, provider }: History): string[] {
  if (provider === undefined) return []
  return final.recorded.charges.flatMap((charge) => {
    const transaction = final.transactions.find(({ id }) => id === charge.transaction)
    const { payment_request, late_payment } = transaction?.metadata ?? {}
    const request = final.payments.find(({ id }) => id === payment_request)
    const what = `${charge.charge} of ${charge.amount} for ${payment_request}`
    if (request === undefined) return [`${what}: the payment request does not exist`]
    const is_late = request.transaction !== charge.transaction
    if (is_late !== (late_payment === true)) {
      return [`${what}: ${charge.transaction} is ${is_late ? 'not ' : ''}marked as late`]
    }
    if (!is_late) return []
    if (request.status === 'pending') return [`${what} is late, but the request is pending`]
    return provider.late_payments === 'refund'
      ? checkRefunded(charge, provider, final).map((wrong) => `${what}: ${wrong}`)
      : checkKept(charge, provider, final).map((wrong) => `${what}: ${wrong}`)
  })
}

function checkRefunded(charge: RecordedCharge, provider: ProviderState, final: Final): string[] {
  const ofCharge = (row: { charge: string }) => row.charge === charge.charge
  const refunds = provider.refunds.filter(ofCharge)
  const refunded = refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0)
  // The bank returned a refund, the payer disputes, a key returns 500, or a person refunded a part
  // in the dashboard, so that the provider rejected the refund of the whole. A person must decide.
  const own = refundsOf(charge, final)
  const is_excused =
    refunds.some(({ status }) => status === 'failed') ||
    provider.disputes.some(ofCharge) ||
    own.some(({ id }) => provider.frozen_keys.includes(id)) ||
    (own.some(({ status }) => status === 'failed') &&
      refunds.some(({ transaction }) => transaction === null))
  return refunded === charge.amount || is_excused ? [] : [`only ${refunded} was refunded`]
}

/** Merchants may refund it: their refunds have a tag. So may the dashboard. */
function checkKept(charge: RecordedCharge, provider: ProviderState, final: Final): string[] {
  const by_dashboard = new Set(
    provider.refunds.filter(({ transaction }) => transaction === null).map(({ id }) => id),
  )
  const rows = new Map(final.recorded.refunds.map((row) => [row.transaction, row]))
  return refundsOf(charge, final)
    .filter(({ metadata }) => metadata.tag === undefined)
    .filter(({ id }) => !by_dashboard.has(rows.get(id)?.refund ?? ''))
    .map(({ id }) => `it was refunded by ${id}, although late payments are kept`)
}

function refundsOf({ transaction }: RecordedCharge, { transactions }: Final) {
  return transactions.filter(({ refund_of }) => refund_of === transaction)
}
