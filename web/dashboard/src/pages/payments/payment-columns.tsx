import type { Payment } from '../../api/api-types.ts'
import { CustomerLink } from '../../parts/customer-link.tsx'
import type { Column } from '../../parts/data-list.tsx'
import { Money } from '../../parts/money.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { PaidStatus } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { FoldedAccount } from '../accounts/account-name.tsx'

const amount: Column<Payment> = {
  name: 'Amount',
  cell: (row) => <Money amount={row.amount} currency={row.currency} />,
}

const status: Column<Payment> = { name: 'Status', cell: (row) => <PaidStatus of={row} /> }

const created: Column<Payment> = {
  name: 'Created',
  time: true,
  from: 'md',
  align: 'right',
  cell: (row) => (
    <span className="text-muted">
      <When at={row.created_at} />
    </span>
  ),
}

export const paymentColumns: Column<Payment>[] = [
  amount,
  status,
  {
    name: 'Customer',
    from: 'md',
    cell: (row) => <CustomerLink email={row.customer_email} account_id={row.account_id} brief />,
  },
  { name: 'Reference', from: 'md', cell: (row) => <TruncatedText text={row.reference} /> },
  { name: 'ID', from: 'xl', cell: (row) => <ShortId id={row.id} brief copy /> },
  created,
]

/** For the payments of one subscription, which share customer and reference. */
export const columnsOfPeriods: Column<Payment>[] = [
  amount,
  status,
  { name: 'ID', from: 'md', cell: (row) => <ShortId id={row.id} copy /> },
  { name: 'Expires', from: 'md', cell: (row) => <Expiry of={row} /> },
  created,
]

/** For the payments of one customer. */
export const columnsOfCustomer: Column<Payment>[] = [
  amount,
  status,
  { name: 'Reference', from: 'md', cell: (row) => <TruncatedText text={row.reference} /> },
  created,
]

export function foldedOfCustomer(row: Payment) {
  return (
    <>
      <When at={row.created_at} />
      {row.reference !== null && ` · ${row.reference}`}
    </>
  )
}

function Expiry({ of: { status, expires_at } }: { of: Payment }) {
  return status === 'pending' ? (
    <When at={expires_at} coming />
  ) : (
    <span className="text-muted">—</span>
  )
}

export function nameOfPayment({ customer_email, reference }: Payment): string {
  return [customer_email, reference].filter(Boolean).join(', ')
}

export function foldedPayment(row: Payment) {
  return (
    <>
      <FoldedAccount id={row.account_id} />
      <div>{row.customer_email}</div>
      <When at={row.created_at} />
      {row.reference !== null && ` · ${row.reference}`}
    </>
  )
}

export function foldedPeriod(row: Payment) {
  return <When at={row.created_at} />
}
