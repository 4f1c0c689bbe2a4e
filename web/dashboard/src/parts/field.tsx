import type { InputHTMLAttributes } from 'react'
import { useId } from 'react'

export const inputClass = `h-9 pointer-coarse:h-11 w-full rounded-lg border border-line-strong
 bg-card
 px-3 text-sm pointer-coarse:text-base text-ink placeholder:text-muted`

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  hint?: string
  fault?: string | undefined
}

/** A labelled input, with what is wrong with it said beside it. */
export function Field({ label, hint, fault, className = '', ...rest }: FieldProps) {
  const id = useId()
  const said = fault ?? hint
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        className={`${inputClass} ${fault ? 'border-red' : ''}`}
        aria-invalid={fault !== undefined}
        aria-describedby={said ? `${id}-said` : undefined}
        {...rest}
      />
      {said && (
        <p id={`${id}-said`} className={`text-xs ${fault ? 'text-red' : 'text-muted'}`}>
          {said}
        </p>
      )}
    </div>
  )
}
