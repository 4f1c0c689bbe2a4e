import { useState } from 'react'
import { FlorinError } from '../../../../../client/src/florin.ts'
import { useFlorin, usePasswordMin, useUser } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

const empty = { password: '', again: '' }

/** Of whoever is signed in. The API asks for no old one: the session is what counts. */
export function ChangePassword() {
  const florin = useFlorin()
  const { id } = useUser()
  const length = usePasswordMin()
  const [typed, setTyped] = useState(empty)
  const [faults, setFaults] = useState<Partial<typeof empty>>({})
  const save = async () => {
    await florin.users.update(id, { password: typed.password })
    setTyped(empty)
    showToast('Your password is changed.', 'Your other sessions have ended.')
  }
  const fieldOf = (field: keyof typeof empty) => ({
    type: 'password',
    autoComplete: 'new-password',
    value: typed[field],
    fault: faults[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setTyped({ ...typed, [field]: event.target.value })
      setFaults({})
    },
  })
  return (
    <FormDialog
      trigger="Change password"
      title="Change your password"
      text="You stay signed in here. Your other sessions end; API keys stay as they are."
      action="Save password"
      disabled={typed.password === '' || typed.again === ''}
      onOpen={() => {
        setTyped(empty)
        setFaults({})
      }}
      isReady={() => {
        const same = typed.password === typed.again
        if (!same) setFaults({ again: 'The two are not the same.' })
        return same
      }}
      showErrorAtField={(error) => {
        const told = error instanceof FlorinError && error.code === 'invalid_request'
        if (told) setFaults({ password: error.message })
        return told
      }}
      onSubmit={save}
    >
      <Field
        label="New password"
        {...fieldOf('password')}
        hint={`At least ${length} characters.`}
      />
      <Field label="Once more" {...fieldOf('again')} />
    </FormDialog>
  )
}
