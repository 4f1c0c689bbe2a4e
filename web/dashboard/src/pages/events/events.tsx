import { getRouteApi } from '@tanstack/react-router'
import type { EventFilter } from '../../../../../client/src/florin.ts'
import type { FlorinEvent } from '../../api/api-types.ts'
import { useIsLive } from '../../api/live.ts'
import { useAccountId, useCount, useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { EventName } from '../../parts/event-name.tsx'
import { FilterBar } from '../../parts/filters.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId, shortenId } from '../../parts/short-id.tsx'
import { When } from '../../parts/when.tsx'
import { FirstPayment } from '../transactions/first-payment.tsx'
import { EventTypeFilter } from './event-type-filter.tsx'

const route = getRouteApi('/shell/events')

const columns: Column<FlorinEvent>[] = [
  { name: 'Event', cell: (row) => <EventName of={row.type} /> },
  { name: 'Object', from: 'md', cell: (row) => <ShortId id={row.data.id} copy /> },
  {
    name: 'Sequence',
    from: 'md',
    align: 'right',
    cell: (row) => <span className="figures text-muted">{row.sequence}</span>,
  },
  {
    name: 'Created',
    time: true,
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

export function EventsPage() {
  const { type } = route.useSearch()
  const account = useAccountId()
  if (account === undefined) return <ChooseAccount title="Events" what="Events" />
  return <Events type={type} />
}

function Events({ type }: { type: string | undefined }) {
  const navigate = route.useNavigate()
  const set = (value: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, type: value }), replace: true })
  const query = useList(['events', { type }], (florin, page, signal) =>
    florin.events.list({ type: type as EventFilter, ...page }, { signal }),
  )
  const total = useCount(['events', { type }], (florin, signal) =>
    florin.events.count({ type: type as EventFilter }, { signal }),
  )
  return (
    <>
      <PageHeader title="Events" actions={<LiveMark />} />
      <FilterBar clear={type === undefined ? undefined : () => set(undefined)}>
        <EventTypeFilter value={type} onChange={set} />
      </FilterBar>
      <Card>
        <DataList
          label="Events"
          query={query}
          columns={columns}
          name={(row) => row.data.id}
          total={total}
          folded={(row) => `${shortenId(row.data.id)} · #${row.sequence}`}
          link={(row) => ({ to: '/events/$id', params: { id: row.id } })}
          empty={type === undefined ? none_yet : nothing_matches}
        />
      </Card>
    </>
  )
}

/** Shows whether new events appear automatically. */
function LiveMark() {
  const is_live = useIsLive()
  return (
    <span role="status" className="inline-flex min-h-9 items-center gap-2 text-muted">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${is_live ? 'bg-brand' : 'bg-line-strong'}`}
      />
      {is_live ? 'Live' : 'Disconnected. Reload to see new events.'}
    </span>
  )
}

const nothing_matches = {
  title: 'No events of this type yet',
  text: 'New events appear here automatically. Clear the filter to see all events.',
}

const none_yet = {
  title: 'No events yet',
  text: 'Every change to the account appears here for 90 days.',
  action: <FirstPayment />,
}
