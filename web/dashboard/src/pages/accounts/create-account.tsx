import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFlorin, usePasswordMin, useRefresh } from '../../api/use-florin.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import type { account_types } from '../admin-labels.ts'

type AccountType = (typeof account_types)[number]

/** For admins: creates an account and its owner. */
export function CreateAccount() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const [type, setType] = useState<AccountType>('business')
  const create = async (form: FormData) => {
    const text = (name: string) => String(form.get(name)).trim()
    const account = await florin.accounts.create({
      name: text('name'),
      email: text('email'),
      password: String(form.get('password')),
      type,
    })
    await refresh()
    showToast(`${account.name} created`, `${account.email} can log in now.`)
    await navigate({ to: '/accounts/$id', params: { id: account.id } })
  }
  return (
    <FormDialog
      native
      trigger="New account"
      tone="primary"
      title="New account"
      text="The owner logs in with this email and password."
      action="Create account"
      onSubmit={create}
    >
      <Field
        label="Name"
        name="name"
        required
        autoComplete="off"
        maxLength={200}
        hint="Shown to customers"
      />
      <ChoiceField
        label="Type"
        value={type}
        choices={{ business: 'Business', individual: 'Individual' }}
        onChange={setType}
      />
      <Field
        label="Owner’s email"
        name="email"
        type="email"
        required
        autoComplete="off"
        maxLength={254}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        autoComplete="new-password"
        hint={`At least ${usePasswordMin()} characters. Share it with the owner securely.`}
      />
    </FormDialog>
  )
}
