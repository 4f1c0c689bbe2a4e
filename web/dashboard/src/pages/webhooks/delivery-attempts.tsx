import type { WebhookDelivery } from '../../api/api-types.ts'
import { BodyView } from '../../parts/body-view.tsx'
import { durationText } from '../../parts/http-status.tsx'
import { Timeline, type TimelineEntry } from '../../parts/timeline.tsx'

/** The next attempt and all past ones, newest first. */
export function DeliveryAttempts({ delivery }: { delivery: WebhookDelivery }) {
  const { history, next_attempt_at } = delivery
  const past = history.map((attempt, at) => attemptEntry(attempt, history.length - at))
  if (next_attempt_at !== null) {
    const next: TimelineEntry = {
      key: 'next',
      at: next_attempt_at,
      title: past.length === 0 ? 'Sending' : 'Next attempt',
      tone: 'waiting',
    }
    return <Timeline entries={[next, ...past]} />
  }
  if (past.length === 0) return <p className="text-muted">No attempts</p>
  return <Timeline entries={past} />
}

type Attempt = WebhookDelivery['history'][number]

function attemptEntry(attempt: Attempt, number: number): TimelineEntry {
  const { at, response, error, duration_ms } = attempt
  const good = error === null
  return {
    key: `${at} ${number}`,
    at,
    title: `Attempt ${number}${response ? `: ${response.status}` : ''}`,
    text: <AttemptText attempt={attempt} duration={durationText(duration_ms)} />,
    tone: good ? 'good' : 'bad',
  }
}

function AttemptText({ attempt, duration }: { attempt: Attempt; duration: string }) {
  const { response, error } = attempt
  return (
    <>
      <p className="figures">
        {error === null ? `Delivered in ${duration}` : `${error} (${duration})`}
      </p>
      {response && response.body !== '' && (
        <details className="mt-1">
          <summary className="inline-flex min-h-6 items-center text-xs font-medium text-brand">
            Response body
          </summary>
          <div className="mt-2 text-ink">
            <BodyView text={response.body} label={`Response at ${attempt.at}`} />
          </div>
        </details>
      )}
    </>
  )
}
