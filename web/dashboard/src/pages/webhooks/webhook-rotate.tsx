import { useState } from 'react'
import type { WebhookEndpoint } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { inputClass } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'

const overlaps: [seconds: number, name: string][] = [
  [86_400, 'For a day'],
  [3_600, 'For an hour'],
  [604_800, 'For a week'],
  [0, 'No longer: it is dead at once'],
]

export function RotateSecret({ endpoint }: { endpoint: WebhookEndpoint }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [overlap_seconds, setOverlap] = useState(86_400)
  const rotate = async () => {
    const { secret } = await florin.webhookEndpoints.rotateSecret(endpoint.id, { overlap_seconds })
    // Not waited for: the secret is told this once, however long the page takes to follow.
    void refresh()
    return (
      <SecretOnce name="New signing secret" secret={secret}>
        {overlap_seconds === 0
          ? 'It signs alone from now on. Deliveries fail at a server that has the old one.'
          : 'Both secrets sign until the old one ends, so no delivery is lost meanwhile.'}
      </SecretOnce>
    )
  }
  return (
    <FormDialog
      trigger="Rotate"
      title="Rotate the signing secret"
      action="Make a new secret"
      onOpen={() => setOverlap(86_400)}
      onSubmit={rotate}
    >
      <label className="flex flex-col gap-1.5 font-medium">
        The old secret signs too
        <select
          className={`${inputClass} font-normal`}
          value={overlap_seconds}
          onChange={(event) => setOverlap(Number(event.target.value))}
        >
          {overlaps.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  )
}
