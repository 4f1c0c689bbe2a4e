import { useState } from 'react'
import type { EventFilter } from '../../../../../client/src/florin.ts'
import type { WebhookEndpoint } from '../../api/api-types.ts'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import { EventPicker } from './event-picker.tsx'
import { UrlField } from './webhook-create.tsx'

export function EditEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [url, setUrl] = useState(endpoint.url)
  const [events, setEvents] = useState(endpoint.events)
  const save = async () => {
    await florin.webhookEndpoints.update(endpoint.id, {
      url: url.trim(),
      events: events as EventFilter[],
    })
    await refresh()
    showToast('Endpoint updated', 'The change applies from the next event on.')
    return undefined
  }
  return (
    <FormDialog
      trigger="Edit"
      title="Edit webhook endpoint"
      action="Save"
      disabled={url.trim() === '' || events.length === 0}
      onOpen={() => {
        setUrl(endpoint.url)
        setEvents(endpoint.events)
      }}
      onSubmit={save}
    >
      <div className="flex flex-col gap-4">
        <UrlField value={url} onChange={setUrl} />
        <EventPicker value={events} onChange={setEvents} />
      </div>
    </FormDialog>
  )
}
