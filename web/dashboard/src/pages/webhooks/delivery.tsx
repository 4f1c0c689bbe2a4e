import { getRouteApi, Link } from '@tanstack/react-router'
import type { WebhookDelivery } from '../../api/api-types.ts'
import { useAccountId, useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink, backClass } from '../../parts/back-link.tsx'
import { BodyView } from '../../parts/body-view.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { EventName } from '../../parts/event-name.tsx'
import { Failure } from '../../parts/failure.tsx'
import { durationText, HttpStatus } from '../../parts/http-status.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'
import { ObjectLink } from '../events/object-link.tsx'
import { DeliveryAttempts } from './delivery-attempts.tsx'
import { usePollDeliveries } from './poll-deliveries.ts'

const route = getRouteApi('/shell/webhooks/deliveries/$id')

export function DeliveryPage() {
  const { id } = route.useParams()
  const account = useAccountId()
  if (account === undefined) return <ChooseAccount title="Delivery" what="Deliveries" />
  return <DeliveryOf key={id} id={id} />
}

function DeliveryOf({ id }: { id: string }) {
  const delivery = useApiQuery(['webhook deliveries', id], (florin, signal) =>
    florin.webhookDeliveries.get(id, { signal }),
  )
  usePollDeliveries(delivery.data ? [delivery.data] : [], () => delivery.refetch())
  if (delivery.isPending) return <LoadingPage />
  if (delivery.isLoadingError) {
    return (
      <>
        <BackLink to="/webhooks">Webhooks</BackLink>
        <PageHeader title="Delivery" />
        <Failure error={delivery.error} retry={() => delivery.refetch()} />
      </>
    )
  }
  return <DeliveryView delivery={delivery.data} />
}

function DeliveryView({ delivery }: { delivery: WebhookDelivery }) {
  const { request, response } = delivery
  return (
    <>
      <p className="mb-1">
        <Link to="/webhooks/$id" params={{ id: delivery.endpoint_id }} className={backClass}>
          Webhooks
        </Link>
      </p>
      <PageHeader
        title={`Delivery of ${delivery.event_type}`}
        actions={<RetryDelivery delivery={delivery} />}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0">
            <EventName of={delivery.event_type} />
          </span>
          <Status of={delivery.status} />
        </span>
      </PageHeader>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <Card title="Details">
            <Facts facts={factsOf(delivery)} />
          </Card>
          <Card title="Response" action={response && <HttpStatus of={response.status} />}>
            <DeliveryResponse of={delivery} />
          </Card>
        </div>
        <div className="grid min-w-0 gap-4">
          <Card title="Attempts">
            <DeliveryAttempts delivery={delivery} />
          </Card>
          <Card title="Request">{request ? <RequestSent of={request} /> : <NoRequest />}</Card>
        </div>
      </div>
    </>
  )
}

function RetryDelivery({ delivery }: { delivery: WebhookDelivery }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const retry = async () => {
    await florin.webhookDeliveries.retry(delivery.id)
    await refresh()
    showToast('Resending the delivery')
  }
  return (
    <ConfirmDialog
      trigger="Resend"
      title="Resend this delivery?"
      action="Resend"
      action_tone="primary"
      onConfirm={retry}
    >
      It is sent immediately with the same webhook-id. If it fails, it is retried on the usual
      schedule.
    </ConfirmDialog>
  )
}

function DeliveryResponse({ of: { response, error } }: { of: WebhookDelivery }) {
  if (response === null) return <p className="text-muted">{error ?? 'No response yet'}</p>
  return (
    <>
      <BodyView text={response.body} label="Response body" />
      <p className="mt-3 text-xs text-muted">Only the first 4 KiB are stored.</p>
    </>
  )
}

function RequestSent({ of: request }: { of: NonNullable<WebhookDelivery['request']> }) {
  const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <p className="mb-3 font-mono text-xs wrap-anywhere">POST {request.url}</p>
      <BodyView text={lines.join('\n')} label="Request headers" />
      <p className="mt-2 mb-4 text-xs text-muted">
        The webhook-signature header is generated per attempt and not stored.
      </p>
      <BodyView text={request.body} label="Request body" />
    </>
  )
}

function NoRequest() {
  return <p className="text-muted">The event is older than 90 days and was deleted.</p>
}

function factsOf(delivery: WebhookDelivery): [string, React.ReactNode][] {
  const { last_attempt_at, next_attempt_at, duration_ms } = delivery
  const is_test = delivery.event_sequence === null
  return [
    ['ID', <ShortId key="id" id={delivery.id} copy />],
    [
      'Event',
      is_test ? (
        <ShortId key="event" id={delivery.event_id} copy />
      ) : (
        <ObjectLink key="event" id={delivery.event_id} />
      ),
    ],
    ['Endpoint', <ObjectLink key="endpoint" id={delivery.endpoint_id} />],
    ['Created', <When key="created" at={delivery.created_at} absolute />],
    ['Last attempt', last_attempt_at ? <When key="last" at={last_attempt_at} absolute /> : '—'],
    ['Attempts', delivery.attempts],
    ['Duration', duration_ms === null ? '—' : durationText(duration_ms)],
    ['Next attempt', next_attempt_at ? <When key="next" at={next_attempt_at} absolute /> : 'None'],
  ]
}
