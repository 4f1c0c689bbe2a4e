import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { focusFirstInvalid } from '../../parts/form-dialog.tsx'
import { reasonOf } from '../../parts/reason-of.ts'

interface SettingsFormProps {
  children: ReactNode
  /** Whether something has changed. */
  changed: boolean
  action: string
  /** Returns true if a field shows the error; then it is not repeated below the form. */
  showErrorAtField?: (error: Error) => boolean
  onSubmit: () => Promise<unknown>
}

/** A form within a section, with a button that is enabled once something has changed. */
export function SettingsForm(props: SettingsFormProps) {
  const [busy, setBusy] = useState(false)
  const [error_text, setErrorText] = useState<string>()
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setErrorText(undefined)
    setBusy(true)
    try {
      await props.onSubmit()
    } catch (error) {
      if (props.showErrorAtField?.(error as Error)) focusFirstInvalid(form)
      else setErrorText(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4" noValidate>
      {props.children}
      {error_text && (
        <p role="alert" className="rounded-lg bg-red-soft p-3 text-red">
          {error_text}
        </p>
      )}
      <div>
        <Button type="submit" tone="primary" disabled={busy || !props.changed}>
          {busy ? 'Saving…' : props.action}
        </Button>
      </div>
    </form>
  )
}
