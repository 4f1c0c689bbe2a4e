import { getRouteApi } from '@tanstack/react-router'
import { useAccountSettings } from '../../api/account-settings.ts'
import { type Subscription, subscription_statuses } from '../../api/api-types.ts'
import { useAccountId, useCount, useList, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { CreateSubscription } from './create-subscription.tsx'
import { foldedSubscription, subscriptionColumns } from './subscription-columns.tsx'

const route = getRouteApi('/shell/subscriptions')

export function SubscriptionsPage() {
  const account = useAccountId()
  if (account !== undefined) return <Subscriptions account_id={account} />
  return <ChooseAccount title="Subscriptions" what="Subscriptions" />
}

function Subscriptions({ account_id }: { account_id: string }) {
  const { status } = route.useSearch()
  const { currency = 'USD' } = useAccountSettings()
  const may_create = useUser().may.includes('create_subscription')
  const query = useList(['subscriptions', status], (florin, page, signal) =>
    florin.subscriptions.list({ status, ...page }, { signal }),
  )
  const total = useCount(['subscriptions', status], (florin, signal) =>
    florin.subscriptions.count({ status }, { signal }),
  )
  return (
    <>
      <PageHeader title="Subscriptions" actions={<NewSubscription account_id={account_id} />} />
      <StatusFilter />
      <Card>
        <DataList
          label="Subscriptions"
          query={query}
          columns={subscriptionColumns}
          folded={Folded}
          name={(row) => [row.customer_email, row.reference].filter(Boolean).join(', ')}
          total={total}
          link={(row) => ({ to: '/subscriptions/$id', params: { id: row.id } })}
          empty={status === undefined ? noneYet(currency, may_create) : nothing_matches}
        />
      </Card>
    </>
  )
}

/** The URL holds whether the form is open, so other pages can link to it. */
function NewSubscription({ account_id }: { account_id: string }) {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useUser().may.includes('create_subscription')
  const show = (open: boolean) =>
    navigate({
      search: (before) => ({ ...before, create: open ? ('yes' as const) : undefined }),
      replace: true,
    })
  if (!may) return null
  return (
    <>
      <Button tone="primary" onClick={() => show(true)}>
        Create subscription
      </Button>
      <CreateSubscription key={account_id} open={create === 'yes'} onOpenChange={show} />
    </>
  )
}

function StatusFilter() {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (status: Subscription['status'] | undefined) =>
    void navigate({ search: (before) => ({ ...before, status }), replace: true })
  return (
    <FilterBar clear={status === undefined ? undefined : () => set(undefined)}>
      <ChoiceFilter label="Status" value={status} values={subscription_statuses} onChange={set} />
    </FilterBar>
  )
}

function Folded(row: Subscription) {
  return (
    <>
      <div>{row.customer_email}</div>
      {foldedSubscription(row)}
    </>
  )
}

const nothing_matches = {
  title: 'No subscriptions with this status',
  text: 'Clear the filter to see all subscriptions.',
}

function noneYet(currency: string, may_create: boolean) {
  const body = {
    customer_email: 'ann@example.com',
    amount: 2500,
    currency,
    interval: 'month',
    reference: 'Membership',
  }
  return {
    title: 'No subscriptions yet',
    text: ['Subscriptions email a payment link each period.', may_create && 'Create one above.']
      .filter(Boolean)
      .join(' '),
    action: may_create && <CurlLine path="/v1/subscriptions" body={body} />,
  }
}
