import { getRouteApi } from '@tanstack/react-router'
import type { Letter } from '../../api/shapes.ts'
import { useOne } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/lost-page.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { capital, Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { letter_state_means } from '../admin-words.ts'
import { Named } from '../audit/named.tsx'
import { SafeLetter } from './safe-letter.tsx'

const route = getRouteApi('/shell/mail/$id')

export function LetterPage() {
  const { id } = route.useParams()
  const letter = useOne(['mail', id], (florin, signal) => florin.mail.get(id, { signal }))
  if (letter.isPending) return <LoadingPage />
  if (letter.isLoadingError) {
    return (
      <>
        <PageHeader title="Letter" />
        <Failure error={letter.error} retry={() => letter.refetch()} />
      </>
    )
  }
  return <LetterView letter={letter.data} />
}

function LetterView({ letter }: { letter: Letter }) {
  return (
    <>
      <BackLink to="/mail">Mail</BackLink>
      <PageHeader title={letter.subject}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{letter.subject}</span>
          <Status of={letter.state} />
        </span>
      </PageHeader>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
        <Card title="As the reader sees it" className="lg:row-span-2">
          <SafeLetter html={letter.html} label={`The letter ${letter.subject}`} />
        </Card>
        <Card title="Details">
          <Facts facts={factsOf(letter)} />
        </Card>
        <Card title="Plain text" action={<CopyButton text={letter.text} label="Copy the text" />}>
          <p
            className="rounded-lg bg-canvas p-3.5 font-mono text-xs wrap-anywhere
 whitespace-pre-wrap"
          >
            {letter.text}
          </p>
        </Card>
      </div>
    </>
  )
}

function factsOf(letter: Letter): [string, React.ReactNode][] {
  const sent: [string, React.ReactNode][] =
    letter.sent_at === null ? [] : [['Sent', <When key="sent" at={letter.sent_at} absolute />]]
  const error: [string, React.ReactNode][] =
    letter.error === null ? [] : [['Last answer', letter.error]]
  return [
    [
      'To',
      <span key="to" className="wrap-anywhere">
        {letter.to}
      </span>,
    ],
    ['About', capital(letter.kind)],
    ['State', <span key="state">{letter_state_means[letter.state]}</span>],
    ['Written', <When key="created" at={letter.created_at} absolute />],
    ...sent,
    ['Tries', letter.attempts],
    ...error,
    ['Account', <Named key="account" id={letter.account_id} />],
    [
      'Cause',
      <span key="cause" className="font-mono text-xs wrap-anywhere">
        {letter.cause}
      </span>,
    ],
    ['ID', <ShortId key="id" id={letter.id} copy />],
  ]
}
