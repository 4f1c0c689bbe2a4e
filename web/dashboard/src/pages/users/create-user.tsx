import { useNavigate } from '@tanstack/react-router'
import { useAccount } from '../../api/account-settings.ts'
import { useAccountId, useFlorin, usePasswordMin, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

/** Creates a member of the selected account, or a user without an account. */
export function CreateUser() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const account = useAccountId()
  const { data } = useAccount()
  const create = async (form: FormData) => {
    const user = await florin.users.create(readNewUser(form))
    await refresh()
    showToast('User created', `${user.email} can log in now.`)
    await navigate({ to: '/users/$id', params: { id: user.id } })
  }
  return (
    <FormDialog
      native
      trigger="Create user"
      tone="primary"
      title="Create user"
      action="Create user"
      onSubmit={create}
    >
      <p className="text-muted">
        {account === undefined
          ? 'The user will not belong to an account. To add a member, choose an account first.'
          : `The user becomes a member of ${data?.name ?? 'the selected account'}.`}
      </p>
      <NewUserFields />
    </FormDialog>
  )
}

/** Used for new users and new members. */
function NewUserFields() {
  return (
    <>
      <Field label="Email" name="email" type="email" required autoComplete="off" maxLength={254} />
      <Field label="Name" name="name" autoComplete="off" maxLength={200} hint="Optional" />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        autoComplete="new-password"
        hint={`At least ${usePasswordMin()} characters. Share it with the user securely.`}
      />
    </>
  )
}

function readNewUser(form: FormData) {
  const name = String(form.get('name')).trim()
  return {
    email: String(form.get('email')).trim(),
    password: String(form.get('password')),
    ...(name === '' ? {} : { name }),
  }
}
