import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PaymentLink } from '../../api/api-types.ts'
import {
  useApiQuery,
  useCount,
  useFlorin,
  useList,
  useRefresh,
  useUser,
} from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { CopyAction } from '../../parts/copy-action.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'
import { foldedPayment, nameOfPayment, paymentColumns } from '../payments/payment-columns.tsx'
import { LinkAmount, LinkStatus, usesText } from './link-text.tsx'

const route = getRouteApi('/shell/payment-links/$id')

export function PaymentLinkPage() {
  const { id } = route.useParams()
  const link = useApiQuery(['payment links', id], (florin, signal) =>
    florin.paymentLinks.get(id, { signal }),
  )
  if (link.isPending) return <LoadingPage />
  if (link.isLoadingError) {
    return (
      <>
        <PageHeader title="Payment link" />
        <Failure error={link.error} retry={() => link.refetch()} />
      </>
    )
  }
  return <LinkView key={id} link={link.data} />
}

function LinkView({ link }: { link: PaymentLink }) {
  const may = useUser().may.includes('manage_payment_links')
  return (
    <>
      <BackLink to="/payment-links">Payment links</BackLink>
      <PageHeader title={link.title} actions={may && <SetActive link={link} />}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="wrap-anywhere">{link.title}</span>
          <LinkStatus of={link} />
        </span>
      </PageHeader>
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <Share link={link} />
        <Card title="Details">
          <Facts facts={factsOf(link)} />
        </Card>
        <Requests link={link} />
      </div>
    </>
  )
}

function Share({ link: { url } }: { link: PaymentLink }) {
  return (
    <Card title="Share">
      <div className="flex gap-x-6 gap-y-5 max-sm:flex-col">
        <div className="shrink-0 self-start rounded-lg border border-line">
          <QrCode text={url} label="QR code of the payment link" />
        </div>
        <div className="flex min-w-0 flex-1 flex-col items-start gap-4">
          <p className="text-muted">
            Anyone with the link can pay. Share it, or let payers scan the code with a phone.
          </p>
          <code
            title={url}
            className="max-w-full truncate rounded-lg bg-canvas px-3 py-2 font-mono text-xs"
          >
            {url}
          </code>
          <div className="flex flex-wrap gap-2">
            <CopyAction text={url} label="Copy link" />
            <a href={url} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
              Open page<span className="sr-only"> in a new tab</span>
            </a>
          </div>
        </div>
      </div>
    </Card>
  )
}

function factsOf(link: PaymentLink): [string, ReactNode][] {
  const { id, max_uses, expires_at, created_at } = link
  return [
    ['ID', <ShortId key="id" id={id} copy />],
    ['Amount', <LinkAmount key="amount" of={link} />],
    ['Uses', usesText(link)],
    ['Maximum', max_uses === null ? 'Unlimited' : String(max_uses)],
    ['Expires', expires_at === null ? 'Never' : <When key="expires" at={expires_at} absolute />],
    ['Created', <When key="created" at={created_at} absolute />],
  ]
}

/** The payment requests of the payers. */
function Requests({ link: { id } }: { link: PaymentLink }) {
  const query = useList(['payments', 'of', id], (florin, page, signal) =>
    florin.payments.list({ payment_link: id, ...page }, { signal }),
  )
  const total = useCount(['payments', 'of', id], (florin, signal) =>
    florin.payments.count({ payment_link: id }, { signal }),
  )
  return (
    <Card title="Payments" className="lg:col-span-2">
      <DataList
        label="Payment requests of this link"
        query={query}
        columns={paymentColumns}
        folded={foldedPayment}
        name={nameOfPayment}
        total={total}
        link={(row) => ({ to: '/payments/$id', params: { id: row.id } })}
        empty={{
          title: 'No payments yet',
          text: 'Each payer who opens the link and continues to payment appears here.',
        }}
      />
    </Card>
  )
}

function SetActive({ link: { id, active } }: { link: PaymentLink }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const change = async () => {
    await florin.paymentLinks.update(id, { active: !active })
    await refresh()
    showToast(active ? 'Payment link deactivated' : 'Payment link activated')
  }
  return (
    <ConfirmDialog
      trigger={active ? 'Deactivate' : 'Activate'}
      title={active ? 'Deactivate this payment link?' : 'Activate this payment link?'}
      action={active ? 'Deactivate' : 'Activate'}
      action_tone={active ? 'danger' : 'primary'}
      onConfirm={change}
    >
      {active
        ? 'The page will accept no new payers. Payers who have started can still pay.'
        : 'The page will accept payments again.'}
    </ConfirmDialog>
  )
}
