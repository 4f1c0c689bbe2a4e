import { useState } from 'react'
import type { Scope } from '../../../../../client/src/florin.ts'
import type { KeyKind } from '../../api/key-scopes.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { ScopePicker } from './scope-picker.tsx'

interface CreateApiKeyProps {
  kind: KeyKind
  /** Whether a link to the form was followed, and what removes it from the URL. */
  starts_open: boolean
  onOpenChange: (open: boolean) => void
}

export function CreateApiKey({ kind, ...shown }: CreateApiKeyProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const create = async () => {
    const role = kind === 'platform' ? ({ role: 'platform' } as const) : {}
    const created = await florin.apiKeys.create({
      name: name.trim(),
      scopes: scopes as Scope[],
      ...role,
    })
    // Not awaited: the secret is shown only once and must not wait for the list to reload.
    void refresh()
    return (
      <SecretOnce name="API key" secret={created.key}>
        The commands on these pages read it from{' '}
        <code className="font-mono text-xs">$FLORIN_API_KEY</code>.
      </SecretOnce>
    )
  }
  return (
    <FormDialog
      trigger="Create key"
      {...shown}
      tone="primary"
      title={kind === 'platform' ? 'Create platform key' : 'Create API key'}
      action="Create key"
      disabled={name.trim() === '' || scopes.length === 0}
      onOpen={() => {
        setName('')
        setScopes([])
      }}
      onSubmit={create}
    >
      <div className="flex flex-col gap-4">
        <Field
          label="Name"
          placeholder="e.g. Production server"
          autoComplete="off"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ScopePicker kind={kind} value={scopes} onChange={setScopes} />
      </div>
    </FormDialog>
  )
}
