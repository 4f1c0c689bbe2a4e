import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { instantOfWallTime, wallTimeAt } from '../../../../../src/primitives/wall-time.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { WebhookEndpoint } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showErrorToast, showToast } from '../../parts/toast.tsx'

interface ActionProps {
  endpoint: WebhookEndpoint
}

/** Leads to the delivery: what came back is what whoever tests wants to see. */
export function SendTest({ endpoint }: ActionProps) {
  const florin = useFlorin()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const { id } = await florin.webhookEndpoints.test(endpoint.id)
      await navigate({ to: '/webhooks/deliveries/$id', params: { id } })
    } catch (error) {
      showErrorToast('The test event was not sent.', reasonOf(error))
      setBusy(false)
    }
  }
  return (
    <Button disabled={busy} onClick={send}>
      {busy ? 'Sending…' : 'Send test event'}
    </Button>
  )
}

const day_ms = 86_400_000

export function ReplayEvents({ endpoint }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const { timezone } = useAccountSettings()
  const [since, setSince] = useState('')
  const replay = async () => {
    const at = new Date(instantOfWallTime(Date.parse(`${since}Z`), timezone))
    await florin.webhookEndpoints.replay(endpoint.id, { since: at.toISOString() })
    await refresh()
    // The worker creates the deliveries a moment later, and no event tells of them.
    for (const after_ms of [2_000, 6_000]) setTimeout(() => void refresh(), after_ms)
    showToast('The replay has begun.', 'Each event keeps the id that it had.')
    return undefined
  }
  return (
    <FormDialog
      trigger="Replay"
      title="Send past events again"
      action="Replay events"
      disabled={Number.isNaN(Date.parse(`${since}Z`))}
      onOpen={() => setSince(wallText(Date.now() - day_ms, timezone))}
      onSubmit={replay}
    >
      <Field
        label="Since"
        type="datetime-local"
        value={since}
        onChange={(event) => setSince(event.target.value)}
        hint={`In ${timezone}. Events are kept for 90 days.`}
      />
      <p className="mt-4 text-muted">
        Everything that the endpoint listens to is sent once more, also what it has had. Your server
        knows it by the webhook-id, which stays the same.
      </p>
    </FormDialog>
  )
}

/** As an input for a time takes it: 2026-11-15T09:30. */
function wallText(at_ms: number, timezone: string): string {
  return new Date(wallTimeAt(at_ms, timezone)).toISOString().slice(0, 16)
}

export function SwitchEndpoint({ endpoint }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const enabled = endpoint.status === 'enabled'
  const turn = async () => {
    await florin.webhookEndpoints.update(endpoint.id, { status: enabled ? 'disabled' : 'enabled' })
    await refresh()
    showToast(enabled ? 'The endpoint is disabled.' : 'The endpoint is enabled.')
  }
  if (!enabled) {
    return (
      <ConfirmDialog
        trigger="Enable"
        title="Enable this endpoint?"
        action="Enable endpoint"
        action_tone="primary"
        onConfirm={turn}
      >
        It begins with the next event. Replay brings what it missed.
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      trigger="Disable"
      title="Disable this endpoint?"
      action="Disable endpoint"
      onConfirm={turn}
    >
      Nothing more is sent to it, and what waits to be sent is canceled. You can enable it again.
    </ConfirmDialog>
  )
}

export function DeleteEndpoint({ endpoint }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const remove = async () => {
    await florin.webhookEndpoints.delete(endpoint.id)
    await navigate({ to: '/webhooks' })
    await refresh()
    showToast('The endpoint is deleted.', 'Its deliveries can still be read.')
  }
  return (
    <ConfirmDialog
      trigger="Delete"
      tone="danger"
      title="Delete this endpoint?"
      action="Delete endpoint"
      onConfirm={remove}
    >
      {endpoint.url} is sent nothing more, and its secret is gone. This cannot be undone.
    </ConfirmDialog>
  )
}
