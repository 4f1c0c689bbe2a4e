// Selects the events of an endpoint: all, all of a noun, or single types.

import { event_nouns, typesOf } from '../../api/event-types.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { humanize } from '../../parts/status.tsx'

interface EventPickerProps {
  value: string[]
  onChange: (value: string[]) => void
}

export function EventPicker({ value, onChange }: EventPickerProps) {
  const all = value.includes('*')
  const set = (filter: string, on: boolean) => onChange(changed(value, filter, on))
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Events</legend>
      <div className="max-h-72 overflow-y-auto rounded-lg border border-line-strong px-3 py-1.5">
        <Checkbox checked={all} onChange={(on) => set('*', on)}>
          All events, including future ones
        </Checkbox>
        {event_nouns.map((noun) => (
          <NounEvents key={noun} noun={noun} value={value} all={all} set={set} />
        ))}
      </div>
      <p className="mt-1.5 text-xs text-muted">{summary(value)}</p>
    </fieldset>
  )
}

interface NounProps {
  noun: string
  value: string[]
  all: boolean
  set: (filter: string, on: boolean) => void
}

function NounEvents({ noun, value, all, set }: NounProps) {
  const every = `${noun}.*`
  const has_noun = all || value.includes(every)
  return (
    <div className="border-t border-line py-1">
      <Checkbox checked={has_noun} disabled={all} onChange={(on) => set(every, on)} label={every}>
        <span className="font-medium">{humanize(noun)}</span>
      </Checkbox>
      <div className="grid gap-x-4 pl-6.5 sm:grid-cols-2">
        {typesOf(noun).map((type) => (
          <Checkbox
            key={type}
            checked={has_noun || value.includes(type)}
            disabled={has_noun}
            onChange={(on) => set(type, on)}
            label={type}
          >
            {/* Without the noun, which is the heading above. */}
            <span className="font-mono text-xs">{type.slice(noun.length + 1)}</span>
          </Checkbox>
        ))}
      </div>
    </div>
  )
}

/** A wildcard replaces the types it covers. */
function changed(value: string[], filter: string, on: boolean): string[] {
  if (!on) return value.filter((one) => one !== filter)
  if (filter === '*') return ['*']
  const rest = filter.endsWith('.*')
    ? value.filter((one) => !one.startsWith(filter.slice(0, -1)))
    : value
  return [...rest, filter]
}

function summary(value: string[]): string {
  if (value.length === 0) return 'Select at least one event.'
  return value.includes('*') ? 'All events are sent.' : `Selected: ${value.join(', ')}`
}
