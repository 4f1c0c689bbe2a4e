import { Combobox } from '@base-ui/react/combobox'
import { useId, useState } from 'react'
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
  // Rendered within the page's landmark, not at the end of the body.
  const [container, setContainer] = useState<HTMLElement | null>(null)
  return (
    <Combobox.Root
      items={choices}
      value={chosen}
      limit={shown_max}
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={(choice) => choice && field.onChange(choice.value)}
    >
      <div className="flex flex-col gap-1.5">
        <Combobox.Label className="font-medium">{label}</Combobox.Label>
        <Combobox.Trigger
          className={`${inputClass} flex items-center justify-between gap-2 text-left
 ${error ? 'border-red' : ''}`}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
        >
          <span className="truncate">
            <Combobox.Value />
          </span>
          <span className="text-muted">
            <Icon name="chevron" />
          </span>
        </Combobox.Trigger>
        <p id={`${id}-note`} className={`text-xs ${error ? 'text-red' : 'text-muted'}`}>
          {error ?? hint}
        </p>
      </div>
      <Combobox.Portal container={container}>
        {/* Fixed: before it has a position, focus would scroll the page to it. */}
        <Combobox.Positioner positionMethod="fixed" sideOffset={4} className="z-50">
          <Combobox.Popup
            aria-label={label}
            className="max-h-80 w-(--anchor-width) overflow-y-auto rounded-xl border border-line
 bg-card p-1.5 shadow-raised"
          >
            <Combobox.Input
              aria-label={`Search: ${label}`}
              placeholder="Search"
              className={`${inputClass} mb-1.5`}
            />
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
      <div ref={setContainer} className="absolute" />
    </Combobox.Root>
  )
}
