import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { PaymentRequest } from '../../api/api-types.ts'
import { useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'
import {
  AmountField,
  CustomerField,
  ReferenceField,
  usePaymentRequestForm,
} from './payment-request-fields.tsx'
import { blank_draft, draftLike, optionsOf } from './request-draft.ts'
import { RequestOptions } from './request-options.tsx'

interface RequestPaymentProps {
  account_id: string
  open: boolean
  /** The id of a request whose values the form starts with. */
  like?: string | undefined
  onOpenChange: (open: boolean) => Promise<void>
}

/** The request form. On success it opens the request's page, which has the payment link. */
export function RequestPayment({ like, ...props }: RequestPaymentProps) {
  const earlier = useApiQuery(
    ['payments', like, 'options'],
    (florin, signal) => florin.payments.getRequest(like!, { signal }),
    { enabled: like !== undefined },
  )
  if (like === undefined) return <RequestForm {...props} />
  if (earlier.isPending) return null
  return <RequestForm key={like} earlier={earlier.data} {...props} />
}

interface RequestFormProps extends Omit<RequestPaymentProps, 'like'> {
  earlier?: PaymentRequest | undefined
}

function RequestForm({ account_id, open, onOpenChange, earlier }: RequestFormProps) {
  const { currency } = useAccountSettings()
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const money = useMoneyText()
  const form = usePaymentRequestForm(currency ?? 'USD', earlier)
  const [draft, setDraft] = useState(earlier === undefined ? blank_draft : draftLike(earlier))
  const { email, amount, reference } = form.values
  const wrong_due =
    draft.due !== '' && isPast(draft.due) ? 'Choose a day in the future.' : undefined
  const request = async () => {
    if (amount === undefined || currency === undefined) return
    const body = { account_id, amount, currency, customer_email: email, reference }
    const whole = { ...body, ...optionsOf(draft) }
    const created = await florin.payments.createRequest(whole, { idempotency_key: form.key })
    form.clear()
    setDraft(blank_draft)
    const next = draft.email ? `We’ll email the payment link to ${email}.` : 'Share the link below.'
    showToast(`${money(amount, currency)} requested`, next)
    // Closed before navigating, so Back leads to the list and not to the form.
    await onOpenChange(false)
    void refresh()
    await navigate({ to: '/payments/$id', params: { id: created.id } })
  }
  return (
    <FormDialog
      open={open && currency !== undefined}
      onOpenChange={onOpenChange}
      title="Request a payment"
      text="We’ll email the payment link to the customer. You can also share the link yourself."
      action={amount === undefined ? 'Request payment' : `Request ${money(amount, form.currency)}`}
      isReady={() => form.isReady() && wrong_due === undefined}
      onSubmit={request}
    >
      <CustomerField of={form} />
      <AmountField of={form} />
      <ReferenceField of={form} example="Invoice 2026-114" />
      <RequestOptions
        draft={draft}
        error={wrong_due}
        change={(changed) => {
          setDraft({ ...draft, ...changed })
          form.change({})
        }}
      />
    </FormDialog>
  )
}

/** Before today where the user is. The server checks the day in the account's time zone. */
function isPast(day: string): boolean {
  return Date.parse(`${day}T23:59:59`) < Date.now()
}
