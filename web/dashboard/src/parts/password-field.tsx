import { type ComponentProps, useState } from 'react'
import { Field } from './field.tsx'

/** A password with a button that shows it, for passwords that are hard to type blindly. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type'>) {
  const [is_shown, setShown] = useState(false)
  return (
    <div className="flex flex-col gap-1">
      <Field
        {...props}
        type={is_shown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
      />
      <button
        type="button"
        className="self-start py-1 text-xs text-brand underline"
        onClick={() => setShown(!is_shown)}
      >
        {is_shown ? 'Hide password' : 'Show password'}
      </button>
    </div>
  )
}
