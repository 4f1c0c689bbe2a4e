import { useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import { useFlorin, usePasswordMin, useUser } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

const empty = { current_password: '', password: '', again: '' }

/** Changes the logged-in user's password, confirmed by the current one. */
export function ChangePassword() {
  const florin = useFlorin()
  const { id } = useUser()
  const length = usePasswordMin()
  const [typed, setTyped] = useState(empty)
  const [errors, setErrors] = useState<Partial<typeof empty>>({})
  const save = async () => {
    await florin.users.update(id, {
      password: typed.password,
      current_password: typed.current_password,
    })
    setTyped(empty)
    showToast('Password changed', 'Your other sessions have been logged out.')
  }
  const fieldOf = (field: keyof typeof empty) => ({
    type: 'password',
    autoComplete: field === 'current_password' ? 'current-password' : 'new-password',
    value: typed[field],
    error: errors[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setTyped({ ...typed, [field]: event.target.value })
      setErrors({})
    },
  })
  return (
    <FormDialog
      trigger="Change password"
      title="Change password"
      text="You stay logged in here. Your other sessions are logged out. API keys keep working."
      action="Save password"
      disabled={Object.values(typed).includes('')}
      onOpen={() => {
        setTyped(empty)
        setErrors({})
      }}
      isReady={() => {
        const same = typed.password === typed.again
        if (!same) setErrors({ again: 'The passwords do not match.' })
        return same
      }}
      showErrorAtField={(error) => {
        const is_invalid = error instanceof FlorinError && error.code === 'invalid_request'
        const field = /^"current_password"/.test(error.message) ? 'current_password' : 'password'
        if (is_invalid) setErrors({ [field]: error.message })
        return is_invalid
      }}
      onSubmit={save}
    >
      <Field label="Current password" {...fieldOf('current_password')} />
      <Field label="New password" {...fieldOf('password')} hint={`At least ${length} characters`} />
      <Field label="Confirm password" {...fieldOf('again')} />
    </FormDialog>
  )
}
