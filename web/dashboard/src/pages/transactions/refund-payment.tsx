import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import {
  amountError,
  formatAmountInput,
  parseAmount,
} from '../../../../../src/primitives/typed-amount.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import { useFlorin, useRefresh, useTakesCards } from '../../api/use-florin.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { codeOf, reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'

interface RefundPaymentProps {
  account_id: string
  transaction_id: string
  /** The amount of the payment. */
  amount: number
  currency: string
  /** The amount that can still be refunded. Zero hides the button. */
  left: number
}

/**
 * What the dialog offers and under which idempotency key. Both keep their values while it is open:
 * a refund whose response was lost lowers `now_left` through the live updates, and the retry must
 * be the same request.
 */
function useRefundDraft(now_left: number) {
  const [is_open, setOpen] = useState(false)
  const [left, setLeft] = useState(now_left)
  // All that is left, until something is typed: the language may arrive later.
  const [typed, setTyped] = useState<string>()
  // One key for one intention: pressed twice, or sent again after a lost response, it refunds once.
  const [key, setKey] = useState(newKey)
  const renewKey = () => setKey(newKey())
  const type = (text: string | undefined) => {
    setTyped(text)
    renewKey()
  }
  const show = (opened: boolean) => {
    setOpen(opened)
    if (!opened || left === now_left) return
    setLeft(now_left)
    type(undefined)
  }
  return { is_open, left, typed, key, type, renewKey, show }
}

const refund_by_card = 'The money leaves your available balance now and goes back to the customer.'

const refund_by_hand =
  'The money leaves your available balance now. The operator of this service sends it to the ' +
  'customer.'

/** Used on the transaction page and on the page of a paid request. */
export function RefundPayment(props: RefundPaymentProps) {
  const { account_id, transaction_id, amount, currency } = props
  const florin = useFlorin()
  const refresh = useRefresh()
  const money = useMoneyText()
  const { language } = useAccountSettings()
  const takes_cards = useTakesCards()
  const draft = useRefundDraft(props.left)
  const { left, key } = draft
  const text = draft.typed ?? formatAmountInput(left, currency, language)
  const wanted = parseAmount(text, currency, language)
  const is_too_much = wanted !== undefined && wanted > left
  const most = `You can refund up to ${money(left, currency)}.`
  const refund = async () => {
    if (wanted === undefined) return
    await florin.transactions.create(
      { account_id, amount: wanted, currency, type: 'refund', reference: transaction_id },
      { idempotency_key: `${key}-${wanted}` },
    )
    draft.renewKey()
    await refresh()
    showToast(`Refund of ${money(wanted, currency)} created`)
  }
  if (props.left <= 0 && !draft.is_open) return null
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
      onOpenChange={draft.show}
    >
      {takes_cards ? refund_by_card : refund_by_hand}
      <Field
        className="mt-4 text-ink"
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => draft.type(event.target.value)}
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

const is_disputed =
  'The customer disputes this payment through their bank. It cannot be refunded: the bank ' +
  'returns the money.'

/** API messages name fields and minor units, which are not meant for end users. */
function reasonForRefund(error: unknown): string | undefined {
  switch (codeOf(error)) {
    case 'insufficient_funds':
      return lower_balance
    case 'invalid_request':
      return /disput/.test(reasonOf(error)) ? is_disputed : less_left
    case 'conflict':
      return less_left
    case 'not_found':
      return 'This payment can no longer be refunded. Reload the page.'
    default:
      return undefined
  }
}
