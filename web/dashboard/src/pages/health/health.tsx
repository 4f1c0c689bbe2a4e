import type { Health } from '../../api/api-types.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'
import { LoadingPage } from '../../frame/fallback-pages.tsx'
import { Figure } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { HealthCharts } from './health-charts.tsx'
import { HealthFacts } from './health-facts.tsx'
import { ProvidersPanel, useProcessor } from './health-providers.tsx'
import { bytesText, msText } from './health-text.ts'
import { dueOf, providerWarnings, recent, warningsOf } from './health-warnings.ts'

// The server's sampling interval.
const refresh_ms = 10_000

/** Platforms see the payment providers only; the server is the operator's. */
export function HealthPage() {
  const sees_server = useUser().may.includes('read_health')
  const processor = useProcessor({ refresh_ms })
  return (
    <>
      <PageHeader title="Health" />
      {processor.isPending ? (
        <LoadingPage />
      ) : sees_server ? (
        <ServerHealth processor={processor} />
      ) : (
        <>
          <Warnings warnings={providerWarnings(processor.data)} all_known={false} />
          <ProvidersPanel processor={processor} />
        </>
      )}
    </>
  )
}

type ProcessorQuery = ReturnType<typeof useProcessor>

function ServerHealth({ processor }: { processor: ProcessorQuery }) {
  const health = useApiQuery(['health'], (florin, signal) => florin.health.get({ signal }), {
    refresh_ms,
  })
  if (health.data === undefined) {
    return health.isError ? (
      <Failure error={health.error} retry={() => health.refetch()} />
    ) : (
      <LoadingPage />
    )
  }
  return (
    <>
      {health.isError && <Stale error={health.error} />}
      <HealthView health={health.data} processor={processor} />
    </>
  )
}

function Stale({ error }: { error: Error }) {
  return (
    <p role="alert" className="mb-4 rounded-xl bg-red-soft p-4 text-red">
      These figures are outdated: the last refresh failed. {reasonOf(error)}
    </p>
  )
}

function HealthView({ health, processor }: { health: Health; processor: ProcessorQuery }) {
  return (
    <>
      <Warnings
        warnings={[...providerWarnings(processor.data), ...warningsOf(health)]}
        all_known={processor.data !== undefined}
      />
      <Figures health={health} />
      <HealthCharts history={health.server.history} />
      <ProvidersPanel processor={processor} />
      <HealthFacts health={health} />
      <p className="mt-4 text-xs text-muted">
        The last hour of one server process, refreshed every 10 seconds. Behind a load balancer, the
        next refresh may show another process. To monitor several processes, scrape /metrics of
        each.
      </p>
    </>
  )
}

interface WarningsProps {
  warnings: ReturnType<typeof warningsOf>
  /** False if there may be others that the user cannot see. */
  all_known: boolean
}

function Warnings({ warnings, all_known }: WarningsProps) {
  if (warnings.length === 0) {
    if (!all_known) return null
    return (
      <p role="status" className="mb-4 rounded-xl bg-brand-soft p-4 font-semibold text-brand">
        All systems healthy
      </p>
    )
  }
  return (
    <ul aria-label="Warnings" className="mb-4 flex flex-col gap-2">
      {warnings.map(({ key, title, text }) => (
        <li key={key} className="rounded-xl bg-amber-soft p-4 wrap-anywhere text-amber">
          <span className="font-semibold">{title}</span> {text}
        </li>
      ))}
    </ul>
  )
}

function Figures({ health }: { health: Health }) {
  const points = recent(health)
  const last = points.at(-1)
  const rate = last && Object.values(last.requests_per_s).reduce((sum, one) => sum + one, 0)
  const latency = points.findLast((point) => point.latency_ms.p50 !== null)?.latency_ms
  const waiting = last && Object.values(last.lanes).reduce((sum, lane) => sum + lane.waiting, 0)
  return (
    <section
      aria-label="Now"
      className="mb-4 grid grid-cols-2 gap-4 max-[400px]:gap-2 lg:grid-cols-4"
    >
      <Figure
        label="Requests"
        value={rate === undefined ? '—' : `${rate.toFixed(1)}/s`}
        note="over the last 10 seconds"
      />
      <Figure
        label="Latency"
        value={latency?.p50 == null ? '—' : msText(latency.p50)}
        note={latency?.p99 == null ? 'median (p50)' : `median (p50); p99 is ${msText(latency.p99)}`}
      />
      <Figure
        label="Due"
        value={dueOf(health.worker).toLocaleString('en')}
        note={`worker items; ${waiting ?? 0} changes queued`}
      />
      <Figure label="Database" value={bytesText(health.database.size_bytes)} note="on disk" />
    </section>
  )
}
