import type { Health } from '../../api/api-types.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { humanize } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { bytesText, countText, spanText } from './health-text.ts'

export function HealthFacts({ health }: { health: Health }) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3">
      <Card title="Server">
        <Facts facts={serverFacts(health)} />
      </Card>
      <Card title="Database">
        <Facts facts={databaseFacts(health)} />
      </Card>
      <Card title="Worker">
        <Facts facts={workerFacts(health)} />
      </Card>
      <Jobs jobs={health.worker.jobs} />
    </div>
  )
}

type FactList = [string, React.ReactNode][]

function serverFacts({ server }: Health): FactList {
  const last = server.history.at(-1)
  return [
    ['Version', server.version],
    ['Started', <When key="started" at={server.started_at} absolute />],
    ['Uptime', spanText(server.started_at, Date.now())],
    ['Memory', last ? bytesText(last.rss_bytes) : '—'],
    ['Changes per commit', batchText(last?.lanes.transactions.batch_size)],
  ]
}

function batchText(size: number | null | undefined): string {
  return size == null ? '—' : countText(size)
}

function databaseFacts({ database }: Health): FactList {
  const { connections, settings, oldest_transaction_s } = database
  return [
    ['PostgreSQL', database.version],
    ['Size', bytesText(database.size_bytes)],
    ['Connections', `${connections.active} busy, ${connections.idle} idle, of ${connections.max}`],
    ['Idle in transaction', connections.in_transaction],
    [
      'Oldest open transaction',
      oldest_transaction_s === null ? 'None' : `${countText(oldest_transaction_s)} s`,
    ],
    ...Object.entries(settings).map(([name, value]): [string, React.ReactNode] => [
      name,
      <Setting key={name} name={name} value={value} />,
    ]),
  ]
}

/** Shows PostgreSQL's own names and values, so they can be searched for. */
function Setting({ name, value }: { name: string; value: string }) {
  return (
    <code
      title={name}
      className={`font-mono text-xs ${value === 'off' ? 'font-semibold text-red' : ''}`}
    >
      {value}
      {value === 'off' && ' (unsafe)'}
    </code>
  )
}

function workerFacts({ worker }: Health): FactList {
  const { emails, webhooks, provider_events, closings, last_seen_at } = worker
  return [
    ['Running', worker.running ? 'Yes' : 'No'],
    ['Last seen', last_seen_at === null ? 'Never' : <When key="seen" at={last_seen_at} real />],
    ['Transactions due', countText(worker.transactions_due)],
    ['Payment requests due', countText(worker.payments_due)],
    ['Subscriptions due', countText(worker.subscriptions_due)],
    ['Emails', `${atMost(emails.waiting)} waiting, ${atMost(emails.due)} due`],
    ['Webhooks', `${atMost(webhooks.waiting)} waiting, ${atMost(webhooks.due)} due`],
    [
      'Provider messages',
      `${atMost(provider_events.waiting)} waiting, ${atMost(provider_events.due)} due`,
    ],
    ['Account closings', closingsText(closings)],
  ]
}

function closingsText({ open, oldest_s, stalled }: Health['worker']['closings']): string {
  if (open === 0) return '0'
  const minutes = Math.floor((oldest_s ?? 0) / 60)
  return `${countText(open)} in progress, oldest ${minutes} min, ${countText(stalled)} stalled`
}

/** Each job is divided into slots, and each slot is leased by one worker at a time. */
function Jobs({ jobs }: { jobs: Health['worker']['jobs'] }) {
  if (jobs.length === 0) return null
  return (
    <Card title="Jobs" className="lg:col-span-3">
      <p className="mb-3 text-xs text-muted">
        Background jobs and the number of slots that workers run. A job without slots is not
        running.
      </p>
      <ul className="grid grid-cols-1 gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {jobs.map((job) => (
          <li
            key={job.name}
            className="flex min-h-9 items-center justify-between gap-4 border-b border-line"
          >
            <span className="min-w-0 wrap-anywhere text-muted">{humanize(job.name)}</span>
            <span className={`figures ${job.slots_held === 0 ? 'font-semibold text-red' : ''}`}>
              {job.slots_held === 0 ? 'Not running' : `${job.slots_held} running`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The server stops counting at 1,000. */
function atMost(count: number): string {
  return count >= 1_000 ? '1,000 or more' : String(count)
}
