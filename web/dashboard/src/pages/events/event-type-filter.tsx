import { event_nouns, typesOf } from '../../api/event-types.ts'
import { inputClass } from '../../parts/field.tsx'
import { filterClass } from '../../parts/filters.tsx'
import { humanize } from '../../parts/status.tsx'

interface EventTypeFilterProps {
  value: string | undefined
  onChange: (value: string | undefined) => void
}

export function EventTypeFilter({ value, onChange }: EventTypeFilterProps) {
  return (
    <label className={filterClass}>
      Type
      <select
        className={`${inputClass} min-w-60 pr-8`}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">All</option>
        {event_nouns.map((noun) => (
          <optgroup key={noun} label={humanize(noun)}>
            {[`${noun}.*`, ...typesOf(noun)].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}
