import { useEffect, useState } from 'react'
import { inputClass } from './field.tsx'

interface TextFilterProps {
  label: string
  value: string | undefined
  placeholder?: string
  onChange: (value: string | undefined) => void
}

/** Text to filter by. It takes effect with Enter or when it is left: not at every letter. */
export function TextFilter({ label, value = '', placeholder, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value)
  // Back and Clear change the address, and with it what stands here.
  useEffect(() => setTyped(value), [value])
  const apply = () => {
    if (typed.trim() !== value) onChange(typed.trim() || undefined)
  }
  return (
    <label className="flex flex-col gap-1 text-xs font-medium text-muted">
      {label}
      <input
        className={`${inputClass} min-w-64`}
        value={typed}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </label>
  )
}
