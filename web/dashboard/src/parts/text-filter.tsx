import { useEffect, useId, useRef, useState } from 'react'
import { inputClass } from './field.tsx'

interface TextFilterProps {
  label: string
  value: string | undefined
  placeholder?: string
  /** For values that only match in full, such as ids: applied on Enter and blur only. */
  exact?: boolean
  /** Called when typing pauses, and at once on Enter. */
  onChange: (value: string | undefined) => void
  className?: string
}

const debounce_ms = 300

/** A text filter stored in the URL. It follows the URL when Back changes it. */
export function TextFilter(props: TextFilterProps) {
  const { label, value = '', placeholder, exact = false, onChange, className = 'sm:w-60' } = props
  const id = useId()
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (known !== value) {
    setKnown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const send = (text: string) => {
    clearTimeout(timer.current)
    if (text.trim() !== value) onChange(text.trim() || undefined)
  }
  return (
    <div className={`flex flex-col gap-1 max-sm:w-full ${className}`}>
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {label}
      </label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        className={inputClass}
        value={typed}
        onChange={(event) => {
          const text = event.target.value
          setTyped(text)
          clearTimeout(timer.current)
          if (!exact || text === '') timer.current = setTimeout(() => send(text), debounce_ms)
        }}
        onBlur={() => send(typed)}
        onKeyDown={(event) => void (event.key === 'Enter' && send(typed))}
      />
    </div>
  )
}
