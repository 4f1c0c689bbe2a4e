import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Subscription } from '../../api/api-types.ts'
import { useAccountId, useApiQuery, useUser } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { CustomerLink } from '../../parts/customer-link.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { When } from '../../parts/when.tsx'
import {
  CancelSubscription,
  PauseSubscription,
  ResumeSubscription,
} from './subscription-actions.tsx'
import { NextDates } from './subscription-dates.tsx'
import { SubscriptionPayments } from './subscription-payments.tsx'
import { intervalText } from './subscription-text.ts'
import { useSubscriptionTimeline } from './subscription-timeline.ts'

const route = getRouteApi('/shell/subscriptions/$id')

export function SubscriptionPage() {
  const { id } = route.useParams()
  const account = useAccountId()
  const subscription = useApiQuery(
    ['subscriptions', id],
    (florin, signal) => florin.subscriptions.get(id, { signal }),
    { enabled: account !== undefined },
  )
  if (account === undefined) return <ChooseAccount title="Subscription" what="Subscriptions" />
  if (subscription.isPending) return <LoadingPage />
  if (subscription.isLoadingError) {
    return (
      <>
        <PageHeader title="Subscription" />
        <Failure error={subscription.error} retry={() => subscription.refetch()} />
      </>
    )
  }
  return <SubscriptionView subscription={subscription.data} />
}

function SubscriptionView({ subscription }: { subscription: Subscription }) {
  const { amount, currency, status } = subscription
  return (
    <>
      <BackLink to="/subscriptions">Subscriptions</BackLink>
      <PageHeader
        title={`Subscription ${subscription.id}`}
        actions={status !== 'canceled' && <Actions subscription={subscription} />}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amount} currency={currency} code />
          </span>
          <span className="text-base font-medium text-muted">{intervalText(subscription)}</span>
          <Status of={status} />
        </span>
      </PageHeader>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <NextDates subscription={subscription} />
          <Card title="Timeline" className="flex-1">
            <Timeline entries={useSubscriptionTimeline(subscription)} />
          </Card>
        </div>
        <Card title="Details">
          <Facts facts={factsOf(subscription)} />
        </Card>
        <SubscriptionPayments subscription={subscription} />
        <DeveloperDetails value={subscription} label="Subscription as JSON" />
      </div>
    </>
  )
}

function Actions({ subscription }: { subscription: Subscription }) {
  const { may } = useUser()
  const Toggle = subscription.status === 'active' ? PauseSubscription : ResumeSubscription
  return (
    <>
      {may.includes('update_subscription') && <Toggle subscription={subscription} />}
      {may.includes('cancel_subscription') && <CancelSubscription subscription={subscription} />}
    </>
  )
}

function factsOf(subscription: Subscription): [string, ReactNode][] {
  const { id, account_id, customer_email, reference, created_at, updated_at } = subscription
  return [
    ['ID', <ShortId key="id" id={id} copy />],
    ['Customer', <CustomerLink key="customer" email={customer_email} account_id={account_id} />],
    [
      'Reference',
      <span key="reference" className="wrap-anywhere">
        {reference ?? '—'}
      </span>,
    ],
    ['Account', <ShortId key="account" id={account_id} copy />],
    ['Created', <When key="created" at={created_at} absolute />],
    ['Updated', <When key="updated" at={updated_at} absolute />],
  ]
}
