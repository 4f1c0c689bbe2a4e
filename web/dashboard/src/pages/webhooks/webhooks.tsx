import { getRouteApi, Link } from '@tanstack/react-router'
import type { WebhookEndpoint } from '../../api/api-types.ts'
import { useAccountId, useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Status } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { AddEndpointCommand, SendTestCommand } from './delivery-commands.tsx'
import { CreateEndpoint } from './webhook-create.tsx'

const route = getRouteApi('/shell/webhooks')

const columns: Column<WebhookEndpoint>[] = [
  {
    name: 'URL',
    cell: (row) => (
      <span className="line-clamp-1 break-all max-md:line-clamp-none" title={row.url}>
        {row.url}
      </span>
    ),
  },
  { name: 'Status', cell: (row) => <EndpointStatus of={row} /> },
  {
    name: 'Events',
    from: 'md',
    cell: (row) => (
      <TruncatedText
        text={eventsText(row.events)}
        title={row.events.join(', ')}
        look="text-muted"
      />
    ),
  },
  {
    name: 'Created',
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} real />
      </span>
    ),
  },
]

export function WebhooksPage() {
  const account = useAccountId()
  if (account === undefined) return <ChooseAccount title="Webhooks" what="Webhooks" />
  return <Webhooks key={account} />
}

function Webhooks() {
  const { status, health, create } = route.useSearch()
  const navigate = route.useNavigate()
  const forgetLink = (open: boolean) =>
    void (
      open || navigate({ search: (before) => ({ ...before, create: undefined }), replace: true })
    )
  const query = useList(['webhook endpoints', health], (florin, page, signal) =>
    florin.webhookEndpoints.list({ health, ...page }, { signal }),
  )
  const first = query.data?.pages[0]?.data[0]
  return (
    <>
      <PageHeader
        title="Webhooks"
        actions={<CreateEndpoint starts_open={create === 'yes'} onOpenChange={forgetLink} />}
      />
      <Card title="Endpoints" action={health && <AllEndpoints health={health} />}>
        <DataList
          label="Webhook endpoints"
          query={query}
          columns={columns}
          folded={(row) => eventsText(row.events)}
          link={(row) => ({ to: '/webhooks/$id', params: { id: row.id } })}
          empty={health === undefined ? none_yet : none_unhealthy}
        />
      </Card>
      {first && (
        <DeliveriesCard
          className="mt-4"
          status={status}
          onStatus={(value) =>
            void navigate({ search: (before) => ({ ...before, status: value }), replace: true })
          }
          empty={{
            title: 'No deliveries yet',
            text: 'New events are sent from now on. Send a test event to check the endpoint:',
            action: <SendTestCommand endpoint_id={first.id} />,
          }}
        />
      )}
    </>
  )
}

/** Shown when a link from Home filtered the endpoints. */
function AllEndpoints({ health }: { health: 'failing' | 'disabled' }) {
  return (
    <span className="text-muted">
      {health === 'failing' ? 'Failing only' : 'Disabled only'} ·{' '}
      <Link to="/webhooks" className="font-semibold text-brand hover:underline">
        Show all
      </Link>
    </span>
  )
}

/** Shows "Failing" for an enabled endpoint whose deliveries fail. */
export function EndpointStatus({ of: endpoint }: { of: WebhookEndpoint }) {
  const failing = endpoint.status === 'enabled' && endpoint.failing_since !== null
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Status of={failing ? 'failed' : endpoint.status} label={failing ? 'Failing' : undefined} />
    </span>
  )
}

export function eventsText(events: string[]): string {
  return events.includes('*') ? 'All events' : events.join(', ')
}

const none_unhealthy = {
  title: 'No endpoints need attention',
  text: 'Choose “Show all” to see all endpoints.',
}

const none_yet = {
  title: 'No webhook endpoints yet',
  text: 'Florin sends events to your server. Add an endpoint above.',
  action: <AddEndpointCommand />,
}
