import { isClosed } from '../ledger/closings.ts'
import type { Queryable } from '../postgres/database.ts'
import { firstUuidAt, lastUuidAt } from '../primitives/ids.ts'
import { selectWeekSums, type WeekSums } from './charge-queries.ts'
import { type CurrencyVolume, selectVolumes, selectVolumesByCurrency } from './queries.ts'

export type { CurrencyVolume }

/** In and out are succeeded amounts; the rest are transaction counts by current status. */
export interface Volume {
  in: number
  out: number
  succeeded: number
  failed: number
  canceled: number
  pending: number
}

export function noVolume(): Volume {
  return { in: 0, out: 0, succeeded: 0, failed: 0, canceled: 0, pending: 0 }
}

/**
 * Returns one volume for each span of milliseconds, both ends inclusive. A transaction belongs to
 * the span of its creation time: that time is part of its id, so a span is a primary key range.
 */
export async function sumVolumes(
  db: Queryable,
  account_id: string,
  spans: { from: number; to: number }[],
): Promise<Volume[]> {
  const ranges = spans.map(rangeOf)
  const volumes = spans.map(noVolume)
  for (const { range, ...volume } of await selectVolumes(db, account_id, ranges)) {
    volumes[range] = volume
  }
  return (await isClosed(db, account_id)) ? volumes.map(asClosed) : volumes
}

/** Of all accounts: one row per span and currency, without empty ones. */
export function sumVolumesByCurrency(
  db: Queryable,
  spans: { from: number; to: number }[],
): Promise<(CurrencyVolume & { range: number })[]> {
  return selectVolumesByCurrency(db, spans.map(rangeOf))
}

function rangeOf({ from, to }: { from: number; to: number }) {
  return { first_id: firstUuidAt(from), last_id: lastUuidAt(to) }
}

/** Pending transactions of a closed account count as canceled: see apply-closings.ts. */
function asClosed(volume: Volume): Volume {
  return { ...volume, canceled: volume.canceled + volume.pending, pending: 0 }
}

/** Of the transactions that were created in this time, both ends inclusive. */
export function sumWeek(
  db: Queryable,
  account_id: string,
  { from, to }: { from: Date; to: Date },
): Promise<WeekSums> {
  const range = { first_id: firstUuidAt(from.getTime()), last_id: lastUuidAt(to.getTime()) }
  return selectWeekSums(db, account_id, range)
}
