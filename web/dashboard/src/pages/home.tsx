import { Link } from '@tanstack/react-router'
import type { Balance } from '../api/shapes.ts'
import { useAccountId, useList, useOne, useUser } from '../api/use-florin.ts'
import { Card, Figure } from '../parts/card.tsx'
import { CurlLine } from '../parts/curl-line.tsx'
import { DataList } from '../parts/data-list.tsx'
import { Failure } from '../parts/failure.tsx'
import { Money } from '../parts/money.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { foldedTransaction, newPayment, transactionColumns } from './transaction-columns.tsx'

export function HomePage() {
  const account = useAccountId()
  const user = useUser()
  return (
    <>
      <PageHeader title="Home" />
      {account !== undefined && <Balances />}
      {account === undefined && user.may.includes('list_accounts') && (
        <p className="mb-4 rounded-xl border border-line bg-card p-5 text-muted">
          You see all accounts. Choose one above to see its balance.
        </p>
      )}
      <LatestTransactions />
    </>
  )
}

function Balances() {
  const balance = useOne(['balance'], (florin, signal) => florin.account.getBalance({ signal }))
  if (balance.isError) return <Failure error={balance.error} retry={() => balance.refetch()} />
  const show = (field: 'available' | 'incoming' | 'held', code = false) =>
    balance.data === undefined ? (
      <Waiting />
    ) : (
      <Amount of={balance.data} field={field} code={code} />
    )
  return (
    <section aria-label="Balance" className="mb-4 grid gap-4 sm:grid-cols-3">
      <Figure label="Available" value={show('available', true)} note="settled, and not held" />
      <Figure label="Incoming" value={show('incoming')} note="payments and credits pending" />
      <Figure label="Held for refunds" value={show('held')} note="refunds pending" />
    </section>
  )
}

function Waiting() {
  return <span className="skeleton inline-block h-6 w-32 align-middle" />
}

interface AmountProps {
  of: Balance
  field: 'available' | 'incoming' | 'held'
  code: boolean
}

function Amount({ of: balance, field, code }: AmountProps) {
  return <Money amount={balance[field]} currency={balance.currency} code={code} />
}

function LatestTransactions() {
  const account_id = useAccountId() ?? newPayment.account_id
  const query = useList(['transactions', 'latest'], (florin, _, signal) =>
    florin.transactions
      .list({ limit: 8 }, { signal })
      // The list goes on behind "View all".
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
        columns={transactionColumns}
        folded={foldedTransaction}
        foot={false}
        link={(row) => ({ to: '/transactions/$id', params: { id: row.id } })}
        empty={{
          title: 'No transactions yet.',
          text: 'What your customers pay appears here. This makes the first:',
          action: <CurlLine path="/v1/transactions" body={{ ...newPayment, account_id }} />,
        }}
      />
    </Card>
  )
}
