import { Link } from '@tanstack/react-router'
import { useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { useColumnsWithAccount } from '../accounts/account-name.tsx'
import { FirstPayment } from '../transactions/first-payment.tsx'
import {
  foldedTransaction,
  nameOfTransaction,
  transactionColumns,
} from '../transactions/transaction-columns.tsx'
import { listWithDetails } from '../transactions/transaction-rows.ts'

export function LatestTransactions() {
  const columns = useColumnsWithAccount(transactionColumns)
  const query = useList(['transactions', 'latest'], (florin, _, signal) =>
    listWithDetails(florin, { limit: 8 }, { signal })
      // "View all" leads to the rest of the list.
      .then((page) => ({ ...page, has_more: false })),
  )
  return (
    <Card
      title="Latest transactions"
      action={
        <Link to="/transactions" className="font-semibold text-brand hover:underline">
          View all
        </Link>
      }
    >
      <DataList
        label="Latest transactions"
        query={query}
        columns={columns}
        folded={foldedTransaction}
        name={nameOfTransaction}
        foot={false}
        link={(row) => ({ to: '/transactions/$id', params: { id: row.id } })}
        empty={{
          title: 'No transactions yet',
          text: 'Payments from your customers appear here.',
          action: <FirstPayment />,
        }}
      />
    </Card>
  )
}
