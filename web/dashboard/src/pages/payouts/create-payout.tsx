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
import { usePayoutSettings } from './payout-settings.tsx'
import { destinationText } from './payout-text.ts'

interface CreatePayoutProps {
  open: boolean
  onOpenChange: (open: boolean) => Promise<void>
}

const blank = { amount: '', reference: '' }

/** The form of a new payout. On success it opens the payout's page. */
export function CreatePayout({ open, onOpenChange }: CreatePayoutProps) {
  const { currency = 'USD', language } = useAccountSettings()
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const money = useMoneyText()
  const destination = usePayoutSettings().data?.destination
  const balance = useApiQuery(
    ['balance'],
    (client, signal) => client.account.getBalance({ signal }),
    { enabled: open },
  )
  const [typed, setTyped] = useState(blank)
  const [show_errors, setShowErrors] = useState(false)
  // One idempotency key per form: a double click or a retry after a lost response creates one.
  const [key, setKey] = useState(newKey)
  const change = (changed: Partial<typeof blank>) => {
    setTyped({ ...typed, ...changed })
    setKey(newKey())
  }
  const amount = parseAmount(typed.amount, currency, language)
  const available = balance.data?.available
  const is_too_much = amount !== undefined && available !== undefined && amount > available
  const most = available === undefined ? '' : `${money(available, currency)} is available.`
  const error = is_too_much ? most : amountError(typed.amount, currency, language)
  const create = async () => {
    if (amount === undefined) return
    const reference = typed.reference.trim() || null
    const body = { amount, currency, reference }
    const { id, status } = await florin.payouts.create(body, { idempotency_key: key })
    change(blank)
    setShowErrors(false)
    const next = status === 'approved' ? 'It will be in the next payment file.' : needs_approval
    showToast('Payout created', next)
    // Closed before navigating, so Back leads to the list and not to the form.
    await onOpenChange(false)
    void refresh()
    await navigate({ to: '/payouts/$id', params: { id } })
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create a payout"
      text={
        destination
          ? `The money goes to ${destinationText(destination)}.`
          : 'Set a destination first: the bank account that gets the money.'
      }
      action={amount === undefined ? 'Create payout' : `Pay out ${money(amount, currency)}`}
      disabled={!destination}
      isReady={() => {
        setShowErrors(true)
        return error === undefined
      }}
      onSubmit={create}
    >
      <Field
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        placeholder={formatAmountInput(7_500, currency, language)}
        hint={most}
        value={typed.amount}
        onChange={(event) => change({ amount: event.target.value })}
        error={show_errors ? error : undefined}
      />
      <Field
        label="Reference"
        autoComplete="off"
        maxLength={140}
        placeholder="Week 47"
        hint="Optional. The text on the bank statement."
        value={typed.reference}
        onChange={(event) => change({ reference: event.target.value })}
      />
    </FormDialog>
  )
}

const needs_approval = 'An admin or a platform user must approve it.'
