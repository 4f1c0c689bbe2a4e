import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { EventFilter } from '../../../../../client/src/florin.ts'
import type { FlorinEvent } from '../../api/shapes.ts'
import { useAccountId, useList } from '../../api/use-florin.ts'
import { buttonClass } from '../../parts/button.tsx'
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
import { useEventTail } from './use-event-tail.ts'

const route = getRouteApi('/shell/events')

const columns: Column<FlorinEvent>[] = [
  { name: 'Event', cell: (row) => <EventName of={row.type} /> },
  { name: 'About', from: 'md', cell: (row) => <ShortId id={row.data.id} copy /> },
  {
    name: 'Number',
    from: 'md',
    align: 'right',
    cell: (row) => <span className="figures text-muted">{row.sequence}</span>,
  },
  {
    name: 'Happened',
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
  // A list for each filter: what was followed under one does not belong under another.
  return <Events key={`${account} ${type}`} type={type} />
}

function Events({ type }: { type: string | undefined }) {
  const [live, setLive] = useState(false)
  const navigate = route.useNavigate()
  const set = (wanted: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, type: wanted }), replace: true })
  const listed = useList(['events', { type }], (florin, page, signal) =>
    florin.events.list({ type: type as EventFilter, ...page }, { signal }),
  )
  const { query, fault } = useEventTail(listed, { type, live })
  return (
    <>
      <PageHeader title="Events" actions={<LiveSwitch live={live} onChange={setLive} />} />
      <FilterBar clear={type === undefined ? undefined : () => set(undefined)}>
        <EventTypeFilter value={type} onChange={set} />
      </FilterBar>
      {fault && (
        <p role="alert" className="mb-4 rounded-lg bg-red-soft p-3 text-red">
          New events stopped coming: {fault.message} Switch Live off and on to follow again.
        </p>
      )}
      <Card>
        <DataList
          label="Events"
          query={query}
          columns={columns}
          folded={(row) => `${shortenId(row.data.id)} · number ${row.sequence}`}
          link={(row) => ({ to: '/events/$id', params: { id: row.id } })}
          empty={type === undefined ? none_yet : nothing_matches}
        />
      </Card>
    </>
  )
}

function LiveSwitch({ live, onChange }: { live: boolean; onChange: (live: boolean) => void }) {
  return (
    <button
      type="button"
      aria-pressed={live}
      onClick={() => onChange(!live)}
      className={buttonClass(live ? 'primary' : 'plain')}
    >
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${live ? 'animate-pulse bg-on-brand' : 'bg-line-strong'}`}
      />
      {live ? 'Following live' : 'Follow live'}
    </button>
  )
}

const nothing_matches = {
  title: 'No event of this kind yet.',
  text: 'Clear the filter to see all, or follow live and wait for one.',
}

const none_yet = {
  title: 'No events yet.',
  text: 'Whatever happens to the account is told here, for 90 days. This makes some:',
  action: <FirstPayment />,
}
