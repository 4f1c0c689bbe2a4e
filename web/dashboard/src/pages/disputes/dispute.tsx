import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Dispute } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { Failure } from '../../parts/failure.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize, Status } from '../../parts/status.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { When } from '../../parts/when.tsx'
import { AccountFact } from '../accounts/account-name.tsx'
import { providerName } from '../transactions/provider-text.ts'
import { DisputeActions } from './dispute-actions.tsx'
import { useDisputeTimeline } from './dispute-timeline.tsx'

const route = getRouteApi('/shell/disputes/$id')

export function DisputePage() {
  const { id } = route.useParams()
  const dispute = useApiQuery(['disputes', id], (florin, signal) =>
    florin.disputes.get(id, { signal }),
  )
  if (dispute.isPending) return <LoadingPage />
  if (dispute.isLoadingError) {
    return (
      <>
        <PageHeader title="Dispute" />
        <Failure error={dispute.error} retry={() => dispute.refetch()} />
      </>
    )
  }
  return <DisputeView key={id} dispute={dispute.data} />
}

function DisputeView({ dispute }: { dispute: Dispute }) {
  const { amount, currency, status } = dispute
  const timeline = useDisputeTimeline(dispute)
  return (
    <>
      <BackLink to="/disputes">Disputes</BackLink>
      <PageHeader title={`Dispute ${dispute.id}`} actions={<DisputeActions dispute={dispute} />}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amount} currency={currency} code />
          </span>
          <Status of={status} />
        </span>
      </PageHeader>
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <Card title="Timeline">
          <Timeline entries={timeline.entries} />
          {timeline.failure && <Failure {...timeline.failure} />}
        </Card>
        <Card title="Details">
          <Facts facts={factsOf(dispute)} />
        </Card>
        <DeveloperDetails value={dispute} label="Dispute as JSON" />
      </div>
    </>
  )
}

function factsOf(dispute: Dispute): [string, ReactNode][] {
  const { id, transaction_id, reason, provider, provider_dispute_id, due_at } = dispute
  return [
    ['ID', <ShortId key="id" id={id} copy />],
    ['Payment', <IdLink key="payment" to="/transactions/$id" id={transaction_id} />],
    ['Reason', humanize(reason)],
    ['Provider', providerName(provider)],
    ['Provider’s ID', <ShortId key="provider" id={provider_dispute_id} copy />],
    ['Account', <AccountFact key="account" id={dispute.account_id} />],
    ['Response due', due_at === null ? '—' : <When key="due" at={due_at} absolute />],
    ['Created', <When key="created" at={dispute.created_at} absolute />],
    ['Updated', <When key="updated" at={dispute.updated_at} absolute />],
  ]
}
