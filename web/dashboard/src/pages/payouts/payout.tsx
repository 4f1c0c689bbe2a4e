import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Payout } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { AccountNumber } from '../../parts/account-number.tsx'
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
import { PayoutActions } from './payout-actions.tsx'
import { statusText } from './payout-text.ts'

const route = getRouteApi('/shell/payouts/$id')

export function PayoutPage() {
  const { id } = route.useParams()
  const payout = useApiQuery(['payouts', id], (florin, signal) =>
    florin.payouts.get(id, { signal }),
  )
  if (payout.isPending) return <LoadingPage />
  if (payout.isLoadingError) {
    return (
      <>
        <PageHeader title="Payout" />
        <Failure error={payout.error} retry={() => payout.refetch()} />
      </>
    )
  }
  return <PayoutView key={id} payout={payout.data} />
}

function PayoutView({ payout }: { payout: Payout }) {
  return (
    <>
      <BackLink to="/payouts">Payouts</BackLink>
      <PageHeader title={`Payout ${payout.id}`} actions={<PayoutActions payout={payout} />}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={payout.amount} currency={payout.currency} code />
          </span>
          <Status of={payout.status} />
        </span>
      </PageHeader>
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <Card title="Bank transfer">
          <p role="status" className="mb-2 text-muted">
            {statusText(payout)}
          </p>
          <Facts facts={transferFacts(payout)} />
        </Card>
        <Card title="Details">
          <Facts facts={factsOf(payout)} />
        </Card>
        <DeveloperDetails value={payout} label="Payout as JSON" />
      </div>
    </>
  )
}

function transferFacts({ destination, reference, export_id }: Payout): [string, ReactNode][] {
  const { name, iban, bic } = destination
  return [
    ['Account holder', name],
    ['IBAN', <AccountNumber key="iban" of={iban} />],
    ...(bic === null ? [] : ([['BIC', bic]] as [string, ReactNode][])),
    ['Reference', reference ?? '—'],
    ['Payment file', export_id === null ? '—' : <ShortId key="file" id={export_id} copy />],
  ]
}

function factsOf(payout: Payout): [string, ReactNode][] {
  const { approved_by } = payout
  return [
    ['ID', <ShortId key="id" id={payout.id} copy />],
    ['Account', <AccountFact key="account" id={payout.account_id} />],
    ['Created by', <ShortId key="creator" id={payout.created_by} copy />],
    ['Approved by', approved_by === null ? '—' : <ShortId key="by" id={approved_by} copy />],
    ['Created', <When key="created" at={payout.created_at} absolute />],
    ['Updated', <When key="updated" at={payout.updated_at} absolute />],
  ]
}
