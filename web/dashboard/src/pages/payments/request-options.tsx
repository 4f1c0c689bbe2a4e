// The options of a new payment request, folded until the user wants them.

import { useId, useState } from 'react'
import { Checkbox } from '../../parts/checkbox.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { type RequestDraft, reminder_choices } from './request-draft.ts'

interface OptionsProps {
  draft: RequestDraft
  change: (changed: Partial<RequestDraft>) => void
  /** Of the due date. */
  error: string | undefined
}

export function RequestOptions({ draft, change, error }: OptionsProps) {
  const [open, setOpen] = useState(error !== undefined || isUsed(draft))
  const id = useId()
  return (
    <>
      <Checkbox checked={!draft.email} onChange={(without) => change({ email: !without })}>
        Don’t email the customer, I’ll share the link
      </Checkbox>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="min-h-8 cursor-pointer font-medium text-brand">More options</summary>
        <div className="mt-3 flex flex-col gap-4">
          <Field
            label="Due date"
            type="date"
            hint="The request expires at the end of this day. Optional: 30 days if left out."
            value={draft.due}
            onChange={(event) => change({ due: event.target.value })}
            error={error}
          />
          <div className="flex flex-col gap-1.5">
            <label htmlFor={id} className="font-medium">
              Message to the customer
            </label>
            <textarea
              id={id}
              rows={3}
              maxLength={500}
              className={`${inputClass} h-auto py-2 pointer-coarse:h-auto`}
              aria-describedby={`${id}-note`}
              value={draft.message}
              onChange={(event) => change({ message: event.target.value })}
            />
            <p id={`${id}-note`} className="text-xs text-muted">
              Shown on the payment page and in emails. Optional.
            </p>
          </div>
          <ChoiceField
            label="Reminder email"
            value={draft.reminder}
            choices={reminder_choices}
            onChange={(reminder) => change({ reminder })}
          />
        </div>
      </details>
    </>
  )
}

function isUsed({ due, message, reminder }: RequestDraft): boolean {
  return due !== '' || message !== '' || reminder !== 'default'
}
