// Selects an API key's scopes: read and write per resource.

import { type KeyKind, key_scopes, type ScopeNoun } from '../../api/key-scopes.ts'
import { Checkbox } from '../../parts/checkbox.tsx'

interface ScopePickerProps {
  kind: KeyKind
  value: string[]
  onChange: (value: string[]) => void
}

export function ScopePicker({ kind, value, onChange }: ScopePickerProps) {
  const all = value.includes('*')
  const set = (scope: string, on: boolean) =>
    onChange(on ? [...value, scope] : value.filter((one) => one !== scope))
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Scopes</legend>
      <div className="rounded-lg border border-line-strong px-3 py-1.5">
        <Checkbox checked={all} onChange={(on) => onChange(on ? ['*'] : [])}>
          All scopes
        </Checkbox>
        {key_scopes[kind].map((row) => (
          <NounScopes key={row.noun} row={row} value={value} all={all} set={set} />
        ))}
      </div>
      <p className="mt-1.5 text-xs text-muted">
        Select only the scopes you need. API keys cannot manage API keys
        {kind === 'account' ? ', webhooks or members' : ' or webhooks'}.
      </p>
    </fieldset>
  )
}

interface NounProps {
  row: ScopeNoun
  value: string[]
  all: boolean
  set: (scope: string, on: boolean) => void
}

function NounScopes({ row: { noun, name, may }, value, all, set }: NounProps) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t border-line">
      <span className="min-w-0">{name}</span>
      <span className="grid shrink-0 grid-cols-[4.25rem_4.25rem]">
        {may.map((access) => {
          const scope = `${noun}:${access}`
          return (
            <Checkbox
              key={scope}
              checked={all || value.includes(scope)}
              disabled={all}
              onChange={(on) => set(scope, on)}
              label={scope}
            >
              {access === 'read' ? 'Read' : 'Write'}
            </Checkbox>
          )
        })}
      </span>
    </div>
  )
}
