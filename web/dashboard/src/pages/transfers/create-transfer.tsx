import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import {
  amountError,
  formatAmountInput,
  parseAmount,
} from '../../../../../src/primitives/typed-amount.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import { useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useMoneyText } from '../../parts/money.tsx'
import { showToast } from '../../parts/toast.tsx'
import { feeText } from './transfer-text.ts'

interface CreateTransferProps {
  account_id: string
  open: boolean
  onOpenChange: (open: boolean) => Promise<void>
}

const blank = { to: '', amount: '', reference: '' }

/** The form of a new transfer. On success it opens the transfer's page. */
export function CreateTransfer({ account_id, open, onOpenChange }: CreateTransferProps) {
  const { currency = 'USD', language } = useAccountSettings()
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const money = useMoneyText()
  const [typed, setTyped] = useState(blank)
  const [show_errors, setShowErrors] = useState(false)
  // One idempotency key per form: a double click or a retry after a lost response creates one.
  const [key, setKey] = useState(newKey)
  const change = (changed: Partial<typeof blank>) => {
    setTyped({ ...typed, ...changed })
    setKey(newKey())
  }
  const to_account_id = typed.to.trim()
  const amount = parseAmount(typed.amount, currency, language)
  const errors = {
    to: targetError(to_account_id, account_id),
    amount: amountError(typed.amount, currency, language),
  }
  const create = async () => {
    if (amount === undefined) return
    const reference = typed.reference.trim() || null
    const body = { to_account_id, amount, currency, reference }
    const { id } = await florin.transfers.create(body, { idempotency_key: key })
    change(blank)
    setShowErrors(false)
    showToast('Transfer created', `${money(amount, currency)} is in transit.`)
    // Closed before navigating, so Back leads to the list and not to the form.
    await onOpenChange(false)
    void refresh()
    await navigate({ to: '/transfers/$id', params: { id } })
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create a transfer"
      text="Moves money to another account in the same currency. It cannot be canceled."
      action={amount === undefined ? 'Create transfer' : `Transfer ${money(amount, currency)}`}
      isReady={() => {
        setShowErrors(true)
        return errors.to === undefined && errors.amount === undefined
      }}
      onSubmit={create}
    >
      <Field
        label="To account"
        autoComplete="off"
        spellCheck={false}
        placeholder="acct_…"
        hint="The ID of the account that gets the money."
        value={typed.to}
        onChange={(event) => change({ to: event.target.value })}
        error={show_errors ? errors.to : undefined}
      />
      <Field
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        placeholder={formatAmountInput(7_500, currency, language)}
        hint={useFeeHint(currency, open)}
        value={typed.amount}
        onChange={(event) => change({ amount: event.target.value })}
        error={show_errors ? errors.amount : undefined}
      />
      <Field
        label="Reference"
        autoComplete="off"
        maxLength={255}
        placeholder="Order 114"
        hint="Optional. Both accounts see it."
        value={typed.reference}
        onChange={(event) => change({ reference: event.target.value })}
      />
    </FormDialog>
  )
}

function targetError(to: string, from: string): string | undefined {
  if (to === from) return 'Enter another account: this one is the source.'
  return /^acct_[0-9a-z]{26}$/.test(to) ? undefined : 'Enter an account ID that starts with acct_.'
}

/** The fee that the platform has set. The target gets the rest. */
function useFeeHint(currency: string, enabled: boolean): string {
  const money = useMoneyText()
  const { data } = useApiQuery(
    ['transfer fee'],
    (florin, signal) => florin.account.getTransferFee({ signal }),
    { enabled },
  )
  const fee = data === undefined ? '' : feeText(data, currency, money)
  return fee === '' ? '' : `Includes the platform’s fee of ${fee}.`
}
