import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Interval, interval_count_max } from '../../../../../src/primitives/period.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'
import {
  AmountField,
  CustomerField,
  ReferenceField,
  usePaymentRequestForm,
} from '../payments/payment-request-fields.tsx'
import { intervalText } from './subscription-text.ts'

const singular: Record<Interval, string> = {
  day: 'day',
  week: 'week',
  month: 'month',
  year: 'year',
}

const plural: Record<Interval, string> = {
  day: 'days',
  week: 'weeks',
  month: 'months',
  year: 'years',
}

const explanation =
  'We’ll email the customer a payment link now and for each period. Nothing is charged ' +
  'automatically.'

interface CreateSubscriptionProps {
  open: boolean
  onOpenChange: (open: boolean) => Promise<void>
}

export function CreateSubscription({ open, onOpenChange }: CreateSubscriptionProps) {
  const { currency } = useAccountSettings()
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const money = useMoneyText()
  const form = usePaymentRequestForm(currency ?? 'USD')
  const period = usePeriod()
  const { email, amount, reference } = form.values
  const { interval, interval_count } = period
  const create = async () => {
    if (amount === undefined || interval_count === undefined || currency === undefined) return
    const created = await florin.subscriptions.create(
      { customer_email: email, amount, currency, interval, interval_count, reference },
      { idempotency_key: `${form.key}-${interval}-${interval_count}` },
    )
    form.clear()
    showToast('Subscription created', `We’ll email the first payment link to ${email}.`)
    // Closed before navigating, so Back leads to the list and not to the form.
    await onOpenChange(false)
    void refresh()
    await navigate({ to: '/subscriptions/$id', params: { id: created.id } })
  }
  const ready = amount !== undefined && interval_count !== undefined
  return (
    <FormDialog
      open={open && currency !== undefined}
      onOpenChange={onOpenChange}
      title="Create subscription"
      text={explanation}
      action={
        ready
          ? `Request ${money(amount, form.currency)} ${intervalText({ interval, interval_count })}`
          : 'Create subscription'
      }
      isReady={() => form.isReady() && interval_count !== undefined}
      onSubmit={create}
    >
      <CustomerField of={form} />
      <AmountField of={form} />
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="Every"
          inputMode="numeric"
          autoComplete="off"
          value={period.typed}
          onChange={(event) => period.setTyped(event.target.value)}
          error={period.error}
        />
        <ChoiceField
          label="Interval"
          value={interval}
          choices={interval_count === 1 ? singular : plural}
          onChange={period.setInterval}
        />
      </div>
      <ReferenceField of={form} example="Membership" />
    </FormDialog>
  )
}

function usePeriod() {
  const [typed, setTyped] = useState('1')
  const [interval, setInterval] = useState<Interval>('month')
  const most = interval_count_max[interval]
  const count = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0
  const interval_count = count >= 1 && count <= most ? count : undefined
  const error =
    interval_count === undefined ? `Enter a number from 1 to ${most} (three years).` : undefined
  return { typed, setTyped, interval, setInterval, interval_count, error }
}
