// GET /v1/overview, for admins and platforms: volume, failures and growth over all accounts in the
// last 30 days, in days of UTC, compared with the 30 days before.

import type { ListedAccount } from '../../accounts/account.ts'
import { findNewestAccounts, sumNewAccounts } from '../../accounts/list-accounts.ts'
import { readTime } from '../../postgres/clock.ts'
import type { Db } from '../../postgres/database.ts'
import { countList } from '../../postgres/list-counts.ts'
import { runQueuedSearch } from '../../postgres/search.ts'
import { toIso } from '../../primitives/time.ts'
import { type CurrencyVolume, sumVolumesByCurrency } from '../../transactions/sum-volumes.ts'
import { cutIntoBuckets, type Span, spanBefore, startOfDay } from './buckets.ts'

interface Growth {
  accounts_created: number
  succeeded: number
  failed: number
}

interface Overview {
  from: string
  to: string
  accounts: number
  totals: Growth
  previous: Growth
  volumes: (CurrencyVolume & { previous_in: number })[]
  days: (Growth & { from: string; to: string })[]
  newest_accounts: ListedAccount[]
}

const days = 30
const newest_max = 10
const advice = 'There are too many transactions to count. Read the reports of single accounts.'

export async function reportOverview(db: Db): Promise<Overview> {
  const to = (await readTime(db)).getTime()
  const span = { from: startOfDay(to, 'UTC') - (days - 1) * 86_400_000, to }
  const cut = cutIntoBuckets(span, 'day', 'UTC')
  const spans = [spanBefore(span, 'UTC'), ...cut]
  return runQueuedSearch(db, 'overview', advice, async (tx) => {
    const volumes = await sumVolumesByCurrency(tx, spans)
    const created = await sumNewAccounts(tx, spans)
    const growth = spans.map((_, at) => ({
      accounts_created: created[at]!,
      ...countEnded(volumes.filter(({ range }) => range === at)),
    }))
    const [previous, ...daily] = growth
    return {
      from: toIso(span.from),
      to: toIso(span.to),
      accounts: await countList(tx, 'accounts', {}),
      totals: daily.reduce(addGrowth, noGrowth),
      previous: previous!,
      volumes: byCurrency(volumes),
      days: daily.map((one, at) => ({ ...periodOf(cut[at]!), ...one })),
      newest_accounts: await findNewestAccounts(tx, newest_max),
    }
  })
}

const noGrowth: Growth = { accounts_created: 0, succeeded: 0, failed: 0 }

function addGrowth(one: Growth, other: Growth): Growth {
  return {
    accounts_created: one.accounts_created + other.accounts_created,
    succeeded: one.succeeded + other.succeeded,
    failed: one.failed + other.failed,
  }
}

function countEnded(volumes: CurrencyVolume[]): Omit<Growth, 'accounts_created'> {
  const { succeeded, failed } = volumes.reduce(
    (sum, one) => addGrowth(sum, { accounts_created: 0, ...one }),
    noGrowth,
  )
  return { succeeded, failed }
}

/** The currencies with the most transactions first: amounts of two currencies do not compare. */
function byCurrency(rows: (CurrencyVolume & { range: number })[]): Overview['volumes'] {
  const totals = new Map<string, Overview['volumes'][number]>()
  for (const { range, currency, in: amount_in, out, succeeded, failed } of rows) {
    const total = totals.get(currency) ?? {
      currency,
      in: 0,
      out: 0,
      succeeded: 0,
      failed: 0,
      previous_in: 0,
    }
    if (range === 0) total.previous_in += amount_in
    else {
      total.in += amount_in
      total.out += out
      total.succeeded += succeeded
      total.failed += failed
    }
    totals.set(currency, total)
  }
  return [...totals.values()].sort((one, other) => other.succeeded - one.succeeded)
}

function periodOf({ from, to }: Span): { from: string; to: string } {
  return { from: toIso(from), to: toIso(to) }
}
