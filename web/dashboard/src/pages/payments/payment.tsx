import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { Payment, PaymentRequest } from '../../api/api-types.ts'
import { receiptPath } from '../../api/document-paths.ts'
import { useAccountId, useApiQuery, useRefresh, useUser } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { CustomerLink } from '../../parts/customer-link.tsx'
import { DeveloperDetails } from '../../parts/developer-details.tsx'
import { DocumentLink } from '../../parts/document-link.tsx'
import { Failure } from '../../parts/failure.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { PaidStatus } from '../../parts/status.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { When } from '../../parts/when.tsx'
import { AccountFact } from '../accounts/account-name.tsx'
import { RefundPayment } from '../transactions/refund-payment.tsx'
import { useAccountOption } from '../transactions/transaction-related.ts'
import { CancelPayment, SendPayment, SettlePayment } from './payment-actions.tsx'
import { PaymentLink } from './payment-link.tsx'
import { usePaymentTimeline } from './payment-timeline.tsx'

const route = getRouteApi('/shell/payments/$id')

export function PaymentPage() {
  const { id } = route.useParams()
  const payment = useApiQuery(['payments', id], (florin, signal) =>
    florin.payments.get(id, { signal }),
  )
  if (payment.isPending) return <LoadingPage />
  if (payment.isLoadingError) {
    return (
      <>
        <PageHeader title="Payment request" />
        <Failure error={payment.error} retry={() => payment.refetch()} />
      </>
    )
  }
  return <PaymentView key={id} payment={payment.data} />
}

function PaymentView({ payment }: { payment: Payment }) {
  const { amount, currency, status } = payment
  const options = useOptions(payment)
  const facts = [...factsOf(payment), ...optionFacts(options), ...useReturnFacts(payment)]
  useStatusPolling(payment)
  return (
    <>
      <BackLink to="/payments">Payment requests</BackLink>
      <PageHeader title={`Payment request ${payment.id}`} actions={<Actions payment={payment} />}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-[32px] leading-10 max-sm:text-xl">
            <Money amount={amount} currency={currency} code />
          </span>
          <PaidStatus of={payment} />
        </span>
      </PageHeader>
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        {status === 'pending' && <PaymentLink payment={payment} />}
        <Card title="Timeline">
          <Timeline entries={usePaymentTimeline(payment, options)} />
        </Card>
        <Card title="Details">
          <Facts facts={facts} />
        </Card>
        <DeveloperDetails value={payment} label="Payment request as JSON" />
      </div>
    </>
  )
}

function Actions({ payment }: { payment: Payment }) {
  const { may } = useUser()
  const { status } = payment
  const options = useOptions(payment)
  const again = may.includes('create_payment') && <RequestLike payment={payment} />
  if (status !== 'pending') {
    return (
      <>
        {again}
        {status === 'succeeded' && (
          <DocumentLink href={receiptPath(payment.id)}>Receipt</DocumentLink>
        )}
        {status === 'succeeded' && <Refund payment={payment} />}
      </>
    )
  }
  return (
    <>
      {again}
      {may.includes('send_payment') && <SendPayment payment={payment} sends={options?.sends} />}
      {may.includes('settle_payment') && <SettlePayment payment={payment} />}
      {may.includes('cancel_payment') && <CancelPayment payment={payment} />}
    </>
  )
}

/** Opens the form with the values of this request. */
function RequestLike({ payment: { id, status } }: { payment: Payment }) {
  if (useAccountId() === undefined) return null
  const is_dead = status === 'failed' || status === 'canceled'
  return (
    <Link to="/payments" search={{ create: 'yes', like: id }} className={buttonClass('plain')}>
      {is_dead ? 'Request again' : 'Duplicate'}
    </Link>
  )
}

/** What the contract's form of a request does not have. */
function useOptions({ id, account_id }: Payment): PaymentRequest | undefined {
  const on = useAccountOption({ account_id })
  return useApiQuery(['payments', id, 'options'], (florin, signal) =>
    florin.payments.getRequest(id, { signal, ...on }),
  ).data
}

function optionFacts(options: PaymentRequest | undefined): [string, ReactNode][] {
  const { message = null, payment_link_id = null } = options ?? {}
  const facts: [string, ReactNode][] = []
  if (message !== null) {
    const text = (
      <span key="message" className="wrap-anywhere whitespace-pre-line" dir="auto">
        {message}
      </span>
    )
    facts.push(['Message', text])
  }
  if (payment_link_id !== null) {
    facts.push(['Payment link', <IdLink key="link" to="/payment-links/$id" id={payment_link_id} />])
  }
  return facts
}

function Refund({ payment }: { payment: Payment }) {
  const { transaction_id, amount, refunded_amount } = payment
  const left = amount - refunded_amount
  const may = useUser().may.includes('create_transaction')
  if (transaction_id === null || !may) return null
  return <RefundPayment {...payment} transaction_id={transaction_id} left={left} />
}

// Fast enough for a customer at a counter, and a negligible load for the server.
const poll_ms = 10_000

/** Polls the status while the request is pending. */
function useStatusPolling({ id, status }: Payment): void {
  const refresh = useRefresh()
  const polled = useApiQuery(
    ['payment status', id],
    (florin, signal) => florin.payments.getStatus(id, { signal }),
    { enabled: status === 'pending', refresh_ms: poll_ms },
  )
  const seen = polled.data?.status
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new status matters.
  useEffect(() => {
    if (status === 'pending' && seen !== undefined && seen !== 'pending') void refresh()
  }, [seen])
}

function factsOf(payment: Payment): [string, ReactNode][] {
  const { id, account_id, customer_email, reference, transaction_id, metadata } = payment
  const { subscription } = metadata
  const facts: [string, ReactNode][] = [
    ['ID', <ShortId key="id" id={id} copy />],
    ['Customer', <CustomerLink key="customer" email={customer_email} account_id={account_id} />],
    [
      'Reference',
      <span key="reference" className="wrap-anywhere">
        {reference ?? '—'}
      </span>,
    ],
    ['Account', <AccountFact key="account" id={account_id} />],
    ['Created', <When key="created" at={payment.created_at} absolute />],
  ]
  if (payment.status === 'pending') {
    facts.push(['Expires', <When key="expires" at={payment.expires_at} absolute />])
  } else facts.push(['Payment page', <PageLink key="page" payment={payment} />])
  if (transaction_id !== null) {
    facts.push([
      'Transaction',
      <IdLink key="transaction" to="/transactions/$id" id={transaction_id} />,
    ])
  }
  if (payment.refunded_amount > 0) {
    const { refunded_amount, currency } = payment
    facts.push(['Refunded', <Money key="refunded" amount={refunded_amount} currency={currency} />])
  }
  if (typeof subscription === 'string' && subscription.startsWith('sub_')) {
    facts.push([
      'Subscription',
      <IdLink key="subscription" to="/subscriptions/$id" id={subscription} />,
    ])
  }
  return facts
}

/** The URLs to which the payment page links back, if any are set. */
function useReturnFacts({ id, account_id }: Payment): [string, ReactNode][] {
  const on = useAccountOption({ account_id })
  const { data } = useApiQuery(['payments', id, 'return urls'], (florin, signal) =>
    florin.payments.getReturnUrls(id, { signal, ...on }),
  )
  const { return_url = null, cancel_url = null } = data ?? {}
  const urls: [string, string | null][] = [
    ['Return URL', return_url],
    ['Cancel URL', cancel_url],
  ]
  return urls.flatMap(([name, url]): [string, ReactNode][] =>
    url === null ? [] : [[name, <ExternalUrl key={name} url={url} />]],
  )
}

function ExternalUrl({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      title={url}
      className="line-clamp-2 font-mono text-xs break-all text-brand underline"
    >
      {url}
    </a>
  )
}

function PageLink({ payment }: { payment: Payment }) {
  return (
    <a href={payment.payment_url} target="_blank" rel="noreferrer" className="text-brand underline">
      View as customer
    </a>
  )
}
