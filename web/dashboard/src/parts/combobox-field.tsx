import { Combobox } from '@base-ui/react/combobox'
import { useId } from 'react'
import { inputClass } from './field.tsx'
import { Icon } from './icon.tsx'

interface Choice {
  value: string
  label: string
  /** Shown at the right, such as the current time of a zone. */
  note?: string
}

interface ComboboxFieldProps {
  label: string
  hint: string
  error?: string | undefined
  choices: Choice[]
  value: string
  onChange: (value: string) => void
}

// The list is rebuilt on every key, and there are 400 time zones.
const shown_max = 50

/** A labeled choice from a long list, found by typing. */
export function ComboboxField({ label, hint, error, choices, ...field }: ComboboxFieldProps) {
  const id = useId()
  const chosen = choices.find(({ value }) => value === field.value) ?? {
    value: field.value,
    label: field.value,
  }
  return (
    <Combobox.Root
      items={choices}
      value={chosen}
      limit={shown_max}
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={(choice) => choice && field.onChange(choice.value)}
    >
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <div className="relative">
          <Combobox.Input
            id={id}
            className={`${inputClass} pr-9 ${error ? 'border-red' : ''}`}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-note`}
          />
          <Combobox.Trigger
            aria-label={`${label}: show choices`}
            className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-lg text-muted"
          >
            <Icon name="chevron" />
          </Combobox.Trigger>
        </div>
        <p id={`${id}-note`} className={`text-xs ${error ? 'text-red' : 'text-muted'}`}>
          {error ?? hint}
        </p>
      </div>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-50">
          <Combobox.Popup
            className="max-h-72 w-(--anchor-width) overflow-y-auto rounded-xl border border-line
 bg-card p-1.5 shadow-raised"
          >
            <Combobox.Empty className="px-2.5 text-muted">
              <div className="py-1.5">No match</div>
            </Combobox.Empty>
            <Combobox.List>
              {(choice: Choice) => (
                <Combobox.Item
                  key={choice.value}
                  value={choice}
                  className="flex min-h-9 cursor-default items-center justify-between gap-4
 rounded-md px-2.5 outline-none data-[highlighted]:bg-canvas pointer-coarse:min-h-11"
                >
                  <span className="min-w-0 truncate">{choice.label}</span>
                  {choice.note && (
                    <span className="shrink-0 text-xs text-muted">{choice.note}</span>
                  )}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
