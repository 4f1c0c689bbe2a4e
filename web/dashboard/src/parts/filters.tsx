// Filters stored in the URL, so a filtered list can be linked and Back restores it.

import type { ReactNode } from 'react'
import { useAccountSettings } from '../api/account-settings.ts'
import { Button } from './button.tsx'
import { dayAt, isInstant } from './days.ts'
import { inputClass } from './field.tsx'
import { humanize } from './status.tsx'
import { clockText } from './time-text.ts'

export function FilterBar(props: { clear?: (() => void) | undefined; children: ReactNode }) {
  return (
    <search aria-label="Filters" className="mb-4 flex flex-wrap items-end gap-3">
      {props.children}
      {props.clear && (
        <Button tone="quiet" onClick={props.clear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value | undefined
  values: readonly Value[]
  onChange: (value: Value | undefined) => void
}

export function ChoiceFilter<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, values, onChange } = props
  return (
    <label className="flex flex-col gap-1 text-xs font-medium text-muted">
      {label}
      <select
        className={`${inputClass} min-w-36 pr-8`}
        value={value ?? ''}
        onChange={(event) => onChange((event.target.value || undefined) as Value | undefined)}
      >
        <option value="">All</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {humanize(one)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface DayProps {
  label: string
  /** A day (2026-11-15), or an instant, whose time is shown next to the label. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

export function DayFilter({ label, value, onChange }: DayProps) {
  const settings = useAccountSettings()
  const is_instant = value !== undefined && isInstant(value)
  return (
    <label className="flex flex-col gap-1 text-xs font-medium text-muted">
      <span>
        {label}
        {is_instant && <span className="font-normal"> {clockText(value, settings)}</span>}
      </span>
      <input
        type="date"
        className={`${inputClass} w-38`}
        value={is_instant ? dayAt(value, settings.timezone) : (value ?? '')}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    </label>
  )
}
