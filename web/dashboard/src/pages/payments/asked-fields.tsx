// What a payment request and a subscription both ask for: from whom, how much, and what for.

import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import { isEmail } from '../../../../../src/primitives/email-address.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import { Field } from '../../parts/field.tsx'
import { amountFault, parseAmount, typedText } from '../../parts/parse-amount.ts'

const blank = { email: '', amount: '', reference: '' }

/** What is typed, what it means, and whether its faults are told yet: only once it was sent. */
export function useAsked(currency: string) {
  const [typed, setTyped] = useState(blank)
  const [told, setTold] = useState(false)
  // One key for one intention: pressed twice, or sent again after a lost answer, it asks once.
  const [key, setKey] = useState(newKey)
  const email = typed.email.trim()
  const reference = typed.reference.trim()
  const amount = parseAmount(typed.amount, currency, useAccountSettings().language)
  const change = (changed: Partial<typeof blank>) => {
    setTyped({ ...typed, ...changed })
    setKey(newKey())
  }
  const isReady = () => {
    setTold(true)
    return isEmail(email) && amount !== undefined && reference.length <= 255
  }
  const clear = () => {
    change(blank)
    setTold(false)
  }
  const asked = { email, amount, reference: reference === '' ? null : reference }
  return { typed, told, change, asked, key, isReady, clear, currency }
}

export type Asked = ReturnType<typeof useAsked>

export function CustomerField({ of: { typed, told, asked, change } }: { of: Asked }) {
  const wrong = told && !isEmail(asked.email)
  return (
    <Field
      label="Customer’s email"
      type="email"
      autoComplete="off"
      placeholder="ann@example.com"
      value={typed.email}
      onChange={(event) => change({ email: event.target.value })}
      fault={wrong ? 'Enter an email address, for example ann@example.com.' : undefined}
    />
  )
}

export function AmountField({ of: { typed, told, change, currency } }: { of: Asked }) {
  const { language } = useAccountSettings()
  return (
    <Field
      label={`Amount in ${currency}`}
      inputMode="decimal"
      autoComplete="off"
      placeholder={typedText(7500, currency, language)}
      value={typed.amount}
      onChange={(event) => change({ amount: event.target.value })}
      fault={told ? amountFault(typed.amount, currency, language) : undefined}
    />
  )
}

export function ReferenceField(props: { of: Asked; example: string }) {
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
