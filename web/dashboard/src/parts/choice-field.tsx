import { useId } from 'react'
import { inputClass } from './field.tsx'

interface ChoiceFieldProps<Value extends string> {
  label: string
  value: Value
  /** Each value with its label. */
  choices: Record<Value, string>
  onChange: (value: Value) => void
  className?: string
  error?: string | undefined
}

/** A labeled select. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, value, choices, onChange, className = '', error } = props
  const id = useId()
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        className={`${inputClass} pr-8 ${error ? 'border-red' : ''}`}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-note` : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {Object.entries<string>(choices).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-note`} className="text-xs text-red">
          {error}
        </p>
      )}
    </div>
  )
}
