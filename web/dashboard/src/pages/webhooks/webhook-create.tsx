import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { EventFilter } from '../../../../../client/src/florin.ts'
import { useFlorin, useMode, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { EventPicker } from './event-picker.tsx'

interface CreateEndpointProps {
  /** Whether a link to the form was followed, and what removes it from the URL. */
  starts_open: boolean
  onOpenChange: (open: boolean) => void
}

export function CreateEndpoint(shown: CreateEndpointProps) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState(['*'])
  const create = async () => {
    const created = await florin.webhookEndpoints.create({
      url: url.trim(),
      events: events as EventFilter[],
    })
    // Not awaited: the secret is shown only once and must not wait for the list to reload.
    void refresh()
    return (
      <SecretOnce name="Signing secret" secret={created.secret}>
        Use it to verify deliveries with any Standard Webhooks library.{' '}
        <Link to="/webhooks/$id" params={{ id: created.id }} className="text-brand underline">
          View endpoint
        </Link>
      </SecretOnce>
    )
  }
  return (
    <FormDialog
      trigger="Add endpoint"
      {...shown}
      tone="primary"
      title="Add webhook endpoint"
      action="Add endpoint"
      disabled={url.trim() === '' || events.length === 0}
      onOpen={() => {
        setUrl('')
        setEvents(['*'])
      }}
      onSubmit={create}
    >
      <div className="flex flex-col gap-4">
        <UrlField value={url} onChange={setUrl} />
        <EventPicker value={events} onChange={setEvents} />
      </div>
    </FormDialog>
  )
}

export function UrlField(props: { value: string; onChange: (url: string) => void }) {
  const sandbox = useMode() === 'sandbox'
  return (
    <Field
      label="URL"
      type="url"
      inputMode="url"
      autoComplete="off"
      placeholder="https://example.com/webhooks"
      hint={
        sandbox
          ? 'HTTPS, or HTTP on localhost if Florin runs on the same machine.'
          : 'HTTPS, reachable from the internet.'
      }
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}
