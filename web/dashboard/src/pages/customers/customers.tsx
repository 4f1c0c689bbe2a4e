import { getRouteApi } from '@tanstack/react-router'
import type { Customer } from '../../api/api-types.ts'
import { useAccountId, useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { FilterBar } from '../../parts/filters.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { EmailAddress } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { FirstPaymentRequest } from '../payments/first-payment-request.tsx'

const route = getRouteApi('/shell/customers')

const columns: Column<Customer>[] = [
  { name: 'Email', cell: (row) => <EmailAddress of={row.email} /> },
  {
    name: 'Total paid',
    from: 'md',
    align: 'right',
    cell: (row) => <Money amount={row.total_paid} currency={row.currency} />,
  },
  {
    name: 'Open',
    from: 'md',
    align: 'right',
    cell: (row) => <AmountOrNone amount={row.open} currency={row.currency} />,
  },
  {
    name: 'Refunded',
    from: 'lg',
    align: 'right',
    cell: (row) => <AmountOrNone amount={row.refunded} currency={row.currency} />,
  },
  {
    name: 'Subscriptions',
    from: 'xl',
    align: 'right',
    cell: (row) => row.active_subscriptions || <span className="text-muted">—</span>,
  },
  {
    name: 'Last activity',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.last_activity_at} />
      </span>
    ),
  },
]

export function CustomersPage() {
  if (useAccountId() === undefined) return <ChooseAccount title="Customers" what="Customers" />
  return <Customers />
}

function Customers() {
  const { email } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (email: string | undefined) => void navigate({ search: { email }, replace: true })
  const query = useList(['payments', 'customers', email], (florin, page, signal) =>
    florin.customers.list({ email, ...page }, { signal }),
  )
  return (
    <>
      <PageHeader title="Customers" />
      <FilterBar clear={email === undefined ? undefined : () => set(undefined)}>
        <TextFilter
          label="Email"
          value={email}
          placeholder="Beginning of the email"
          onChange={set}
        />
      </FilterBar>
      <Card>
        <DataList
          label="Customers"
          query={query}
          columns={columns}
          folded={Folded}
          link={(row) => ({ to: '/customers/$id', params: { id: row.id } })}
          empty={email === undefined ? none_yet : nothing_matches}
        />
      </Card>
    </>
  )
}

function AmountOrNone({ amount, currency }: { amount: number; currency: string }) {
  if (amount === 0) return <span className="text-muted">—</span>
  return <Money amount={amount} currency={currency} />
}

function Folded(row: Customer) {
  return (
    <>
      Paid <Money amount={row.total_paid} currency={row.currency} />
      {row.open > 0 && (
        <>
          {' · Open '}
          <Money amount={row.open} currency={row.currency} />
        </>
      )}
      {' · '}
      <When at={row.last_activity_at} />
    </>
  )
}

const nothing_matches = {
  title: 'No customers match',
  text: 'Clear the filter to see all customers. Search finds any part of an email.',
}

const none_yet = {
  title: 'No customers yet',
  text: 'Everyone you request a payment from appears here.',
  action: <FirstPaymentRequest />,
}
