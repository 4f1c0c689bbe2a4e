import type { ReactNode } from 'react'

interface CheckboxProps {
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
  /** For screen readers, when the visible text is not enough. */
  label?: string
  children: ReactNode
}

/** A checkbox. The whole line is clickable. */
export function Checkbox({ checked, disabled = false, onChange, label, children }: CheckboxProps) {
  return (
    <label
      className={`flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-11
 ${disabled ? 'opacity-60' : 'cursor-pointer'}`}
    >
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-brand"
        checked={checked}
        disabled={disabled}
        aria-label={label}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0">{children}</span>
    </label>
  )
}
