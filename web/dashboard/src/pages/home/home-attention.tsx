import type { UseQueryResult } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Attention } from '../../api/shapes.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { Card } from '../../parts/card.tsx'
import { dayAt } from '../../parts/days.ts'
import { Failure } from '../../parts/failure.tsx'
import { Icon } from '../../parts/icon.tsx'

interface Concern {
  name: string
  count: number
  dot: string
  link: LinkProps
}

interface NeedsAttentionProps {
  attention: UseQueryResult<Attention>
  timezone: string
}

/** What somebody should look at today; each leads to the list of it. */
export function NeedsAttention({ attention, timezone }: NeedsAttentionProps) {
  return (
    <Card title="Needs attention">
      {attention.isPending ? (
        <Waiting />
      ) : attention.isError ? (
        <Failure error={attention.error} retry={() => attention.refetch()} />
      ) : (
        <Concerns concerns={concernsOf(attention.data, timezone)} />
      )}
    </Card>
  )
}

function Waiting() {
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

function Concerns({ concerns }: { concerns: Concern[] }) {
  if (concerns.length === 0) {
    return (
      <div className="flex flex-col items-center gap-2 py-8 text-center">
        <span className="text-brand">
          <Icon name="check" />
        </span>
        <p className="font-semibold">Nothing needs you now.</p>
        <p className="max-w-64 text-muted">
          What fails, waits for long or is about to expire will be listed here.
        </p>
      </div>
    )
  }
  return (
    <ul>
      {concerns.map((concern) => (
        <ConcernView key={concern.name} concern={concern} />
      ))}
    </ul>
  )
}

function ConcernView({ concern }: { concern: Concern }) {
  const hasPage = useHasPage()
  const inside = (
    <>
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${concern.dot}`} />
      <span className="min-w-0 flex-1">{concern.name}</span>
      <span className="figures font-semibold">
        {concern.count >= count_max ? `${count_max}+` : concern.count}
      </span>
    </>
  )
  const look = 'flex min-h-11 items-center gap-3'
  return (
    <li className="border-t border-line first:border-0">
      {hasPage(concern.link.to as string) ? (
        <Link {...concern.link} className={`${look} group font-medium hover:text-brand`}>
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

// The server counts no further.
const count_max = 1_000

// What failed within a day was created within a week; a list is by creation.
const failed_created_days_ms = 7 * 86_400_000

function concernsOf(attention: Attention, zone: string): Concern[] {
  const { failed, pending_long, payments_expiring } = attention
  const failed_from = dayAt(Date.parse(failed.since) - failed_created_days_ms, zone)
  const concerns = [
    {
      name: 'Webhook endpoints failing',
      count: attention.webhooks_failing?.count ?? 0,
      dot: 'bg-red',
      link: to('/webhooks'),
    },
    {
      name: 'Webhook endpoints turned off',
      count: attention.webhooks_disabled?.count ?? 0,
      dot: 'bg-red',
      link: to('/webhooks'),
    },
    {
      name: 'Transactions failed in 24 hours',
      count: failed.count,
      dot: 'bg-red',
      link: to('/transactions', { status: 'failed', date_from: failed_from }),
    },
    {
      name: 'Transactions pending for long',
      count: pending_long.count,
      dot: 'bg-blue',
      link: to('/transactions', { status: 'pending', date_to: dayAt(pending_long.before, zone) }),
    },
    {
      name: 'Payment requests expiring in 3 days',
      count: payments_expiring.count,
      dot: 'bg-amber',
      link: to('/payments', { status: 'pending' }),
    },
  ]
  return concerns.filter(({ count }) => count > 0)
}

/** Pages of other areas have filters of their own names. */
function to(path: string, search: object = {}): LinkProps {
  return { to: path as '/', search: search as never }
}
