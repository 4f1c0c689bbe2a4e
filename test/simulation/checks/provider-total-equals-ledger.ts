// For each account, what the provider holds (charges without refunds, fees and withdrawn disputes)
// is what the ledger holds, without the money that moved outside the provider.

import type { Final, FinalPosting, History } from '../history.ts'
import type { ProviderState } from '../provider/provider-history.ts'

export function providerTotalEqualsLedger({ final, provider }: History): string[] {
  if (provider === undefined) return []
  const held = heldByProvider(provider, final)
  const manual = movedByHand(final)
  return final.balances.flatMap(({ account, available, incoming, held: on_hold, owed }) => {
    const ledger = available + incoming + on_hold - owed - (manual.get(account) ?? 0)
    const total = held.get(account) ?? 0
    return ledger === total
      ? []
      : [`${account}: the provider holds ${total}, the ledger ${ledger} (${ledger - total} more)`]
  })
}

function heldByProvider(provider: ProviderState, final: Final): Map<string, number> {
  const accounts = new Map(final.recorded.checkouts.map(({ id, account }) => [id, account]))
  const totals = new Map<string, number>()
  for (const { id, checkout, amount, fee } of provider.charges) {
    const refunded = sum(
      provider.refunds.filter(({ charge, status }) => charge === id && status !== 'failed'),
    )
    const withdrawn = sum(
      provider.disputes.filter(({ charge, status }) => charge === id && status !== 'won'),
    )
    const account = accounts.get(checkout ?? '') ?? 'an unknown account'
    add(totals, account, amount - fee - refunded - withdrawn)
  }
  return totals
}

// Money enters and leaves the ledger by these movements.
const signs: Record<string, number> = {
  arrive: 1,
  return: -1,
  pay_out: -1,
  fee: -1,
  withdraw: -1,
  reinstate: 1,
}

/** Transactions of the API that the provider does not know. */
function movedByHand({ transactions, postings, recorded }: Final): Map<string, number> {
  const charged = new Set(recorded.charges.map(({ transaction }) => transaction))
  const credits = new Set(recorded.refunds.map(({ credit }) => credit))
  const by_hand = new Set(
    transactions
      .filter(({ id, refund_of }) => !charged.has(id) && !charged.has(refund_of ?? ''))
      .filter(({ id }) => !credits.has(id))
      .map(({ id }) => id),
  )
  const totals = new Map<string, number>()
  for (const posting of postings) {
    if (by_hand.has(posting.transaction)) add(totals, posting.account, signed(posting))
  }
  return totals
}

function signed({ movement, amount }: FinalPosting): number {
  return (signs[movement] ?? 0) * amount
}

function sum(rows: { amount: number }[]): number {
  return rows.reduce((total, { amount }) => total + amount, 0)
}

function add(totals: Map<string, number>, account: string, amount: number): void {
  totals.set(account, (totals.get(account) ?? 0) + amount)
}
