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

/** On a phone filters share the width of their row: two narrow ones, or one wide one. */
export const filterClass = 'flex flex-col gap-1 text-xs font-medium text-muted max-sm:flex-1'

interface ChoiceProps<Value extends string> {
  label: string
  value: Value | undefined
  values: readonly Value[]
  onChange: (value: Value | undefined) => void
}

export function ChoiceFilter<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, values, onChange } = props
  return (
    <label className={filterClass}>
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

interface DayRangeProps {
  from: string | undefined
  to: string | undefined
  onFrom: (value: string | undefined) => void
  onTo: (value: string | undefined) => void
}

/** The two days share a row at every width. */
export function DayRangeFilter({ from, to, onFrom, onTo }: DayRangeProps) {
  return (
    <div className="flex items-end gap-3 max-sm:w-full">
      <DayFilter label="From" value={from} onChange={onFrom} />
      <DayFilter label="To" value={to} onChange={onTo} />
    </div>
  )
}

interface DayProps {
  label: string
  /** A day (2026-11-15), or an instant, whose time is shown next to the label. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function DayFilter({ label, value, onChange }: DayProps) {
  const settings = useAccountSettings()
  const is_instant = value !== undefined && isInstant(value)
  return (
    <label className={`${filterClass} max-sm:min-w-0`}>
      <span>
        {label}
        {is_instant && <span className="font-normal"> {clockText(value, settings)}</span>}
      </span>
      <input
        type="date"
        className={`${inputClass} sm:w-38`}
        value={is_instant ? dayAt(value, settings.timezone) : (value ?? '')}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    </label>
  )
}
