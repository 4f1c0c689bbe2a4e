import { useNavigate } from '@tanstack/react-router'
import { useAccountSettings } from '../../api/account-settings.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'
import {
  AmountField,
  CustomerField,
  ReferenceField,
  usePaymentRequestForm,
} from './payment-request-fields.tsx'

interface RequestPaymentProps {
  account_id: string
  open: boolean
  onOpenChange: (open: boolean) => Promise<void>
}

/** The request form. On success it opens the request's page, which has the payment link. */
export function RequestPayment({ account_id, open, onOpenChange }: RequestPaymentProps) {
  const { currency } = useAccountSettings()
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const money = useMoneyText()
  const form = usePaymentRequestForm(currency ?? 'USD')
  const { email, amount, reference } = form.values
  const request = async () => {
    if (amount === undefined || currency === undefined) return
    const body = { account_id, amount, currency, customer_email: email, reference }
    const created = await florin.payments.create(body, { idempotency_key: form.key })
    form.clear()
    showToast(`${money(amount, currency)} requested`, `We’ll email the payment link to ${email}.`)
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
      isReady={form.isReady}
      onSubmit={request}
    >
      <CustomerField of={form} />
      <AmountField of={form} />
      <ReferenceField of={form} example="Invoice 2026-114" />
    </FormDialog>
  )
}
