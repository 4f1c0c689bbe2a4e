import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Transfer } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { AccountFact } from '../accounts/account-name.tsx'
import { amountOf, describeTransfer, returnText } from './transfer-text.ts'

const route = getRouteApi('/shell/transfers/$id')

export function TransferPage() {
  const { id } = route.useParams()
  const transfer = useApiQuery(['transfers', id], (florin, signal) =>
    florin.transfers.get(id, { signal }),
  )
  if (transfer.isPending) return <LoadingPage />
  if (transfer.isLoadingError) {
    return (
      <>
        <PageHeader title="Transfer" />
        <Failure error={transfer.error} retry={() => transfer.refetch()} />
      </>
    )
  }
  return <TransferView key={id} transfer={transfer.data} />
}

function TransferView({ transfer }: { transfer: Transfer }) {
  const returned = returnText(transfer)
  return (
    <>
      <BackLink to="/transfers">Transfers</BackLink>
      <PageHeader title={`Transfer ${transfer.id}`}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amountOf(transfer)} currency={transfer.currency} code />
          </span>
          <Status of={transfer.status} />
        </span>
      </PageHeader>
      {returned && (
        <p role="status" className="mb-4 rounded-lg bg-amber-soft p-3 text-amber">
          {returned}
        </p>
      )}
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <Card title="Money">
          <Facts facts={moneyFacts(transfer)} />
        </Card>
        <Card title="Details">
          <Facts facts={otherFacts(transfer)} />
        </Card>
        <DeveloperDetails value={transfer} label="Transfer as JSON" />
      </div>
    </>
  )
}

type Fact = [string, ReactNode]

function moneyFacts(transfer: Transfer): Fact[] {
  const { amount, fee_amount, fee_account_id, returned_amount, currency, status } = transfer
  const received = amount - fee_amount
  const money = (name: string, value: number): Fact => [
    name,
    <Money key={name} amount={value} currency={currency} />,
  ]
  const account = (name: string, id: string): Fact => [name, <AccountFact key={name} id={id} />]
  const fee =
    fee_account_id === null
      ? []
      : [money('Fee', fee_amount), account('Fee goes to', fee_account_id)]
  return [
    account('From', transfer.from_account_id),
    account('To', transfer.to_account_id),
    money('Amount sent', amount),
    ...fee,
    ...(fee_amount > 0 && status !== 'returned' ? [money('Amount received', received)] : []),
    ...(returned_amount > 0 ? [money('Returned', returned_amount)] : []),
  ]
}

function otherFacts(transfer: Transfer): Fact[] {
  return [
    ['ID', <ShortId key="id" id={transfer.id} copy />],
    ['Transfer', describeTransfer(transfer)],
    ['Reference', transfer.reference ?? '—'],
    ['Created', <When key="created" at={transfer.created_at} absolute />],
    ['Updated', <When key="updated" at={transfer.updated_at} absolute />],
  ]
}
