// Curl commands for empty lists of deliveries.

import type { FlorinEvent } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { CurlLine } from '../../parts/curl-line.tsx'

/** An account has at most 20 endpoints, so one page holds all. */
export function useEndpoints() {
  return useApiQuery(['webhook endpoints', 'all'], (florin, signal) =>
    florin.webhookEndpoints.list({ limit: 100 }, { signal }),
  )
}

export function AddEndpointCommand() {
  return (
    <CurlLine
      path="/v1/webhook_endpoints"
      body={{ url: 'https://example.com/webhooks', events: ['*'] }}
      token="FLORIN_TOKEN"
    />
  )
}

export function SendTestCommand({ endpoint_id }: { endpoint_id: string }) {
  return <CurlLine path={`/v1/webhook_endpoints/${endpoint_id}/test`} token="FLORIN_TOKEN" />
}

/** A replay sends the event, and all later ones, to an endpoint that is enabled now. */
export function SendEventCommand({ event }: { event: FlorinEvent }) {
  const endpoints = useEndpoints()
  if (endpoints.data === undefined) return null
  const enabled = endpoints.data.data.find(({ status }) => status === 'enabled')
  if (enabled === undefined) {
    return (
      <>
        <p className="max-w-md text-muted">Add an endpoint, then replay the missed events:</p>
        <AddEndpointCommand />
      </>
    )
  }
  return (
    <>
      <p className="max-w-md text-muted">Send this event and all later ones now:</p>
      <CurlLine
        path={`/v1/webhook_endpoints/${enabled.id}/replay`}
        body={{ after: event.sequence - 1 }}
        token="FLORIN_TOKEN"
        open
      />
    </>
  )
}
