import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { WebhookEndpoint } from '../../api/api-types.ts'
import { useAccountId, useApiQuery, useRefresh } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { useInterval } from '../../parts/use-interval.ts'
import { When } from '../../parts/when.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { SendTestCommand } from './delivery-commands.tsx'
import { DeleteEndpoint, ReplayEvents, SendTest, SwitchEndpoint } from './webhook-actions.tsx'
import { EditEndpoint } from './webhook-edit.tsx'
import { RotateSecret } from './webhook-rotate.tsx'
import { EndpointStatus, eventsText } from './webhooks.tsx'

const route = getRouteApi('/shell/webhooks/$id')

export function WebhookPage() {
  const { id } = route.useParams()
  const account = useAccountId()
  if (account === undefined) return <ChooseAccount title="Webhook endpoint" what="Webhooks" />
  return <EndpointOf key={id} id={id} />
}

function EndpointOf({ id }: { id: string }) {
  const endpoint = useApiQuery(['webhook endpoints', id], (florin, signal) =>
    florin.webhookEndpoints.get(id, { signal }),
  )
  const refresh = useRefresh()
  const replaying = endpoint.data?.replay != null
  // Shows the progress of a replay, and refreshes once more when it ends.
  useInterval(refresh, 2_000, replaying)
  const refreshOnce = useEffectEvent(() => void refresh())
  useEffect(() => (replaying ? () => refreshOnce() : undefined), [replaying])
  if (endpoint.isPending) return <LoadingPage />
  if (endpoint.isLoadingError) {
    return (
      <>
        <BackLink to="/webhooks">Webhooks</BackLink>
        <PageHeader title="Webhook endpoint" />
        <Failure error={endpoint.error} retry={() => endpoint.refetch()} />
      </>
    )
  }
  return <EndpointView endpoint={endpoint.data} />
}

function EndpointView({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const enabled = endpoint.status === 'enabled'
  return (
    <>
      <BackLink to="/webhooks">Webhooks</BackLink>
      <PageHeader
        title={endpoint.url}
        actions={
          <>
            {enabled && <SendTest endpoint={endpoint} />}
            {enabled && <ReplayEvents endpoint={endpoint} />}
            <EditEndpoint endpoint={endpoint} />
          </>
        }
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 text-lg wrap-anywhere">{endpoint.url}</span>
          <EndpointStatus of={endpoint} />
        </span>
      </PageHeader>
      <FailureBanner endpoint={endpoint} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Card title="Details">
          <Facts facts={factsOf(endpoint)} />
        </Card>
        <Card
          title="Signing secret"
          action={
            <div className="-my-2">
              <RotateSecret endpoint={endpoint} />
            </div>
          }
        >
          <Facts facts={secretsOf(endpoint)} />
        </Card>
      </div>
      <DeliveriesCard
        className="mt-4"
        endpoint_id={endpoint.id}
        status={status}
        onStatus={(value) =>
          void navigate({ search: (before) => ({ ...before, status: value }), replace: true })
        }
        empty={{
          title: 'No deliveries yet',
          text: 'New events are sent from now on. Send a test event to check the endpoint:',
          action: <SendTestCommand endpoint_id={endpoint.id} />,
        }}
      />
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <SwitchEndpoint endpoint={endpoint} />
        <DeleteEndpoint endpoint={endpoint} />
      </div>
    </>
  )
}

const reasons = {
  manual: 'This endpoint is disabled and receives no events.',
  gone: 'Disabled because the endpoint returned 410 Gone. Re-enable it when it is back.',
  failing:
    'Disabled after failing for several days. Fix your endpoint, then re-enable it and replay ' +
    'the missed events.',
  closed: 'Disabled because the account is closed. Its last events were sent.',
}

function FailureBanner({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { disabled_reason, failing_since } = endpoint
  if (disabled_reason !== null) {
    return (
      <p className="mb-4 rounded-lg bg-amber-soft p-3 font-medium text-amber">
        {reasons[disabled_reason]}
      </p>
    )
  }
  if (failing_since === null) return null
  return (
    <p className="mb-4 rounded-lg bg-red-soft p-3 font-medium text-red">
      All deliveries have failed since <When at={failing_since} absolute />. Check the response of
      the latest delivery.
    </p>
  )
}

function factsOf(endpoint: WebhookEndpoint): [string, React.ReactNode][] {
  const { id, events, replay, created_at, updated_at } = endpoint
  const facts: [string, React.ReactNode][] = [
    ['ID', <ShortId key="id" id={id} copy />],
    ['Events', eventsText(events)],
    ['Created', <When key="created" at={created_at} absolute />],
    ['Updated', <When key="updated" at={updated_at} absolute />],
  ]
  if (replay === null) return facts
  const left = replay.through - replay.after
  return [...facts, ['Replay', `In progress: ${left} events left`]]
}

function secretsOf(endpoint: WebhookEndpoint): [string, React.ReactNode][] {
  const until = endpoint.previous_secret_expires_at
  const current: [string, React.ReactNode] = ['Current', 'Signs every delivery']
  if (until === null) return [['Active', '1 secret'], current]
  return [
    ['Active', '2 secrets'],
    current,
    [
      'Previous',
      <span key="previous">
        Expires <When at={until} absolute />
      </span>,
    ],
  ]
}
