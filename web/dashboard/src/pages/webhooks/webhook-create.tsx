import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { EventFilter } from '../../../../../client/src/florin.ts'
import { useFlorin, useMode, useRefresh } from '../../api/use-florin.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { EventPicker } from './event-picker.tsx'

export function CreateEndpoint() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState(['*'])
  const create = async () => {
    const made = await florin.webhookEndpoints.create({
      url: url.trim(),
      events: events as EventFilter[],
    })
    // Not waited for: the secret is told this once, however long the page takes to follow.
    void refresh()
    return (
      <SecretOnce name="Signing secret" secret={made.secret}>
        Your server checks each delivery with it, by any library for Standard Webhooks.{' '}
        <Link to="/webhooks/$id" params={{ id: made.id }} className="text-brand underline">
          Open the endpoint
        </Link>
      </SecretOnce>
    )
  }
  return (
    <FormDialog
      trigger="Add endpoint"
      tone="primary"
      title="Add a webhook endpoint"
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
          ? 'https, or http on localhost while Florin runs there too.'
          : 'https, and reachable from the internet.'
      }
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}
