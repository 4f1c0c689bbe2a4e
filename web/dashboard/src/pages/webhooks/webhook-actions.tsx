import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { instantOfWallTime, wallTimeAt } from '../../../../../src/primitives/time.ts'
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

/** Sends a test event and opens its delivery, which shows the response. */
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
      showErrorToast('Could not send the test event', reasonOf(error))
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
    // The worker creates the deliveries shortly after, without an event that refreshes the list.
    for (const after_ms of [2_000, 6_000]) setTimeout(() => void refresh(), after_ms)
    showToast('Replay started', 'Events keep their webhook-id.')
    return undefined
  }
  return (
    <FormDialog
      trigger="Replay"
      title="Replay events"
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
        hint={`In ${timezone}. Events are available for 90 days.`}
      />
      <p className="mt-4 text-muted">
        All events that the endpoint is subscribed to are sent again, including those already
        delivered. Use the unchanged webhook-id to detect duplicates.
      </p>
    </FormDialog>
  )
}

/** The format of a datetime-local input: 2026-11-15T09:30. */
function wallText(at_ms: number, timezone: string): string {
  return new Date(wallTimeAt(at_ms, timezone)).toISOString().slice(0, 16)
}

export function SwitchEndpoint({ endpoint }: ActionProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const enabled = endpoint.status === 'enabled'
  const toggle = async () => {
    await florin.webhookEndpoints.update(endpoint.id, { status: enabled ? 'disabled' : 'enabled' })
    await refresh()
    showToast(enabled ? 'Endpoint disabled' : 'Endpoint enabled')
  }
  if (!enabled) {
    return (
      <ConfirmDialog
        trigger="Enable"
        title="Enable this endpoint?"
        action="Enable endpoint"
        action_tone="primary"
        onConfirm={toggle}
      >
        It receives events from now on. Use Replay to send the missed ones.
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      trigger="Disable"
      title="Disable this endpoint?"
      action="Disable endpoint"
      onConfirm={toggle}
    >
      It receives no more events, and pending deliveries are canceled. You can re-enable it later.
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
    showToast('Endpoint deleted', 'You can still view its deliveries.')
  }
  return (
    <ConfirmDialog
      trigger="Delete"
      tone="danger"
      title="Delete this endpoint?"
      action="Delete endpoint"
      onConfirm={remove}
    >
      {endpoint.url} receives no more events, and its signing secret is deleted. This cannot be
      undone.
    </ConfirmDialog>
  )
}
