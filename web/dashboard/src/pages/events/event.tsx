import { getRouteApi } from '@tanstack/react-router'
import type { FlorinEvent } from '../../api/api-types.ts'
import { useAccountId, useApiQuery, useUser } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { Failure } from '../../parts/failure.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { When } from '../../parts/when.tsx'
import { SendEventCommand } from '../webhooks/delivery-commands.tsx'
import { DeliveryList } from '../webhooks/delivery-list.tsx'
import { ObjectLink } from './object-link.tsx'

const route = getRouteApi('/shell/events/$id')

export function EventPage() {
  const { id } = route.useParams()
  const account = useAccountId()
  if (account === undefined) return <ChooseAccount title="Event" what="Events" />
  return <EventOf key={id} id={id} />
}

function EventOf({ id }: { id: string }) {
  const event = useApiQuery(['events', id], (florin, signal) => florin.events.get(id, { signal }))
  if (event.isPending) return <LoadingPage />
  if (event.isLoadingError) {
    return (
      <>
        <BackLink to="/events">Events</BackLink>
        <PageHeader title="Event" />
        <Failure error={event.error} retry={() => event.refetch()} />
      </>
    )
  }
  return <EventView event={event.data} />
}

function EventView({ event }: { event: FlorinEvent }) {
  const may_see_deliveries = useUser().may.includes('manage_webhooks')
  return (
    <>
      <BackLink to="/events">Events</BackLink>
      <PageHeader title={event.type} />
      <div
        className="grid grid-cols-1 items-start gap-4
 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
      >
        <Card title="Data" className="lg:row-span-2">
          <JsonView value={event.data} label="Object at the time of the event" />
        </Card>
        <Card title="Details" className="max-lg:order-first">
          <Facts facts={factsOf(event)} />
        </Card>
        {may_see_deliveries && (
          <Card title="Deliveries">
            <DeliveryList
              event_id={event.id}
              empty={{
                title: 'No deliveries',
                text: 'No webhook endpoint was subscribed to this event when it occurred.',
                action: <SendEventCommand event={event} />,
              }}
            />
          </Card>
        )}
      </div>
    </>
  )
}

function factsOf(event: FlorinEvent): [string, React.ReactNode][] {
  return [
    ['ID', <ShortId key="id" id={event.id} copy />],
    ['Object', <ObjectLink key="object" id={event.data.id} />],
    [
      'Sequence',
      <span key="sequence" className="figures">
        {event.sequence}
      </span>,
    ],
    ['Account', <ShortId key="account" id={event.account_id} copy />],
    ['Created', <When key="at" at={event.created_at} absolute />],
  ]
}
