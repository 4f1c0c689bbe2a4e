import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useClockAhead } from '../../api/clock.ts'
import { makeFlorin } from '../../api/florin.ts'
import { useMode } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { exactTime, utc } from '../../parts/time-text.ts'
import { Timeline } from '../../parts/timeline.tsx'
import { AuditSentence } from '../audit/audit-line.tsx'
import { describeDuration } from '../audit/audit-text.ts'
import { AdvanceClock } from './clock-actions.tsx'

export function ClockPage() {
  return (
    <>
      <PageHeader title="Sandbox clock" />
      {useMode() === 'live' ? (
        <Card>
          <p className="text-muted">The sandbox clock is not available in live mode.</p>
        </Card>
      ) : (
        <TestClock />
      )}
    </>
  )
}

const steps_shown = 20

/** The latest clock changes, from the audit log. */
function useSteps() {
  // The clock belongs to no account, so the client sends no Florin-Account.
  const florin = useMemo(() => makeFlorin({}), [])
  return useQuery({
    queryKey: ['clock'],
    queryFn: ({ signal }) =>
      florin.auditLog.list({ action: 'clock.advanced', limit: steps_shown }, { signal }),
  })
}

function TestClock() {
  const steps = useSteps()
  const ahead_s = Math.round(useClockAhead() / 1_000)
  if (steps.isLoadingError) return <Failure error={steps.error} retry={() => steps.refetch()} />
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
      <Card>
        <div className="font-medium text-muted">Current time</div>
        <Now ahead_s={steps.data && ahead_s} />
        <p className="mt-6 mb-4 text-muted">
          Advance the clock to test settlements, reminders, expired requests and subscription
          renewals. It applies to all accounts and only moves forward. Sessions and webhooks use
          real time.
        </p>
        <AdvanceClock ahead_s={ahead_s} disabled={steps.data === undefined} />
      </Card>
      <Card title="History">
        {steps.data?.data.length === 0 && (
          <p className="text-muted">The clock has not been advanced. It shows real time.</p>
        )}
        <Timeline
          entries={(steps.data?.data ?? []).map((step) => ({
            key: step.id,
            at: String(step.details.now ?? step.created_at),
            title: <AuditSentence entry={step} />,
            tone: 'good' as const,
          }))}
        />
        {steps.data?.has_more && (
          <p className="mt-4 text-muted">
            Showing the latest {steps_shown}. The audit log has all of them.
          </p>
        )}
      </Card>
    </div>
  )
}

function Now({ ahead_s }: { ahead_s: number | undefined }) {
  const [now_ms, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (ahead_s === undefined) return <div className="skeleton mt-1 h-8 w-64" />
  const at = new Date(now_ms + ahead_s * 1_000).toISOString()
  return (
    <>
      <time dateTime={at} className="figures mt-1 block text-xl font-[650] tracking-tight">
        {exactTime(at, utc)}
      </time>
      <p className="mt-0.5 text-xs text-muted">
        {ahead_s === 0 ? 'Real time' : `${describeDuration(ahead_s)} ahead of real time`}
      </p>
    </>
  )
}
