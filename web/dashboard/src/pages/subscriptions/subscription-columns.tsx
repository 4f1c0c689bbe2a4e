import type { Subscription } from '../../api/api-types.ts'
import { CustomerLink } from '../../parts/customer-link.tsx'
import type { Column } from '../../parts/data-list.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { intervalText } from './subscription-text.ts'

/** For the subscriptions of one customer. */
export const columnsOfSubscriber: Column<Subscription>[] = [
  { name: 'Amount', cell: (row) => <AmountEvery of={row} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Reference', from: 'md', cell: (row) => <TruncatedText text={row.reference} /> },
  {
    name: 'Next request',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => <Next of={row} />,
  },
]

export const subscriptionColumns: Column<Subscription>[] = [
  ...columnsOfSubscriber.slice(0, 2),
  {
    name: 'Customer',
    from: 'md',
    cell: ({ customer_email, account_id }) => (
      <CustomerLink email={customer_email} account_id={account_id} brief />
    ),
  },
  ...columnsOfSubscriber.slice(2),
]

function AmountEvery({ of: row }: { of: Subscription }) {
  return (
    <>
      <Money amount={row.amount} currency={row.currency} />{' '}
      <span className="font-normal whitespace-nowrap text-muted">{intervalText(row)}</span>
    </>
  )
}

function Next({ of: { next_at } }: { of: Subscription }) {
  return <span className="text-muted">{next_at === null ? '—' : <When at={next_at} coming />}</span>
}

export function foldedSubscription({ reference, next_at }: Subscription) {
  return (
    <>
      {reference}
      {reference !== null && next_at !== null && ' · '}
      {next_at !== null && (
        <>
          Next <When at={next_at} coming />
        </>
      )}
    </>
  )
}
