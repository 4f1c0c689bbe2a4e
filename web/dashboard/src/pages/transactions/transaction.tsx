import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Transaction } from '../../api/shapes.ts'
import { useOne } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/lost-page.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { capital, Status } from '../../parts/status.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { When } from '../../parts/when.tsx'
import { AccountFact } from '../accounts/account-name.tsx'
import { RefundPayment } from './refund-payment.tsx'
import { refundedBy } from './refunded-by.ts'
import { CancelTransaction } from './transaction-actions.tsx'
import { momentsOf } from './transaction-moments.tsx'
import { Postings } from './transaction-postings.tsx'
import { type Story, useStory } from './transaction-story.ts'

const route = getRouteApi('/shell/transactions/$id')

export function TransactionPage() {
  const { id } = route.useParams()
  const transaction = useOne(['transactions', id], (florin, signal) =>
    florin.transactions.get(id, { signal }),
  )
  if (transaction.isPending) return <LoadingPage />
  if (transaction.isLoadingError) {
    return (
      <>
        <PageHeader title="Transaction" />
        <Failure error={transaction.error} retry={() => transaction.refetch()} />
      </>
    )
  }
  return <TransactionView key={id} transaction={transaction.data} />
}

function TransactionView({ transaction }: { transaction: Transaction }) {
  const { amount, currency, type, status } = transaction
  const story = useStory(transaction)
  return (
    <>
      <BackLink to="/transactions">Transactions</BackLink>
      <PageHeader
        title={`${capital(type)} ${transaction.id}`}
        actions={<Actions transaction={transaction} story={story} />}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amount} currency={currency} out={type === 'refund'} code />
          </span>
          <Status of={status} />
        </span>
      </PageHeader>
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Timeline">
            <Timeline moments={momentsOf(transaction, story)} />
            {story.failure && <Failure {...story.failure} />}
          </Card>
          <Postings transaction={transaction} />
        </div>
        <Card title="Details">
          <Facts facts={factsOf(transaction, refundedOf(story))} />
        </Card>
        <Card title="JSON" className="lg:col-span-2">
          <JsonView value={transaction} label="The transaction as the API gives it" />
        </Card>
      </div>
    </>
  )
}

function Actions({ transaction, story }: { transaction: Transaction; story: Story }) {
  const { type, status, amount } = transaction
  const left = amount - refundedOf(story)
  return (
    <>
      {/* The dialog proposes what is left, so it waits until that is known. */}
      {type === 'payment' && status === 'succeeded' && story.refunds && left > 0 && (
        <RefundPayment key={left} {...transaction} transaction_id={transaction.id} left={left} />
      )}
      {status === 'pending' && <CancelTransaction transaction={transaction} />}
    </>
  )
}

/** What has gone back, or is about to: the most that the API lets go is the payment itself. */
function refundedOf({ refunds = [] }: Story): number {
  return refunds
    .filter(({ status }) => status === 'succeeded' || status === 'pending')
    .reduce((sum, { amount }) => sum + amount, 0)
}

function factsOf(transaction: Transaction, gone: number): [string, ReactNode][] {
  const { id, account_id, type, currency, reference, created_at, updated_at } = transaction
  const refunded = refundedBy(transaction)
  return [
    ['ID', <ShortId key="id" id={id} copy />],
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
    ...(gone > 0
      ? [
          ['Refunded', <Money key="gone" amount={gone} currency={currency} />] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    ['Account', <AccountFact key="account" id={account_id} />],
    ['Created', <When key="created" at={created_at} absolute />],
    ['Last change', <When key="updated" at={updated_at} absolute />],
  ]
}
