// GET /v1/account/volume: what came in and went out over time, in pieces of the account's own
// calendar, beside what the period before it had.

import { findAccounts } from '../accounts/find-accounts.ts'
import { countDeclines } from '../payments/count-declines.ts'
import { readTime } from '../postgres/clock.ts'
import { type Db, type Tx, withTimeout } from '../postgres/database.ts'
import { createFairQueue } from '../postgres/fair-queue.ts'
import { toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import { findActingAccount, unknownActingAccount } from '../sessions/acting-account.ts'
import type { Caller } from '../sessions/caller.ts'
import {
  noVolume,
  sumVolumes,
  type Volume as TransactionVolume,
} from '../transactions/sum-volumes.ts'
import {
  type BucketInterval,
  buckets_max,
  cutIntoBuckets,
  readEdge,
  type Span,
  spanBefore,
  startOfDay,
} from './buckets.ts'

export interface VolumeQuery {
  from?: string | undefined
  to?: string | undefined
  interval: BucketInterval
}

interface Period {
  from: string
  to: string
}

export interface Volume extends TransactionVolume {
  /** Card attempts that were declined. They make no transaction. */
  declined_attempts: number
}

export type VolumeTotals = Volume & { success_rate: number | null }

export interface VolumeReport extends Period {
  account_id: string
  currency: string
  timezone: string
  interval: BucketInterval
  totals: VolumeTotals
  previous: Period & VolumeTotals & { buckets: (Period & Volume)[] }
  buckets: (Period & Volume)[]
}

// Measured: 148 000 transactions of thirty days and those of the thirty before are counted in a
// sixth of this, on a busy machine. Whoever has ten times as many is told to ask for less.
const report_ms = 2_000
const report_advice =
  'There are too many transactions to count at once. Bring from and to closer together.'

// Fifty at once took the processor from everybody's payments: their p50 was 1.6 s. Who waits longer
// than a report may take is told to come again.
const takeTurn = createFairQueue({ concurrency_max: 2, wait_max_ms: report_ms })

export async function reportVolume(
  db: Db,
  caller: Caller,
  query: VolumeQuery,
): Promise<VolumeReport> {
  const account_id = findActingAccount(caller)
  const [account] = account_id === undefined ? [] : await findAccounts(db, [account_id])
  if (account === undefined) throw unknownActingAccount(caller)
  const { currency, timezone } = account
  const span = readSpan(query, timezone, (await readTime(db)).getTime())
  const before = spanBefore(span, timezone)
  const { cut, cut_before, all } = await takeTurn(account.id, async () => {
    // To cut years into days takes a while too.
    const cut = cutIntoBuckets(span, query.interval, timezone)
    // The period before may begin and end within a bucket where this one does not.
    const cut_before = cutIntoBuckets(before, query.interval, timezone, 2 * buckets_max)
    // One statement of each kind for both periods: they are counted as of one instant.
    const ranges = [...cut_before, ...cut]
    const sumUp = (tx: Tx) => sumBoth(tx, account.id, ranges)
    return { cut, cut_before, all: await withTimeout(db, report_ms, report_advice, sumUp) }
  })
  const earlier = all.slice(0, cut_before.length)
  const volumes = all.slice(cut_before.length)
  return {
    account_id: toTypeId('account', account.id),
    currency,
    timezone,
    interval: query.interval,
    ...periodOf(span),
    totals: withRate(sum(volumes)),
    previous: {
      ...periodOf(before),
      ...withRate(sum(earlier)),
      buckets: withPeriods(cut_before, earlier),
    },
    buckets: withPeriods(cut, volumes),
  }
}

async function sumBoth(tx: Tx, account_id: string, spans: Span[]): Promise<Volume[]> {
  const [volumes, declines] = await Promise.all([
    sumVolumes(tx, account_id, spans),
    countDeclines(tx, account_id, spans),
  ])
  return volumes.map((volume, at) => ({ ...volume, declined_attempts: declines[at]! }))
}

/** Without dates: today, and the twenty-nine days before it. */
const usual_days = 30

function readSpan({ from, to }: VolumeQuery, zone: string, now_ms: number): Span {
  const end = to === undefined ? now_ms : readEdge(to, 'last', zone)
  const start = from === undefined ? usualStart(end, zone) : readEdge(from, 'first', zone)
  if (start <= end) return { from: start, to: end }
  throw new Refusal('invalid_request', 'from must not be later than to. Swap the two.')
}

function usualStart(end_ms: number, zone: string): number {
  // From noon to noon no change of clocks leads into another day.
  const noon_ms = startOfDay(end_ms, zone) + 43_200_000
  return Math.max(startOfDay(noon_ms - (usual_days - 1) * 86_400_000, zone), 86_400_000)
}

function periodOf({ from, to }: Span): Period {
  return { from: toIso(from), to: toIso(to) }
}

function withPeriods(spans: Span[], volumes: Volume[]): (Period & Volume)[] {
  return spans.map((span, at) => ({ ...periodOf(span), ...volumes[at]! }))
}

function sum(volumes: Volume[]): Volume {
  const total: Volume = { ...noVolume(), declined_attempts: 0 }
  for (const volume of volumes) {
    for (const name of Object.keys(total) as (keyof Volume)[]) total[name] += volume[name]
  }
  // Amounts are integers in JSON, where a larger one would be rounded without notice. All of them
  // are positive: a bucket that is too large makes the total too large.
  if (Object.values(total).every((one) => Number.isSafeInteger(one))) return total
  throw new Refusal(
    'invalid_request',
    'The volume of this period is larger than 2^53 − 1, the largest exact amount. Ask for a ' +
      'shorter period: bring "from" and "to" closer together.',
  )
}

/**
 * What is pending may still do either, and what was canceled was never tried: neither counts. A
 * declined card counts as failed, so a request that fails after ten declines counts ten times.
 */
function withRate(volume: Volume): VolumeTotals {
  const ended = volume.succeeded + volume.failed + volume.declined_attempts
  const rate = ended === 0 ? null : Math.round((volume.succeeded / ended) * 10_000) / 10_000
  return { ...volume, success_rate: rate }
}
