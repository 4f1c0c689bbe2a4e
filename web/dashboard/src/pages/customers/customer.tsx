import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Customer } from '../../api/api-types.ts'
import type { Florin } from '../../api/florin.ts'
import { useAccountId, useApiQuery, useList } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts, Figure, Figures } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { When } from '../../parts/when.tsx'
import { columnsOfCustomer, foldedOfCustomer } from '../payments/payment-columns.tsx'
import { columnsOfSubscriber, foldedSubscription } from '../subscriptions/subscription-columns.tsx'
import { CustomerActions } from './customer-actions.tsx'
import { historyOf } from './customer-history.tsx'

const route = getRouteApi('/shell/customers/$id')

export function CustomerPage() {
  const { id } = route.useParams()
  const account = useAccountId()
  const customer = useApiQuery(
    ['payments', 'customer', id],
    (florin, signal) => findCustomer(florin, id, signal),
    { enabled: account !== undefined },
  )
  if (account === undefined) return <ChooseAccount title="Customer" what="Customers" />
  if (customer.isPending) return <LoadingPage />
  if (customer.isLoadingError) {
    return (
      <>
        <PageHeader title="Customer" />
        <Failure error={customer.error} retry={() => customer.refetch()} />
      </>
    )
  }
  return <CustomerView customer={customer.data} />
}

/** Other pages know only the email of a customer, and link here with it. */
async function findCustomer(florin: Florin, id: string, signal: AbortSignal): Promise<Customer> {
  if (!id.includes('@')) return florin.customers.get(id, { signal })
  const { data } = await florin.customers.list({ email: id, limit: 100 }, { signal })
  const found = data.find(({ email }) => email.toLowerCase() === id.toLowerCase())
  if (found === undefined) throw new Error(`No customer has the email ${id}.`)
  return found
}

function CustomerView({ customer }: { customer: Customer }) {
  const { id, currency, total_paid, open, refunded } = customer
  const payments = useList(['payments', 'of customer', id], (florin, page, signal) =>
    florin.customers.listPayments(id, page, { signal }),
  )
  const subscriptions = useList(['subscriptions', 'of customer', id], (florin, page, signal) =>
    florin.customers.listSubscriptions(id, page, { signal }),
  )
  const rows = {
    payments: payments.data?.pages.flatMap((page) => page.data) ?? [],
    subscriptions: subscriptions.data?.pages.flatMap((page) => page.data) ?? [],
  }
  return (
    <>
      <BackLink to="/customers">Customers</BackLink>
      <PageHeader
        title={`Customer ${customer.email}`}
        actions={<CustomerActions customer={customer} />}
      >
        <span className="wrap-anywhere">{customer.email}</span>
      </PageHeader>
      <Figures label="Totals">
        <Figure
          label="Total paid"
          value={<Money amount={total_paid} currency={currency} />}
          note={countText(customer.paid_requests, 'paid request')}
        />
        <Figure
          label="Open"
          value={<Money amount={open} currency={currency} />}
          note={countText(customer.open_requests, 'open request')}
        />
        <Figure label="Refunded" value={<Money amount={refunded} currency={currency} />} />
      </Figures>
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Payment requests">
            <DataList
              label="Payment requests of this customer"
              query={payments}
              columns={columnsOfCustomer}
              folded={foldedOfCustomer}
              link={(row) => ({ to: '/payments/$id', params: { id: row.id } })}
              empty={{ title: 'No payment requests', text: 'Request a payment to see it here.' }}
            />
          </Card>
          <Card title="Subscriptions">
            <DataList
              label="Subscriptions of this customer"
              query={subscriptions}
              columns={columnsOfSubscriber}
              folded={foldedSubscription}
              link={(row) => ({ to: '/subscriptions/$id', params: { id: row.id } })}
              empty={{ title: 'No subscriptions', text: 'The customer has none.' }}
            />
          </Card>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Details">
            <Facts facts={factsOf(customer)} />
          </Card>
          <Card title="History">
            <Timeline entries={historyOf(rows)} />
          </Card>
        </div>
      </div>
    </>
  )
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function factsOf(customer: Customer): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
    ['ID', <ShortId key="id" id={customer.id} copy />],
    ['Payment requests', String(customer.requests)],
    ['Active subscriptions', String(customer.active_subscriptions)],
    ['Since', <When key="created" at={customer.created_at} absolute />],
    ['Last activity', <When key="activity" at={customer.last_activity_at} absolute />],
  ]
  if (customer.totals_from !== null) {
    facts.push(['Totals since', <When key="totals" at={customer.totals_from} absolute />])
  }
  if (customer.erased_at !== null) {
    facts.push(['Personal data erased', <When key="erased" at={customer.erased_at} absolute />])
  }
  return facts
}
