import { useState } from 'react'
import { queryClient, useFlorin } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { exactTime, utc } from '../../parts/time-text.ts'
import { showToast } from '../../parts/toast.tsx'

const steps: [name: string, seconds: number][] = [
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['1 week', 604_800],
]

const units: Record<string, number> = { hours: 3_600, days: 86_400, weeks: 604_800 }

// Ten years, the server's limit for one step.
const seconds_max = 3_650 * 86_400

interface AdvanceProps {
  ahead_s: number
  disabled: boolean
}

export function AdvanceClock({ ahead_s, disabled }: AdvanceProps) {
  const [count, setCount] = useState('30')
  const [unit, setUnit] = useState('days')
  const seconds = /^[1-9]\d{0,5}$/.test(count) ? Number(count) * units[unit]! : 0
  const good = seconds > 0 && seconds <= seconds_max
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {steps.map(([name, step_s]) => (
          <AdvanceButton
            key={name}
            seconds={step_s}
            ahead_s={ahead_s}
            disabled={disabled}
            name={name}
          />
        ))}
      </div>
      <div className="mt-4 flex flex-wrap items-end gap-2 border-t border-line pt-4">
        <Field
          className="w-28"
          label="Duration"
          inputMode="numeric"
          value={count}
          onChange={(event) => setCount(event.target.value.trim())}
        />
        <select
          aria-label="Unit"
          className={`${inputClass} w-28!`}
          value={unit}
          onChange={(event) => setUnit(event.target.value)}
        >
          {Object.keys(units).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <AdvanceButton
          seconds={seconds}
          ahead_s={ahead_s}
          disabled={disabled || !good}
          name={good ? `${count} ${count === '1' ? unit.slice(0, -1) : unit}` : undefined}
        />
      </div>
      {!good && (
        <p role="alert" className="mt-2 text-xs text-red">
          Enter a whole number of 1 or more. The maximum is ten years at a time.
        </p>
      )}
    </>
  )
}

interface AdvanceButtonProps extends AdvanceProps {
  seconds: number
  name: string | undefined
}

function AdvanceButton({ seconds, name, ahead_s, disabled }: AdvanceButtonProps) {
  const florin = useFlorin()
  const advance = async () => {
    // The server settles everything that became due before it responds.
    const { now } = await florin.sandbox.advanceClock({ seconds }, { timeout_ms: 20_000 })
    await queryClient.invalidateQueries()
    showToast(`Clock advanced to ${exactTime(now, utc)}`, 'Everything due by then has run.')
  }
  const target = new Date(Date.now() + (ahead_s + seconds) * 1_000).toISOString()
  const label = name === undefined ? 'Advance' : `Advance by ${name}`
  if (disabled) return <Button disabled>{label}</Button>
  return (
    <ConfirmDialog
      trigger={label}
      title={`${label}?`}
      action={label}
      action_tone="primary"
      onConfirm={advance}
    >
      The clock moves to about {exactTime(target, utc)} for every account in this sandbox, and
      everything due by then is processed immediately. The clock cannot be moved back.
    </ConfirmDialog>
  )
}
