// Form fields of payment requests and subscriptions: customer, amount and reference.

import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import { isEmail } from '../../../../../src/primitives/email-address.ts'
import {
  amountError,
  formatAmountInput,
  parseAmount,
} from '../../../../../src/primitives/typed-amount.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Payment } from '../../api/api-types.ts'
import { Field } from '../../parts/field.tsx'

const blank = { email: '', amount: '', reference: '' }

type Like = Pick<Payment, 'customer_email' | 'amount' | 'currency' | 'reference'>

function typedLike({ customer_email, amount, currency, reference }: Like, language: string) {
  return {
    email: customer_email,
    amount: formatAmountInput(amount, currency, language),
    reference: reference ?? '',
  }
}

/** The input, its parsed values, and whether to show errors: only after the first submit. */
export function usePaymentRequestForm(currency: string, like?: Like) {
  const { language } = useAccountSettings()
  const [typed, setTyped] = useState(() => (like === undefined ? blank : typedLike(like, language)))
  const [show_errors, setShowErrors] = useState(false)
  // One idempotency key per form: a double click or a retry after a lost response creates one.
  const [key, setKey] = useState(newKey)
  const email = typed.email.trim()
  const reference = typed.reference.trim()
  const amount = parseAmount(typed.amount, currency, language)
  const change = (changed: Partial<typeof blank>) => {
    setTyped({ ...typed, ...changed })
    setKey(newKey())
  }
  const isReady = () => {
    setShowErrors(true)
    return isEmail(email) && amount !== undefined && reference.length <= 255
  }
  const clear = () => {
    change(blank)
    setShowErrors(false)
  }
  const values = { email, amount, reference: reference === '' ? null : reference }
  return { typed, show_errors, change, values, key, isReady, clear, currency }
}

type PaymentRequestForm = ReturnType<typeof usePaymentRequestForm>

export function CustomerField({
  of: { typed, show_errors, values, change },
}: {
  of: PaymentRequestForm
}) {
  const wrong = show_errors && !isEmail(values.email)
  return (
    <Field
      label="Customer email"
      type="email"
      autoComplete="off"
      placeholder="ann@example.com"
      value={typed.email}
      onChange={(event) => change({ email: event.target.value })}
      error={wrong ? 'Enter an email address, for example ann@example.com.' : undefined}
    />
  )
}

export function AmountField({
  of: { typed, show_errors, change, currency },
}: {
  of: PaymentRequestForm
}) {
  const { language } = useAccountSettings()
  return (
    <Field
      label={`Amount in ${currency}`}
      inputMode="decimal"
      autoComplete="off"
      placeholder={formatAmountInput(7500, currency, language)}
      value={typed.amount}
      onChange={(event) => change({ amount: event.target.value })}
      error={show_errors ? amountError(typed.amount, currency, language) : undefined}
    />
  )
}

export function ReferenceField(props: { of: PaymentRequestForm; example: string }) {
  const { typed, change } = props.of
  return (
    <Field
      label="Reference"
      autoComplete="off"
      maxLength={255}
      placeholder={props.example}
      hint="Shown to the customer. Optional."
      value={typed.reference}
      onChange={(event) => change({ reference: event.target.value })}
    />
  )
}
