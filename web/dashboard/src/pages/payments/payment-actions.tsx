import { useState } from 'react'
import type { Payment } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'

interface ActionProps {
  payment: Payment
}

export function SendPayment({ payment }: ActionProps) {
  const { id, customer_email } = payment
  const florin = useFlorin()
  const refresh = useRefresh()
  const send = async () => {
    await florin.payments.send(id)
    await refresh()
    showToast(`Payment link sent again to ${customer_email}.`)
  }
  return (
    <ConfirmDialog
      trigger="Resend email"
      title="Resend the payment link?"
      action="Resend email"
      action_tone="primary"
      onConfirm={send}
    >
      We’ll email it to <span className="wrap-anywhere">{customer_email}</span> again. The link
      stays the same.
    </ConfirmDialog>
  )
}

export function CancelPayment({ payment }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const money = useMoneyText()(payment.amount, payment.currency)
  const cancel = async () => {
    await florin.payments.cancel(payment.id)
    await refresh()
    showToast(`The request for ${money} is canceled.`, 'The link no longer accepts payments.')
  }
  return (
    <ConfirmDialog
      trigger="Cancel request"
      tone="danger"
      title={`Cancel this request for ${money}?`}
      action="Cancel request"
      dismiss="Don’t cancel"
      onConfirm={cancel}
    >
      The link no longer accepts payments, and its page says so. This cannot be undone.
    </ConfirmDialog>
  )
}

const outcomes = {
  succeeded: 'Paid: the money has come',
  failed: 'Failed: no money will come',
}

/** For those who run the service: what came another way than by the page, or will not come. */
export function SettlePayment({ payment }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const money = useMoneyText()(payment.amount, payment.currency)
  const [outcome, setOutcome] = useState<keyof typeof outcomes>('succeeded')
  const [reason, setReason] = useState('')
  const paid = outcome === 'succeeded'
  const settle = async () => {
    const given = reason.trim()
    await florin.payments.settle(payment.id, { outcome, ...(given && { reason: given }) })
    await refresh()
    showToast(
      paid ? `${money} is marked as paid.` : `The request for ${money} is marked as failed.`,
    )
  }
  return (
    <ConfirmDialog
      trigger="Settle"
      title={`Settle this request for ${money}?`}
      action={paid ? `Mark ${money} as paid` : 'Mark as failed'}
      action_tone={paid ? 'primary' : 'danger'}
      onConfirm={settle}
    >
      For money that comes another way, such as a bank transfer. Look at the bank first: this cannot
      be undone.
      <ChoiceField
        className="mt-4 text-ink"
        label="What happened"
        value={outcome}
        choices={outcomes}
        onChange={setOutcome}
      />
      <Field
        className="mt-4 text-ink"
        label="Reason"
        hint="Kept in the audit log. It may stay empty."
        maxLength={255}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
