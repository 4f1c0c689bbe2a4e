import type { ComponentProps } from 'react'
import { useId } from 'react'

export const inputClass = `h-9 pointer-coarse:h-11 w-full rounded-lg border border-line-strong
 bg-card
 px-3 text-sm pointer-coarse:text-base text-ink placeholder:text-muted`

interface FieldProps extends ComponentProps<'input'> {
  label: string
  hint?: string
  error?: string | undefined
}

/** A labeled input with a hint or an error below it. */
export function Field({ label, hint, error, className = '', ...rest }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        className={`${inputClass} ${error ? 'border-red' : ''}`}
        aria-invalid={error !== undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...rest}
      />
      {note && (
        <p id={`${id}-note`} className={`text-xs ${error ? 'text-red' : 'text-muted'}`}>
          {note}
        </p>
      )}
    </div>
  )
}
