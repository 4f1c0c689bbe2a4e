import { useAccount } from '../../api/account-settings.ts'
import type { Payment } from '../../api/api-types.ts'
import { buttonClass } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CopyAction } from '../../parts/copy-action.tsx'
import { Money } from '../../parts/money.tsx'
import { QrCode } from '../../parts/qr-code.tsx'

/** The payment link as QR code, text and preview. */
export function PaymentLink({ payment }: { payment: Payment }) {
  const { payment_url } = payment
  return (
    <Card title="Payment link" className="lg:col-span-2">
      <div className="flex gap-x-6 gap-y-5 max-sm:flex-col">
        <div className="shrink-0 self-start rounded-lg border border-line">
          <QrCode text={payment_url} label="QR code of the payment link" />
        </div>
        <div className="flex min-w-0 flex-1 flex-col items-start gap-4">
          <p className="max-w-xl text-muted">
            Anyone with the link can pay. Share it, or let the customer scan the code with a phone.
          </p>
          <code
            title={payment_url}
            className="max-w-full truncate rounded-lg bg-canvas px-3 py-2 font-mono text-xs"
          >
            {payment_url}
          </code>
          <div className="flex flex-wrap gap-2">
            <CopyAction text={payment_url} label="Copy link" />
            <a href={payment_url} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
              Open page<span className="sr-only"> in a new tab</span>
            </a>
          </div>
        </div>
        <Preview payment={payment} />
      </div>
    </Card>
  )
}

/** A drawn preview: the payment page does not allow framing. */
function Preview({ payment }: { payment: Payment }) {
  const { amount, currency, reference, payment_url } = payment
  const name = useAccount().data?.name ?? ''
  return (
    <a
      href={payment_url}
      target="_blank"
      rel="noreferrer"
      className="w-44 shrink-0 self-start overflow-hidden rounded-xl border border-line
 bg-canvas p-3 hover:border-line-strong max-md:hidden"
    >
      <span className="sr-only">Preview of the payment page, opens in a new tab</span>
      <span aria-hidden="true" className="block">
        <span className="flex items-center gap-2 text-xs font-semibold">
          <span
            className="grid size-6 shrink-0 place-items-center rounded-md bg-brand-soft
 text-brand"
          >
            {[...name][0]}
          </span>
          <span className="truncate">{name}</span>
        </span>
        <span className="mt-2.5 block truncate text-base font-bold">
          <Money amount={amount} currency={currency} />
        </span>
        <span className="block h-[18px] truncate text-xs text-muted">{reference}</span>
        <span className="mt-2 block rounded-lg border border-line bg-card p-2">
          <span className="block h-3.5 rounded-sm border border-line" />
          <span className="mt-1.5 grid grid-cols-2 gap-1.5">
            <span className="h-3.5 rounded-sm border border-line" />
            <span className="h-3.5 rounded-sm border border-line" />
          </span>
          <span className="mt-1.5 block h-4 rounded-sm bg-brand" />
        </span>
      </span>
    </a>
  )
}
