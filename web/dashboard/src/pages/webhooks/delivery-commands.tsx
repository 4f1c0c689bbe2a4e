// The lines that fill an empty list of deliveries.

import type { FlorinEvent } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { CurlLine } from '../../parts/curl-line.tsx'

/** An account has twenty at the most, so one page is all. */
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

/** An endpoint that listens now gets it by a replay, with all that came after it. */
export function SendEventCommand({ event }: { event: FlorinEvent }) {
  const endpoints = useEndpoints()
  if (endpoints.data === undefined) return null
  const listening = endpoints.data.data.find(({ status }) => status === 'enabled')
  if (listening === undefined) {
    return (
      <>
        <p className="max-w-md text-muted">Add one, then replay what it missed:</p>
        <AddEndpointCommand />
      </>
    )
  }
  return (
    <>
      <p className="max-w-md text-muted">Send it now, with all that came after it:</p>
      <CurlLine
        path={`/v1/webhook_endpoints/${listening.id}/replay`}
        body={{ after: event.sequence - 1 }}
        token="FLORIN_TOKEN"
      />
    </>
  )
}
