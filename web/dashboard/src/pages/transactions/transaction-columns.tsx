import type { ReactNode } from 'react'
import type { ListedTransaction } from '../../api/shapes.ts'
import { Cut } from '../../parts/cut.tsx'
import type { Column } from '../../parts/data-list.tsx'
import { Money } from '../../parts/money.tsx'
import { ShortId, shortenId } from '../../parts/short-id.tsx'
import { capital, Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { FoldedAccount } from '../accounts/account-name.tsx'
import { refundedBy } from './refunded-by.ts'

export const transactionColumns: Column<ListedTransaction>[] = [
  { name: 'Amount', cell: (row) => <TransactionAmount transaction={row} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Type', from: 'md', cell: (row) => capital(row.type) },
  { name: 'Reference', from: 'md', cell: (row) => <Reference of={row} /> },
  { name: 'ID', from: 'xl', cell: (row) => <ShortId id={row.id} brief copy /> },
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

export function TransactionAmount({ transaction }: { transaction: ListedTransaction }) {
  const { amount, currency, type } = transaction
  return <Money amount={amount} currency={currency} out={type === 'refund'} />
}

function Reference({ of: row }: { of: ListedTransaction }) {
  const refunded = refundedBy(row)
  return refunded === undefined ? <Cut text={row.reference} /> : <ShortId id={refunded} />
}

/** The time first: it is never broken, and what follows breaks between words. */
export function foldedTransaction(row: ListedTransaction): ReactNode {
  const refunded = refundedBy(row)
  const reference = refunded === undefined ? row.reference : shortenId(refunded)
  return (
    <>
      <FoldedAccount id={row.account_id} />
      <When at={row.created_at} />
      {` · ${[capital(row.type), reference].filter(Boolean).join(' · ')}`}
    </>
  )
}
