import { useState } from 'react'
import type { Scope } from '../../../../../client/src/florin.ts'
import type { KeyKind } from '../../api/key-scopes.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { ScopePicker } from './scope-picker.tsx'

export function CreateApiKey({ kind }: { kind: KeyKind }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const create = async () => {
    const role = kind === 'platform' ? ({ role: 'platform' } as const) : {}
    const made = await florin.apiKeys.create({
      name: name.trim(),
      scopes: scopes as Scope[],
      ...role,
    })
    // Not waited for: the secret is told this once, however long the page takes to follow.
    void refresh()
    return (
      <SecretOnce name="API key" secret={made.key}>
        The commands on these pages read it from the environment, as{' '}
        <code className="font-mono text-xs">$FLORIN_API_KEY</code>.
      </SecretOnce>
    )
  }
  return (
    <FormDialog
      trigger="Create key"
      tone="primary"
      title={kind === 'platform' ? 'Create a platform key' : 'Create an API key'}
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
          placeholder="Web shop"
          hint="What uses it, so that you know it again."
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
