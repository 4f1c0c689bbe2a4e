import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import {
  amountError,
  formatAmountInput,
  parseAmount,
} from '../../../../../src/primitives/typed-amount.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

interface CreateLinkProps {
  open: boolean
  onOpenChange: (open: boolean) => Promise<void>
}

const blank = {
  title: '',
  kind: 'fixed' as 'fixed' | 'open',
  amount: '',
  min: '',
  max: '',
  max_uses: '',
  expires: '',
}

type Typed = typeof blank

const kinds = { fixed: 'Everyone pays the same amount', open: 'The payer chooses the amount' }

/** The form of a new link. On success it opens the link's page. */
export function CreateLink({ open, onOpenChange }: CreateLinkProps) {
  const { currency = 'USD', language } = useAccountSettings()
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(blank)
  const [show_errors, setShowErrors] = useState(false)
  const [key, setKey] = useState(newKey)
  const change = (changed: Partial<Typed>) => {
    setTyped({ ...typed, ...changed })
    setKey(newKey())
  }
  const errors = errorsOf(typed, currency, language)
  const shown = show_errors ? errors : {}
  const create = async () => {
    const body = bodyOf(typed, currency, language)
    const link = await florin.paymentLinks.create(body, { idempotency_key: key })
    change(blank)
    setShowErrors(false)
    showToast('Payment link created', 'Share it with your payers.')
    await onOpenChange(false)
    void refresh()
    await navigate({ to: '/payment-links/$id', params: { id: link.id } })
  }
  const amountField = (name: 'amount' | 'min' | 'max', label: string, example: number) => (
    <Field
      label={`${label} in ${currency}`}
      inputMode="decimal"
      autoComplete="off"
      placeholder={formatAmountInput(example, currency, language)}
      value={typed[name]}
      onChange={(event) => change({ [name]: event.target.value })}
      error={shown[name]}
    />
  )
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create a payment link"
      text="Anyone with the link can pay. Each payer enters an email address for the receipt."
      action="Create payment link"
      isReady={() => {
        setShowErrors(true)
        return Object.values(errors).every((error) => error === undefined)
      }}
      onSubmit={create}
    >
      <Field
        label="Title"
        autoComplete="off"
        maxLength={200}
        placeholder="Pottery class"
        hint="What the payer pays for. Shown on the page and as the reference."
        value={typed.title}
        onChange={(event) => change({ title: event.target.value })}
        error={shown.title}
      />
      <ChoiceField
        label="Amount"
        value={typed.kind}
        choices={kinds}
        onChange={(kind) => change({ kind })}
      />
      {typed.kind === 'fixed' ? (
        amountField('amount', 'Amount', 7_500)
      ) : (
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          {amountField('min', 'Minimum', 500)}
          {amountField('max', 'Maximum', 50_000)}
        </div>
      )}
      <Field
        label="Maximum number of payments"
        inputMode="numeric"
        autoComplete="off"
        hint="Optional. A payment that is not completed becomes available again after an hour."
        value={typed.max_uses}
        onChange={(event) => change({ max_uses: event.target.value })}
        error={shown.max_uses}
      />
      <Field
        label="Last day"
        type="date"
        hint="Optional. The link stops accepting payments after this day."
        value={typed.expires}
        onChange={(event) => change({ expires: event.target.value })}
        error={shown.expires}
      />
    </FormDialog>
  )
}

type Errors = Partial<Record<keyof Typed, string | undefined>>

function errorsOf(typed: Typed, currency: string, language: string): Errors {
  const { title, kind, amount, min, max, max_uses, expires } = typed
  const error = (text: string) => amountError(text, currency, language)
  const amounts: Errors =
    kind === 'fixed'
      ? { amount: error(amount) }
      : { min: error(min), max: error(max) ?? orderError(typed, currency, language) }
  return {
    ...amounts,
    title: title.trim() === '' ? 'Enter a title, for example Pottery class.' : undefined,
    max_uses: /^([1-9]\d{0,5})?$/.test(max_uses.trim())
      ? undefined
      : 'Enter a number from 1 to 999999, or nothing.',
    expires:
      expires !== '' && Date.parse(`${expires}T23:59:59`) < Date.now()
        ? 'Choose a day in the future.'
        : undefined,
  }
}

function orderError({ min, max }: Typed, currency: string, language: string): string | undefined {
  const [least, most] = [min, max].map((text) => parseAmount(text, currency, language))
  if (least === undefined || most === undefined || least <= most) return undefined
  return 'The maximum must not be less than the minimum.'
}

function bodyOf(typed: Typed, currency: string, language: string) {
  const { title, kind, amount, min, max, max_uses, expires } = typed
  const parse = (text: string) => parseAmount(text, currency, language) ?? null
  const amounts =
    kind === 'fixed'
      ? { amount: parse(amount) }
      : { amount_min: parse(min), amount_max: parse(max) }
  return {
    title: title.trim(),
    ...amounts,
    ...(max_uses.trim() !== '' && { max_uses: Number(max_uses) }),
    ...(expires !== '' && { expires_at: expires }),
  }
}
