import type { ReactNode } from 'react'
import type { ListedWebhookDelivery } from '../../api/api-types.ts'
import { type DeliveryStatus, statusQuery } from '../../api/developer-filters.ts'
import { useCount, useList } from '../../api/use-florin.ts'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { EventName } from '../../parts/event-name.tsx'
import { durationText, HttpStatus } from '../../parts/http-status.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { useEndpoints } from './delivery-commands.tsx'
import { usePollDeliveries } from './poll-deliveries.ts'

interface DeliveryListProps {
  endpoint_id?: string
  event_id?: string
  status?: DeliveryStatus | undefined
  empty: { title: string; text: string; action?: ReactNode }
}

export function DeliveryList({ empty, status, ...of }: DeliveryListProps) {
  const { endpoint_id, event_id } = of
  const filters = { ...of, status: statusQuery(status) }
  const query = useList(['webhook deliveries', filters], (florin, page, signal) =>
    florin.webhookDeliveries.list({ ...filters, ...page }, { signal }),
  )
  const total = useCount(['webhook deliveries', filters], (florin, signal) =>
    florin.webhookDeliveries.count(filters, { signal }),
  )
  const rows = query.data?.pages.flatMap((page) => page.data) ?? []
  // Does not poll when several pages are loaded: each poll would refetch all of them.
  usePollDeliveries(query.data?.pages.length === 1 ? rows : [], () => query.refetch())
  return (
    <DataList
      label="Deliveries"
      query={query}
      columns={
        event_id !== undefined
          ? columns_of_event
          : endpoint_id === undefined
            ? columns_of_all
            : columns
      }
      folded={(endpoint_id ?? event_id) ? folded : foldedOfAll}
      total={total}
      name={(row) => `${row.event_id}, ${row.status}`}
      link={(row) => ({ to: '/webhooks/deliveries/$id', params: { id: row.id } })}
      empty={empty}
    />
  )
}

const columns: Column<ListedWebhookDelivery>[] = [
  { name: 'Event', cell: (row) => <EventName of={row.event_type} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Response', from: 'md', cell: (row) => <LastResponse of={row} /> },
  {
    name: 'Attempts',
    from: 'md',
    align: 'right',
    cell: (row) => <span className="figures">{row.attempts}</span>,
  },
  { name: 'Next attempt', from: 'xl', align: 'right', cell: (row) => <NextAttempt of={row} /> },
  {
    name: 'Created',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} real />
      </span>
    ),
  },
]

// Endpoints may receive the same events, so the URL shows which one is failing.
const columns_of_all: Column<ListedWebhookDelivery>[] = [
  {
    name: 'Event',
    // The minimum width keeps it to two lines next to a long URL.
    cell: (row) => (
      <div className="md:min-w-44">
        <EventName of={row.event_type} />
      </div>
    ),
  },
  {
    name: 'Endpoint',
    from: 'md',
    cell: (row) => (
      <div className="min-w-32 text-muted">
        <EndpointUrl id={row.endpoint_id} />
      </div>
    ),
  },
  ...columns.slice(1),
]

// All rows have the same event, so the endpoint is the first column.
const columns_of_event: Column<ListedWebhookDelivery>[] = [
  { name: 'Endpoint', cell: (row) => <EndpointUrl id={row.endpoint_id} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Response', from: 'md', align: 'right', cell: (row) => <LastResponse of={row} /> },
]

/** Shows the id of a deleted endpoint, which has no URL. */
function EndpointUrl({ id }: { id: string }) {
  const url = useEndpoints().data?.data.find((one) => one.id === id)?.url
  if (url === undefined) return <ShortId id={id} />
  return (
    <span className="line-clamp-1 break-all max-md:line-clamp-2" title={url}>
      {url}
    </span>
  )
}

function LastResponse({ of: row }: { of: ListedWebhookDelivery }) {
  if (row.response_status === null) return <TruncatedText text={row.error} look="text-muted" />
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <HttpStatus of={row.response_status} />
      {row.duration_ms !== null && (
        <span className="figures text-muted">{durationText(row.duration_ms)}</span>
      )}
    </span>
  )
}

function NextAttempt({ of: row }: { of: ListedWebhookDelivery }) {
  if (row.next_attempt_at === null) return <span className="text-muted">—</span>
  return <When at={row.next_attempt_at} coming real />
}

function folded(row: ListedWebhookDelivery): ReactNode {
  const attempts = row.attempts === 1 ? '1 attempt' : `${row.attempts} attempts`
  const response = row.response_status === null ? row.error : `response ${row.response_status}`
  return (
    <>
      <When at={row.created_at} real /> · {[response, attempts].filter(Boolean).join(' · ')}
    </>
  )
}

function foldedOfAll(row: ListedWebhookDelivery): ReactNode {
  return (
    <>
      <EndpointUrl id={row.endpoint_id} />
      {folded(row)}
    </>
  )
}
