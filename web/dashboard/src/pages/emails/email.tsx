import { getRouteApi } from '@tanstack/react-router'
import type { Email } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize, Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { email_state_descriptions } from '../admin-labels.ts'
import { NamedLink } from '../audit/named-link.tsx'
import { SafeEmail } from './safe-email.tsx'

const route = getRouteApi('/shell/emails/$id')

export function EmailPage() {
  const { id } = route.useParams()
  const email = useApiQuery(['emails', id], (florin, signal) => florin.emails.get(id, { signal }))
  if (email.isPending) return <LoadingPage />
  if (email.isLoadingError) {
    return (
      <>
        <PageHeader title="Email" />
        <Failure error={email.error} retry={() => email.refetch()} />
      </>
    )
  }
  return <EmailView email={email.data} />
}

function EmailView({ email }: { email: Email }) {
  return (
    <>
      <BackLink to="/emails">Emails</BackLink>
      <PageHeader title={email.subject}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{email.subject}</span>
          <Status of={email.state} />
        </span>
      </PageHeader>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
        <Card title="Preview" className="lg:row-span-2">
          <SafeEmail html={email.html} label={`Preview of ${email.subject}`} />
        </Card>
        <Card title="Details">
          <Facts facts={factsOf(email)} />
        </Card>
        <Card title="Plain text" action={<CopyButton text={email.text} label="Copy text" />}>
          <p
            className="rounded-lg bg-canvas p-3.5 font-mono text-xs wrap-anywhere
 whitespace-pre-wrap"
          >
            {email.text}
          </p>
        </Card>
      </div>
    </>
  )
}

function factsOf(email: Email): [string, React.ReactNode][] {
  const sent: [string, React.ReactNode][] =
    email.sent_at === null ? [] : [['Sent', <When key="sent" at={email.sent_at} absolute />]]
  const error: [string, React.ReactNode][] =
    email.error === null ? [] : [['Last error', email.error]]
  const { account_id } = email
  const account: [string, React.ReactNode][] = account_id
    ? [['Account', <NamedLink key="account" id={account_id} />]]
    : []
  return [
    [
      'To',
      <span key="to" className="wrap-anywhere">
        {email.to}
      </span>,
    ],
    ['Type', humanize(email.kind)],
    ['State', <span key="state">{email_state_descriptions[email.state]}</span>],
    ['Created', <When key="created" at={email.created_at} absolute />],
    ...sent,
    ['Attempts', email.attempts],
    ...error,
    ...account,
    [
      'Cause',
      <span key="cause" className="font-mono text-xs wrap-anywhere">
        {email.cause}
      </span>,
    ],
    ['ID', <ShortId key="id" id={email.id} copy />],
  ]
}
