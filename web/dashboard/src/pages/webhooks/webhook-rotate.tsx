import { useState } from 'react'
import type { WebhookEndpoint } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { inputClass } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'

const overlaps: [seconds: number, name: string][] = [
  [86_400, '24 hours'],
  [3_600, '1 hour'],
  [604_800, '7 days'],
  [0, 'Expire now'],
]

export function RotateSecret({ endpoint }: { endpoint: WebhookEndpoint }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [overlap_seconds, setOverlap] = useState(86_400)
  const rotate = async () => {
    const { secret } = await florin.webhookEndpoints.rotateSecret(endpoint.id, { overlap_seconds })
    // Not awaited: the secret is shown only once and must not wait for the page to reload.
    void refresh()
    return (
      <SecretOnce name="New signing secret" secret={secret}>
        {overlap_seconds === 0
          ? 'The old secret has expired. Update your server now, or it will reject deliveries.'
          : 'Deliveries are signed with both secrets until the old one expires.'}
      </SecretOnce>
    )
  }
  return (
    <FormDialog
      trigger="Rotate"
      title="Rotate signing secret"
      action="Rotate secret"
      onOpen={() => setOverlap(86_400)}
      onSubmit={rotate}
    >
      <label className="flex flex-col gap-1.5 font-medium">
        Keep the old secret valid for
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
