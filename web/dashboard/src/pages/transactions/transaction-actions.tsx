import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Transaction } from '../../api/shapes.ts'
import { useFlorin, useRefresh, useTakesCards } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { amountFault, parseAmount, typedText } from '../../parts/parse-amount.ts'
import { say } from '../../parts/toast.tsx'

interface ActionProps {
  transaction: Transaction
}

export function CancelTransaction({ transaction }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const money = useMoneyText()(transaction.amount, transaction.currency)
  const cancel = async () => {
    await florin.transactions.cancel(transaction.id)
    await refresh()
    say(`The ${transaction.type} of ${money} is canceled.`)
  }
  return (
    <ConfirmDialog
      trigger={`Cancel ${transaction.type}`}
      tone="danger"
      title={`Cancel this ${transaction.type} of ${money}?`}
      action={`Cancel ${transaction.type}`}
      onConfirm={cancel}
    >
      Its money will not settle. This cannot be undone.
    </ConfirmDialog>
  )
}

const refund_by_card = 'The money leaves the available balance at once and goes back to the payer.'

const refund_by_hand =
  'It leaves the available balance at once. Whoever runs this service settles it and sends it to' +
  ' the payer.'

/** `left` is what has not gone back yet. */
export function RefundTransaction({ transaction, left }: ActionProps & { left: number }) {
  const { amount, currency } = transaction
  const florin = useFlorin()
  const refresh = useRefresh()
  const money = useMoneyText()
  const { language } = useAccountSettings()
  // All that is left, until somebody types: the language may come later, and a refund takes some.
  const [typed, setTyped] = useState<string>()
  const text = typed ?? typedText(left, currency, language)
  // One key for one intention: pressed twice, or sent again after a lost answer, it refunds once.
  const [key, setKey] = useState(newKey)
  const wanted = parseAmount(text, currency, language)
  const refund = async () => {
    if (wanted === undefined) return
    await florin.transactions.create(
      {
        account_id: transaction.account_id,
        amount: wanted,
        currency,
        type: 'refund',
        reference: transaction.id,
      },
      { idempotency_key: `${key}-${wanted}` },
    )
    setKey(newKey())
    setTyped(undefined)
    await refresh()
    say(`${money(wanted, currency)} is being refunded.`)
  }
  return (
    <ConfirmDialog
      trigger="Refund"
      title={`Refund this payment of ${money(amount, currency)}?`}
      action={wanted === undefined ? 'Refund' : `Refund ${money(wanted, currency)}`}
      action_tone="primary"
      disabled={wanted === undefined}
      onConfirm={refund}
    >
      {useTakesCards() ? refund_by_card : refund_by_hand}
      {left < amount && ` ${money(left, currency)} of it has not been refunded yet.`}
      <Field
        className="mt-4 text-ink"
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setTyped(event.target.value)
          setKey(newKey())
        }}
        fault={amountFault(text, currency, language)}
      />
    </ConfirmDialog>
  )
}
