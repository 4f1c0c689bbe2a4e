import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import { useFlorin, useRefresh, useTakesCards } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { amountError, formatAmountInput, parseAmount } from '../../parts/parse-amount.ts'
import { codeOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'

interface RefundPaymentProps {
  account_id: string
  transaction_id: string
  /** The amount of the payment. */
  amount: number
  currency: string
  /** The amount that can still be refunded. */
  left: number
}

const refund_by_card = 'The money leaves your available balance now and goes back to the customer.'

const refund_by_hand =
  'The money leaves your available balance now. The operator of this service sends it to the ' +
  'customer.'

/** Used on the transaction page and on the page of a paid request. */
export function RefundPayment(props: RefundPaymentProps) {
  const { account_id, transaction_id, amount, currency, left } = props
  const florin = useFlorin()
  const refresh = useRefresh()
  const money = useMoneyText()
  const { language } = useAccountSettings()
  // Undefined until the user types: the default depends on the language, which may load later.
  const [typed, setTyped] = useState<string>()
  const text = typed ?? formatAmountInput(left, currency, language)
  // One idempotency key per refund: a double click or a retry after a lost response refunds once.
  const [key, setKey] = useState(newKey)
  const wanted = parseAmount(text, currency, language)
  const is_too_much = wanted !== undefined && wanted > left
  const most = `You can refund up to ${money(left, currency)}.`
  const refund = async () => {
    if (wanted === undefined) return
    await florin.transactions.create(
      { account_id, amount: wanted, currency, type: 'refund', reference: transaction_id },
      { idempotency_key: `${key}-${wanted}` },
    )
    setKey(newKey())
    setTyped(undefined)
    await refresh()
    showToast(`Refund of ${money(wanted, currency)} created`)
  }
  return (
    <ConfirmDialog
      trigger="Refund"
      title={`Refund this payment of ${money(amount, currency)}?`}
      action={wanted === undefined || is_too_much ? 'Refund' : `Refund ${money(wanted, currency)}`}
      action_tone="primary"
      dismiss="Don’t refund"
      disabled={wanted === undefined || is_too_much}
      explain={reasonForRefund}
      onConfirm={refund}
    >
      {useTakesCards() ? refund_by_card : refund_by_hand}
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
        hint={most}
        error={is_too_much ? most : amountError(text, currency, language)}
      />
    </ConfirmDialog>
  )
}

const lower_balance =
  'Your available balance is lower than this refund. Refund less, or wait for payments to settle.'

const less_left =
  'The refundable amount of this payment has changed. Reload the page and try again.'

/** API messages name fields and minor units, which are not meant for end users. */
function reasonForRefund(error: unknown): string | undefined {
  switch (codeOf(error)) {
    case 'insufficient_funds':
      return lower_balance
    case 'invalid_request':
    case 'conflict':
      return less_left
    case 'not_found':
      return 'This payment can no longer be refunded. Reload the page.'
    default:
      return undefined
  }
}
