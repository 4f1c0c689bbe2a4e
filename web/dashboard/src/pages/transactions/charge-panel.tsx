import type { ReactNode } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import type { Charge, Dispute, Transaction } from '../../api/api-types.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { Money } from '../../parts/money.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { cardText, providerName } from './provider-text.ts'
import { useAccountOption } from './transaction-related.ts'

/** The charge that paid a payment; null if it was paid without a card or a provider. */
export function useCharge(transaction: Transaction) {
  const { id, type, status } = transaction
  const on = useAccountOption(transaction)
  return useApiQuery<Charge | null>(
    ['transactions', id, 'charge', status],
    (florin, signal) => florin.transactions.getCharge(id, { signal, ...on }).catch(nullIfNone),
    { enabled: type === 'payment' && status === 'succeeded' },
  )
}

function nullIfNone(error: unknown): null {
  if (error instanceof FlorinError && error.status === 404) return null
  throw error
}

interface ChargePanelProps {
  charge: ReturnType<typeof useCharge>
  account_id: string
}

/** Nothing while loading: most transactions have no charge. */
export function ChargePanel({ charge, account_id }: ChargePanelProps) {
  if (charge.isLoadingError) {
    return (
      <Card title="Charge">
        <Failure error={charge.error} retry={() => charge.refetch()} />
      </Card>
    )
  }
  if (!charge.data) return null
  return <ChargeView charge={charge.data} account_id={account_id} />
}

function ChargeView({ charge, account_id }: { charge: Charge; account_id: string }) {
  const { transaction_id } = charge
  const on = useAccountOption({ account_id })
  const disputes = useApiQuery(
    ['disputes', 'of', transaction_id],
    async (florin, signal) =>
      (await florin.disputes.list({ transaction_id }, { signal, ...on })).data,
    { enabled: useUser().may.includes('list_disputes') },
  )
  return (
    <Card title="Charge">
      <Facts facts={[...factsOf(charge), ...(disputes.data ?? []).map(disputeFact)]} />
    </Card>
  )
}

function disputeFact({ id, status }: Dispute, at: number): [string, ReactNode] {
  return [
    at === 0 ? 'Dispute' : `Earlier dispute${at === 1 ? '' : ` (${at})`}`,
    <span key={id} className="inline-flex flex-wrap items-center justify-end gap-2">
      <Status of={status} />
      <IdLink to="/disputes/$id" id={id} />
    </span>,
  ]
}

function factsOf(charge: Charge): [string, ReactNode][] {
  const { provider, card, currency, refunded_amount } = charge
  const money = (amount: number, out = false) => (
    <Money amount={amount} currency={currency} out={out && amount !== 0} />
  )
  const facts: [string, ReactNode][] = [
    ['Provider', providerName(provider)],
    ['Charge ID', <ShortId key="id" id={charge.charge_id} copy />],
  ]
  if (card) facts.push(['Card', cardText(card)])
  facts.push(['Amount', money(charge.amount)])
  // The sandbox charges no fee.
  if (provider !== 'sandbox') {
    facts.push(
      ['Fee', charge.fee === null ? not_known : money(charge.fee, true)],
      ['Net', charge.net === null ? not_known : money(charge.net)],
    )
  }
  if (refunded_amount > 0) facts.push(['Refunded', money(refunded_amount, true)])
  return facts
}

const not_known = <span className="text-muted">Not known yet</span>
