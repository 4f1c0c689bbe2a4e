import { getRouteApi, Link } from '@tanstack/react-router'
import type { Transaction } from '../api/shapes.ts'
import { useAccountId, useOne } from '../api/use-florin.ts'
import { LoadingPage } from '../frame/lost-page.tsx'
import { Card, Facts } from '../parts/card.tsx'
import { Failure } from '../parts/failure.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { Money } from '../parts/money.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { ShortId } from '../parts/short-id.tsx'
import { capital, Status } from '../parts/status.tsx'
import { type Moment, Timeline } from '../parts/timeline.tsx'
import { When } from '../parts/when.tsx'
import { CancelTransaction, RefundTransaction } from './transaction-actions.tsx'
import { momentsOf } from './transaction-moments.ts'

const route = getRouteApi('/shell/transactions/$id')

export function TransactionPage() {
  const { id } = route.useParams()
  const transaction = useOne(['transactions', id], (florin, signal) =>
    florin.transactions.get(id, { signal }),
  )
  if (transaction.isPending) return <LoadingPage />
  if (transaction.isError) {
    return (
      <>
        <PageHeader title="Transaction" />
        <Failure error={transaction.error} retry={() => transaction.refetch()} />
      </>
    )
  }
  return <TransactionView transaction={transaction.data} />
}

function TransactionView({ transaction }: { transaction: Transaction }) {
  const { amount, currency, type, status } = transaction
  return (
    <>
      <p className="mb-1">
        <Link to="/transactions" className="font-medium text-brand hover:underline">
          Transactions
        </Link>
      </p>
      <PageHeader
        title={`${capital(type)} ${transaction.id}`}
        actions={
          <>
            {type === 'payment' && status === 'succeeded' && (
              <RefundTransaction transaction={transaction} />
            )}
            {status === 'pending' && <CancelTransaction transaction={transaction} />}
          </>
        }
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amount} currency={currency} out={type === 'refund'} code />
          </span>
          <Status of={status} />
        </span>
      </PageHeader>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
        <Card title="Timeline">
          <Timeline moments={useMoments(transaction)} />
        </Card>
        <Card title="Details">
          <Facts facts={factsOf(transaction)} />
        </Card>
        <Card title="JSON" className="lg:col-span-2">
          <JsonView value={transaction} label="The transaction as the API gives it" />
        </Card>
      </div>
    </>
  )
}

/** Its events, among the account's latest; without them what the transaction itself tells. */
function useMoments(transaction: Transaction): Moment[] {
  const account = useAccountId()
  const events = useOne(
    ['events', 'transaction', transaction.id, transaction.status],
    (florin, signal) => florin.events.list({ type: 'transaction.*', limit: 100 }, { signal }),
    { enabled: account !== undefined },
  )
  return momentsOf(transaction, events.data?.data ?? [])
}

function factsOf(transaction: Transaction): [string, React.ReactNode][] {
  const { id, account_id, type, reference, created_at, updated_at } = transaction
  const refunded = reference?.startsWith('txn_') ? reference : undefined
  return [
    ['Id', <ShortId key="id" id={id} copy />],
    ['Type', capital(type)],
    [
      refunded ? 'Refund of' : 'Reference',
      refunded ? (
        <Link
          key="refunded"
          to="/transactions/$id"
          params={{ id: refunded }}
          className="text-brand underline"
        >
          <ShortId id={refunded} />
        </Link>
      ) : (
        (reference ?? '—')
      ),
    ],
    ['Account', <ShortId key="account" id={account_id} copy />],
    ['Created', <When key="created" at={created_at} absolute />],
    ['Last change', <When key="updated" at={updated_at} absolute />],
  ]
}
