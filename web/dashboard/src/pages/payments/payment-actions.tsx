import { useState } from 'react'
import type { Payment } from '../../api/api-types.ts'
import { useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'

interface ActionProps {
  payment: Payment
}

/** `sends`: how often the link was emailed before. */
export function SendPayment({ payment, sends = 1 }: ActionProps & { sends?: number | undefined }) {
  const { id, customer_email } = payment
  const florin = useFlorin()
  const refresh = useRefresh()
  const { may } = useUser()
  const action = sends === 0 ? 'Email link' : 'Resend email'
  const send = async () => {
    await florin.payments.send(id)
    await refresh()
    showToast(`Payment link sent to ${customer_email}`)
  }
  if (!may.includes('send_payment')) return null
  return (
    <ConfirmDialog
      trigger={action}
      title={sends === 0 ? 'Email the payment link?' : 'Resend the payment link?'}
      action={action}
      action_tone="primary"
      onConfirm={send}
    >
      We’ll email it to <span className="wrap-anywhere">{customer_email}</span>. The link stays the
      same.
    </ConfirmDialog>
  )
}

export function CancelPayment({ payment }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { may } = useUser()
  const money = useMoneyText()(payment.amount, payment.currency)
  const cancel = async () => {
    await florin.payments.cancel(payment.id)
    await refresh()
    showToast(`Request for ${money} canceled`, 'The link no longer accepts payments.')
  }
  if (!may.includes('cancel_payment')) return null
  return (
    <ConfirmDialog
      trigger="Cancel request"
      tone="danger"
      title={`Cancel this request for ${money}?`}
      action="Cancel request"
      dismiss="Don’t cancel"
      onConfirm={cancel}
    >
      The link will no longer accept payments. This cannot be undone.
    </ConfirmDialog>
  )
}

const outcomes = {
  succeeded: 'Paid: the money has arrived',
  failed: 'Failed: no money will arrive',
}

/** For operators: settles a request that is paid outside the payment page, or will not be paid. */
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
    showToast(paid ? `${money} marked as paid` : `Request for ${money} marked as failed`)
  }
  return (
    <ConfirmDialog
      trigger="Settle"
      title={`Settle this request for ${money}?`}
      action={paid ? `Mark ${money} as paid` : 'Mark as failed'}
      action_tone={paid ? 'primary' : 'danger'}
      onConfirm={settle}
    >
      For payments outside the payment page, such as bank transfers. Check your bank account first.
      This cannot be undone.
      <ChoiceField
        className="mt-4 text-ink"
        label="Outcome"
        value={outcome}
        choices={outcomes}
        onChange={setOutcome}
      />
      <Field
        className="mt-4 text-ink"
        label="Reason"
        hint="Optional. Stored in the audit log."
        maxLength={255}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
