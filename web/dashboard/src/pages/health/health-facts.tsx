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
    ['Up for', spanText(server.started_at, Date.now())],
    ['Memory', last ? bytesText(last.rss_bytes) : '—'],
    ['Changes in one commit', batchText(last?.lanes.transactions.batch_size)],
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
    [
      'Connections',
      `${connections.active} busy, ${connections.idle} at rest, of ${connections.max}`,
    ],
    ['Idle in a transaction', connections.in_transaction],
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

/** In its own words, because whoever mends it looks for them. */
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
  const { emails, webhooks, closings, last_seen_at } = worker
  return [
    ['Running', worker.running ? 'Yes' : 'No'],
    ['Last seen', last_seen_at === null ? 'Never' : <When key="seen" at={last_seen_at} real />],
    ['Transactions to settle', countText(worker.transactions_due)],
    ['Payment requests due', countText(worker.payments_due)],
    ['Subscriptions due', countText(worker.subscriptions_due)],
    ['Emails', `${atMost(emails.waiting)} waiting, ${atMost(emails.due)} due`],
    ['Webhooks', `${atMost(webhooks.waiting)} waiting, ${atMost(webhooks.due)} due`],
    ['Account closings', closingsText(closings)],
  ]
}

function closingsText({ open, oldest_s, stalled }: Health['worker']['closings']): string {
  if (open === 0) return '0'
  const minutes = Math.floor((oldest_s ?? 0) / 60)
  return `${countText(open)} in progress, oldest ${minutes} min, ${countText(stalled)} stalled`
}

/** Each job is cut into parts, and each part is held by one worker at a time. */
function Jobs({ jobs }: { jobs: Health['worker']['jobs'] }) {
  if (jobs.length === 0) return null
  return (
    <Card title="Jobs" className="lg:col-span-3">
      <p className="mb-3 text-xs text-muted">
        What the worker does. Each job is cut into parts, and each part is held by one worker at a
        time: none held means that nobody does it.
      </p>
      <ul className="grid grid-cols-1 gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {jobs.map((job) => (
          <li
            key={job.name}
            className="flex min-h-9 items-center justify-between gap-4 border-b border-line"
          >
            <span className="min-w-0 wrap-anywhere text-muted">{humanize(job.name)}</span>
            <span className={`figures ${job.slots_held === 0 ? 'font-semibold text-red' : ''}`}>
              {job.slots_held === 0 ? 'Not held' : `${job.slots_held} held`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The server stops counting there. */
function atMost(count: number): string {
  return count >= 1_000 ? '1,000 or more' : String(count)
}
