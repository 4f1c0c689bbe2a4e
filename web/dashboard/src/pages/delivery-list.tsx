import type { ReactNode } from 'react'
import type { DeliveryStatus } from '../api/developer-shapes.ts'
import type { ListedWebhookDelivery } from '../api/shapes.ts'
import { useList } from '../api/use-florin.ts'
import { type Column, DataList } from '../parts/data-list.tsx'
import { durationText, HttpStatus } from '../parts/http-status.tsx'
import { ShortId } from '../parts/short-id.tsx'
import { Status } from '../parts/status.tsx'
import { useRepeat } from '../parts/use-repeat.ts'
import { When } from '../parts/when.tsx'

interface DeliveryListProps {
  endpoint_id?: string
  event_id?: string
  status?: DeliveryStatus | undefined
  /** In half a page: without the columns that a wide one has room for. */
  narrow?: boolean
  empty: { title: string; text: string; action?: ReactNode }
}

// A first try takes a moment; a person who waits for it should not have to press anything.
const look_again_ms = 2_000

export function DeliveryList({ narrow = false, empty, ...filters }: DeliveryListProps) {
  const query = useList(['webhook deliveries', filters], (florin, page, signal) =>
    florin.webhookDeliveries.list({ ...filters, ...page }, { signal }),
  )
  const rows = query.data?.pages.flatMap((page) => page.data) ?? []
  // With more pages open, asking for all of them again and again would be dear.
  const waiting = (query.data?.pages.length ?? 0) === 1 && rows.some(isAboutToBeTried)
  useRepeat(() => query.refetch(), look_again_ms, waiting)
  return (
    <DataList
      label="Deliveries"
      query={query}
      columns={narrow ? columns.filter(({ from }) => from === undefined) : columns}
      folded={folded}
      link={(row) => ({ to: '/webhooks/deliveries/$id', params: { id: row.id } })}
      empty={empty}
    />
  )
}

/** Its next try is within seconds. One that waits for hours is not watched. */
export function isAboutToBeTried(delivery: ListedWebhookDelivery): boolean {
  const { status, next_attempt_at } = delivery
  if (status !== 'pending') return false
  return next_attempt_at === null || Date.parse(next_attempt_at) < Date.now() + 10_000
}

const columns: Column<ListedWebhookDelivery>[] = [
  { name: 'Event', cell: (row) => <span className="wrap-anywhere">{row.event_type}</span> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Answer', from: 'md', cell: (row) => <LastAnswer of={row} /> },
  {
    name: 'Tries',
    from: 'md',
    align: 'right',
    cell: (row) => <span className="figures">{row.attempts}</span>,
  },
  { name: 'Next try', from: 'lg', align: 'right', cell: (row) => <NextTry of={row} /> },
  { name: 'Id', from: 'lg', cell: (row) => <ShortId id={row.id} copy /> },
  {
    name: 'Taken up',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

function LastAnswer({ of: row }: { of: ListedWebhookDelivery }) {
  if (row.response_status === null) {
    if (row.error === null) return <span className="text-muted">—</span>
    return (
      <span className="block max-w-56 truncate text-muted" title={row.error}>
        {row.error}
      </span>
    )
  }
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <HttpStatus of={row.response_status} />
      {row.duration_ms !== null && (
        <span className="figures text-muted">{durationText(row.duration_ms)}</span>
      )}
    </span>
  )
}

function NextTry({ of: row }: { of: ListedWebhookDelivery }) {
  if (row.next_attempt_at === null) return <span className="text-muted">—</span>
  return <When at={row.next_attempt_at} />
}

function folded(row: ListedWebhookDelivery): string {
  const tries = row.attempts === 1 ? '1 try' : `${row.attempts} tries`
  const answer = row.response_status === null ? row.error : `answered ${row.response_status}`
  return [answer, tries].filter(Boolean).join(' · ')
}
