import { useNavigate } from '@tanstack/react-router'
import { useAccount } from '../../api/account-settings.ts'
import { useAccountId, useFlorin, usePasswordMin, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

/** A member of the account that is looked at; without one, somebody who belongs to none. */
export function CreateUser() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const account = useAccountId()
  const { data } = useAccount()
  const create = async (form: FormData) => {
    const user = await florin.users.create(readNewUser(form))
    await refresh()
    showToast(`${user.email} can sign in.`)
    await navigate({ to: '/users/$id', params: { id: user.id } })
  }
  return (
    <FormDialog
      native
      trigger="Create user"
      tone="primary"
      title="Create a user"
      action="Create user"
      onSubmit={create}
    >
      <p className="text-muted">
        {account === undefined
          ? 'The user belongs to no account. To add somebody to an account, choose it above first.'
          : `The user becomes a member of ${data?.name ?? 'the chosen account'}.`}
      </p>
      <NewUserFields />
    </FormDialog>
  )
}

/** Whoever makes a user writes these, wherever they do. */
export function NewUserFields() {
  return (
    <>
      <Field label="Email" name="email" type="email" required autoComplete="off" maxLength={254} />
      <Field label="Name" name="name" autoComplete="off" maxLength={200} hint="May be left out." />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        autoComplete="new-password"
        hint={`At least ${usePasswordMin()} characters. Tell it to them another way.`}
      />
    </>
  )
}

export function readNewUser(form: FormData) {
  const name = String(form.get('name')).trim()
  return {
    email: String(form.get('email')).trim(),
    password: String(form.get('password')),
    ...(name === '' ? {} : { name }),
  }
}
