import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Transaction, TransactionDetails } from '../../api/api-types.ts'
import { creditNotePath } from '../../api/document-paths.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { CustomerLink } from '../../parts/customer-link.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { DocumentLink } from '../../parts/document-link.tsx'
import { Failure } from '../../parts/failure.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize, PaidStatus } from '../../parts/status.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { When } from '../../parts/when.tsx'
import { AccountFact } from '../accounts/account-name.tsx'
import { ChargePanel, useCharge } from './charge-panel.tsx'
import { RefundPayment } from './refund-payment.tsx'
import { refundedBy } from './refunded-by.ts'
import { CancelTransaction } from './transaction-actions.tsx'
import { Postings } from './transaction-postings.tsx'
import { type RelatedRecords, useRelatedRecords } from './transaction-related.ts'
import { timelineOf } from './transaction-timeline.tsx'

const route = getRouteApi('/shell/transactions/$id')

export function TransactionPage() {
  const { id } = route.useParams()
  const transaction = useApiQuery(['transactions', id], (florin, signal) =>
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
  const { amount, currency, type } = transaction
  const related = useRelatedRecords(transaction)
  const charge = useCharge(transaction)
  return (
    <>
      <BackLink to="/transactions">Transactions</BackLink>
      <PageHeader
        title={`${humanize(type)} ${transaction.id}`}
        actions={
          <Actions transaction={transaction} related={related} disputed={charge.data?.disputed} />
        }
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amount} currency={currency} out={type === 'refund'} code />
          </span>
          <PaidStatus of={{ ...transaction, ...related.details }} />
        </span>
      </PageHeader>
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Timeline">
            <Timeline entries={timelineOf(transaction, related)} />
            {related.failure && <Failure {...related.failure} />}
          </Card>
          <Postings transaction={transaction} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Details">
            <Facts facts={factsOf(transaction, related.details)} />
          </Card>
          <ChargePanel charge={charge} account_id={transaction.account_id} />
        </div>
        <DeveloperDetails value={transaction} label="Transaction as JSON" />
      </div>
    </>
  )
}

interface ActionsProps {
  transaction: Transaction
  related: RelatedRecords
  /** The bank returns a disputed payment, so it cannot be refunded. */
  disputed: boolean | undefined
}

function Actions({ transaction, related, disputed = false }: ActionsProps) {
  const { id, type, status } = transaction
  const { payment_id = null } = related.details ?? {}
  const has_credit_note = type === 'refund' && status === 'succeeded' && payment_id !== null
  const may_refund = useUser().may.includes('create_transaction')
  // The dialog is prefilled with the refundable amount, so it waits for the details.
  const left = disputed ? 0 : (related.details?.refundable_amount ?? 0)
  return (
    <>
      {may_refund && <RefundPayment {...transaction} transaction_id={transaction.id} left={left} />}
      {has_credit_note && <DocumentLink href={creditNotePath(id)}>Credit note</DocumentLink>}
      {status === 'pending' && <CancelTransaction transaction={transaction} />}
    </>
  )
}

function factsOf(
  transaction: Transaction,
  details: TransactionDetails | undefined,
): [string, ReactNode][] {
  const { id, account_id, type, reference, created_at, updated_at } = transaction
  const refunded = refundedBy(transaction)
  return [
    ['ID', <ShortId key="id" id={id} copy />],
    ['Type', humanize(type)],
    [
      refunded ? 'Refund for' : 'Reference',
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
    ...lateFact(transaction),
    ...detailFacts(details, transaction),
    ['Account', <AccountFact key="account" id={account_id} />],
    ['Created', <When key="created" at={created_at} absolute />],
    ['Updated', <When key="updated" at={updated_at} absolute />],
  ]
}

/** Money that arrived after its payment request had ended, or with another amount. */
function lateFact({ metadata }: Transaction): [string, ReactNode][] {
  const { late_payment, payment_request } = metadata
  if (late_payment !== true || typeof payment_request !== 'string') return []
  return [['Late payment for', <IdLink key="late" to="/payments/$id" id={payment_request} />]]
}

function detailFacts(
  details: TransactionDetails | undefined,
  { account_id, currency }: Transaction,
): [string, ReactNode][] {
  const { refunded_amount = 0, payment_id, customer_email } = details ?? {}
  const facts: [string, ReactNode][] = []
  if (customer_email) {
    facts.push([
      'Customer',
      <CustomerLink key="customer" email={customer_email} account_id={account_id} />,
    ])
  }
  if (payment_id) {
    facts.push(['Payment request', <IdLink key="payment" to="/payments/$id" id={payment_id} />])
  }
  if (refunded_amount > 0) {
    facts.push(['Refunded', <Money key="refunded" amount={refunded_amount} currency={currency} />])
  }
  return facts
}
