import { useEffect, useId, useRef, useState } from 'react'
import { inputClass } from './field.tsx'

interface TextFilterProps {
  label: string
  value: string | undefined
  placeholder?: string
  /** Half of it means nothing, such as half an id: asked for by Enter and when it is left. */
  exact?: boolean
  /** Asked for when the typing rests, and at once by Enter. */
  onChange: (value: string | undefined) => void
  className?: string
}

// Long enough to finish a word, short enough to feel like an answer.
const rest_ms = 300

/** A filter that is typed. It lives in the address, and follows it when Back changes it. */
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
          if (!exact || text === '') timer.current = setTimeout(() => send(text), rest_ms)
        }}
        onBlur={() => send(typed)}
        onKeyDown={(event) => void (event.key === 'Enter' && send(typed))}
      />
    </div>
  )
}
