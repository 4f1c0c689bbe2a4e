import type { UseQueryResult } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Attention } from '../../api/api-types.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { Card } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Icon } from '../../parts/icon.tsx'

interface Alert {
  name: string
  /** With a plus sign where the server stopped counting. */
  count: string
  dot: string
  link: LinkProps
}

interface NeedsAttentionProps {
  attention: UseQueryResult<Attention>
}

/** Counts of items that need attention; each links to its list. */
export function NeedsAttention({ attention }: NeedsAttentionProps) {
  return (
    <Card title="Needs attention">
      {attention.isPending ? (
        <LoadingSkeleton />
      ) : attention.isError ? (
        <Failure error={attention.error} retry={() => attention.refetch()} />
      ) : (
        <Alerts alerts={alertsOf(attention.data)} />
      )}
    </Card>
  )
}

function LoadingSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className="flex h-11 items-center">
          <span className="skeleton h-3.5 w-full" />
        </div>
      ))}
    </div>
  )
}

function Alerts({ alerts }: { alerts: Alert[] }) {
  if (alerts.length === 0) {
    return (
      <div className="flex flex-col items-center gap-2 py-8 text-center">
        <span className="text-brand">
          <Icon name="check" />
        </span>
        <p className="font-semibold">You’re all caught up</p>
        <p className="max-w-64 text-muted">
          Problems with payments, disputes and webhooks appear here.
        </p>
      </div>
    )
  }
  return (
    <ul>
      {alerts.map((alert) => (
        <AlertView key={alert.name} alert={alert} />
      ))}
    </ul>
  )
}

function AlertView({ alert }: { alert: Alert }) {
  const hasPage = useHasPage()
  const inside = (
    <>
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${alert.dot}`} />
      <span className="min-w-0 flex-1">{alert.name}</span>
      <span className="figures font-semibold">{alert.count}</span>
    </>
  )
  const look = 'flex min-h-11 items-center gap-3'
  return (
    <li className="border-t border-line first:border-0">
      {hasPage(alert.link.to as string) ? (
        <Link {...alert.link} className={`${look} group font-medium hover:text-brand`}>
          {inside}
          <span className="text-muted group-hover:text-brand">
            <Icon name="arrow" />
          </span>
        </Link>
      ) : (
        <span className={look}>{inside}</span>
      )}
    </li>
  )
}

// The server stops counting here.
const count_max = 1_000
const late_max = 100

function alertsOf(attention: Attention): Alert[] {
  const { failed, pending_long, payments_failed, payments_expiring, disputes } = attention
  const late = lateAlert(attention.late_payments)
  const none = { count: 0, list: '/' }
  const alerts: [name: string, dot: string, entry: { count: number; list: string }][] = [
    ['Failing webhook endpoints', 'bg-red', attention.webhooks_failing ?? none],
    ['Disabled webhook endpoints', 'bg-red', attention.webhooks_disabled ?? none],
    ['Open disputes', 'bg-red', disputes],
    ['Failed payment requests', 'bg-red', payments_failed],
    ['Failed transactions', 'bg-red', failed],
    ['Delayed transactions', 'bg-blue', pending_long],
    ['Expiring payment requests', 'bg-amber', payments_expiring],
  ]
  const listed = alerts
    .filter(([, , { count }]) => count > 0)
    .map(([name, dot, { count, list }]) => ({
      name,
      dot,
      count: countText(count, count_max),
      link: pageOf(list),
    }))
  return late === undefined ? listed : [...listed, late]
}

/** No page lists exactly these, so several lead to all payments of that time. */
function lateAlert({ count, ids, since }: Attention['late_payments']): Alert | undefined {
  if (count === 0) return undefined
  const search = { type: 'payment', date_from: since } as never
  return {
    name: 'Late payments',
    dot: 'bg-amber',
    count: countText(count, late_max),
    link:
      count === 1
        ? { to: '/transactions/$id', params: { id: ids[0]! } }
        : { to: '/transactions', search },
  }
}

function countText(count: number, max: number): string {
  return count >= max ? `${max}+` : String(count)
}

const pages: Record<string, string> = {
  transactions: '/transactions',
  payments: '/payments',
  disputes: '/disputes',
  webhook_endpoints: '/webhooks',
}

/** The page that shows the counted list, with the same filters. */
function pageOf(list: string): LinkProps {
  const [path, query] = list.split('?') as [string, string?]
  const search = Object.fromEntries(new URLSearchParams(query))
  return { to: (pages[path.split('/').at(-1)!] ?? '/') as '/', search: search as never }
}
