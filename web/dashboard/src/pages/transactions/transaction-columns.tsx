import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '../../api/use-florin.ts'
import { CustomerLink } from '../../parts/customer-link.tsx'
import type { Column } from '../../parts/data-list.tsx'
import { Money } from '../../parts/money.tsx'
import { ShortId, shortenId } from '../../parts/short-id.tsx'
import { humanize, PaidStatus } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { FoldedAccount } from '../accounts/account-name.tsx'
import { refundedBy } from './refunded-by.ts'
import type { TransactionRow } from './transaction-rows.ts'

export const transactionColumns: Column<TransactionRow>[] = [
  { name: 'Amount', cell: (row) => <TransactionAmount transaction={row} /> },
  { name: 'Status', cell: (row) => <PaidStatus of={row} /> },
  { name: 'Type', from: 'xl', cell: (row) => humanize(row.type) },
  {
    name: 'Customer',
    from: 'md',
    cell: (row) =>
      row.customer_email ? (
        <CustomerLink email={row.customer_email} account_id={row.account_id} brief />
      ) : (
        <TruncatedText text={null} />
      ),
  },
  { name: 'Reference', from: 'md', cell: (row) => <Reference of={row} /> },
  { name: 'ID', from: '2xl', cell: (row) => <ShortId id={row.id} brief copy /> },
  {
    name: 'Created',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

export function nameOfTransaction({ customer_email, reference }: TransactionRow): string {
  return [customer_email, reference].filter(Boolean).join(', ')
}

function TransactionAmount({ transaction }: { transaction: TransactionRow }) {
  const { amount, currency, type } = transaction
  return <Money amount={amount} currency={currency} out={type === 'refund'} />
}

function Reference({ of: row }: { of: TransactionRow }) {
  const refunded = refundedBy(row)
  const { payment_id } = row
  if (payment_id && refunded === undefined) return <RequestLink of={row} payment_id={payment_id} />
  return refunded === undefined ? <TruncatedText text={row.reference} /> : <ShortId id={refunded} />
}

/** A transaction of a payment request links to it, by reference or id. */
function RequestLink({ of: row, payment_id }: { of: TransactionRow; payment_id: string }) {
  const user = useUser()
  const text = row.reference ?? shortenId(payment_id)
  const search = user.account_id === null ? { account: row.account_id } : {}
  return (
    <Link
      to="/payments/$id"
      params={{ id: payment_id }}
      search={search as never}
      title={`Payment request ${payment_id}`}
      className="hover:underline"
    >
      <TruncatedText text={text} title={`Payment request ${payment_id}`} />
    </Link>
  )
}

/** The time is first because it does not wrap. */
export function foldedTransaction(row: TransactionRow): ReactNode {
  const refunded = refundedBy(row)
  const reference = refunded === undefined ? row.reference : shortenId(refunded)
  return (
    <>
      <FoldedAccount id={row.account_id} />
      {row.customer_email && <div>{row.customer_email}</div>}
      <When at={row.created_at} />
      {` · ${[humanize(row.type), reference].filter(Boolean).join(' · ')}`}
    </>
  )
}
