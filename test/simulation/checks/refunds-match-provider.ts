// Each refund of a charged payment exists once at the provider and once in Florin, with the same
// amount and outcome. A refund that failed after it succeeded has a credit.

import type { Final, History } from '../history.ts'
import type {
  ProviderRefundState,
  ProviderState,
  RecordedRefund,
} from '../provider/provider-history.ts'
import { groupBy } from '../writes.ts'

type Transaction = Final['transactions'][number]

export function refundsMatchProvider({ final, provider }: History): string[] {
  if (provider === undefined) return []
  const charged = new Set(final.recorded.charges.map(({ transaction }) => transaction))
  const linked = final.transactions.filter(({ refund_of }) => charged.has(refund_of ?? ''))
  return [
    ...checkProvider(provider, final.recorded.refunds),
    ...linked.flatMap((refund) => checkTransaction(refund, provider, final)),
  ]
}

function checkProvider({ refunds }: ProviderState, recorded: RecordedRefund[]): string[] {
  const ours = refunds.filter(({ transaction }) => transaction !== null)
  const twice = [...groupBy(ours, ({ transaction }) => transaction!)]
    .filter(([, made]) => made.length > 1)
    .map(([id, made]) => `${id} was refunded ${made.length} times at the provider`)
  const lost = refunds.flatMap((refund) => {
    const rows = recorded.filter((row) => row.refund === refund.id)
    const is_expected = rows.length === 1 || (rows.length === 0 && refund.status === 'failed')
    const what = `${refund.id} of ${refund.amount} (${refund.status})`
    return is_expected ? [] : [`${what} has ${rows.length} transactions`]
  })
  return [...twice, ...lost]
}

function checkTransaction(
  transaction: Transaction,
  provider: ProviderState,
  final: Final,
): string[] {
  const { id, status, amount } = transaction
  const row = final.recorded.refunds.find((each) => each.transaction === id)
  if (row === undefined) return [`${id} refunds a charge, but was not sent to the provider`]
  const made = provider.refunds.find((each) => each.id === row.refund || each.transaction === id)
  const what = `${id} of ${amount} is ${status}`
  if (made !== undefined && made.amount !== amount) return [`${what}, but ${made.amount} was paid`]
  switch (status) {
    case 'pending':
      return isUnknown(transaction, made, provider) ? [] : [`${what}, but nothing keeps it open`]
    case 'succeeded':
      return made === undefined ? [`${what}, but it was not paid`] : checkCredit(row, made, final)
    default:
      return made === undefined || made.status === 'failed' ? [] : [`${what}, but it was paid`]
  }
}

/** The provider returns the same 500 for the key until it expires. */
function isUnknown(
  { id }: Transaction,
  made: ProviderRefundState | undefined,
  { frozen_keys }: ProviderState,
): boolean {
  return made === undefined && frozen_keys.includes(id)
}

function checkCredit(row: RecordedRefund, made: ProviderRefundState, final: Final): string[] {
  const failed_late = made.status === 'failed'
  if (!failed_late && row.credit === null) return []
  const what = `${row.transaction}, which ${failed_late ? 'failed late' : 'was paid'},`
  if (!failed_late) return [`${what} has a credit`]
  const credit = final.transactions.find(({ id }) => id === row.credit)
  const is_right =
    credit?.type === 'credit' && credit.status === 'succeeded' && credit.amount === made.amount
  return is_right ? [] : [`${what} has no credit of ${made.amount}`]
}
