import { getRouteApi } from '@tanstack/react-router'
import type { RequestLogEntry } from '../../api/api-types.ts'
import { useAccountId, useApiQuery, useMode } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { BodyView } from '../../parts/body-view.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { Failure } from '../../parts/failure.tsx'
import { durationText, HttpStatus } from '../../parts/http-status.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { When } from '../../parts/when.tsx'
import { ObjectLink } from '../events/object-link.tsx'
import { findRequest } from './find-request.ts'
import { RequestAsCurl } from './request-as-curl.tsx'
import { callerText } from './requests.tsx'

const route = getRouteApi('/shell/requests/$id')

export function RequestPage() {
  const { id } = route.useParams()
  const account = useAccountId()
  if (account === undefined) return <ChooseAccount title="Request" what="Requests" />
  return <RequestOf key={id} id={id} />
}

function RequestOf({ id }: { id: string }) {
  const entry = useApiQuery(['requests', id], async (florin, signal) => {
    // The query cache does not accept undefined.
    return (await findRequest(florin, id, signal)) ?? null
  })
  if (entry.isPending) return <LoadingPage />
  if (entry.isLoadingError || entry.data === null) {
    return (
      <>
        <BackLink to="/requests">Request log</BackLink>
        <PageHeader title="Request" />
        <Failure error={entry.error ?? gone} retry={() => entry.refetch()} />
      </>
    )
  }
  return <RequestView entry={entry.data} />
}

const gone = new Error('This request is no longer in the log. Requests are kept for 7 days.')

function RequestView({ entry }: { entry: RequestLogEntry }) {
  return (
    <>
      <BackLink to="/requests">Request log</BackLink>
      <PageHeader title={`${entry.method} ${entry.path}`}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 font-mono text-base wrap-anywhere">
            <span className="text-muted">{entry.method}</span> {entry.path}
          </span>
          <HttpStatus of={entry.status} />
        </span>
      </PageHeader>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <Card title="Details">
            <Facts facts={factsOf(entry)} />
          </Card>
          <Card title="Request">
            <Body text={entry.request_body} label="Request body" />
          </Card>
        </div>
        <div className="grid min-w-0 gap-4">
          <RequestAsCurl entry={entry} />
          <Card title="Response" action={<HttpStatus of={entry.status} />}>
            <Body text={entry.response_body} label="Response body" />
          </Card>
        </div>
      </div>
    </>
  )
}

function Body({ text, label }: { text: string | null; label: string }) {
  const sandbox = useMode() === 'sandbox'
  if (text !== null) return <BodyView text={text} label={label} />
  return (
    <p className="text-muted">
      {sandbox ? 'No body was logged.' : 'Bodies are not logged in live mode.'}
    </p>
  )
}

function factsOf(entry: RequestLogEntry): [string, React.ReactNode][] {
  return [
    ['Request ID', <ShortId key="id" id={entry.id} copy />],
    ['Time', <When key="at" at={entry.created_at} absolute />],
    ['Duration', durationText(entry.duration_ms)],
    [
      'Caller',
      <span key="by" className="inline-flex flex-wrap items-center justify-end gap-x-2">
        {callerText(entry)} <ObjectLink id={entry.caller.id} />
      </span>,
    ],
    ['Idempotency-Key', entry.idempotency_key ? 'Sent' : 'None'],
    ['Error', entry.error ?? 'None'],
  ]
}
