// Converts a volume report to chart points, labeled in the account's time zone.

import type { Volume } from '../../api/api-types.ts'
import { clockText, dayText } from '../../parts/time-text.ts'

export interface VolumePoint {
  at: string
  label: string
  title: string
  /** Undefined for future hours. */
  in: number | undefined
  out: number | undefined
  /** Money in at the same position in the previous period. */
  before: number | undefined
}

export function volumePoints(volume: Volume, now: string, locale: string): VolumePoint[] {
  const label = namer(volume, locale, false)
  const title = namer(volume, locale, true)
  // Without volume in the previous period its line is omitted.
  const before = volume.previous.in > 0 ? volume.previous.buckets : []
  return volume.buckets.map((bucket, at) => ({
    at: bucket.from,
    label: label(bucket.from),
    title: title(bucket.from),
    in: bucket.from > now ? undefined : bucket.in,
    out: bucket.from > now ? undefined : bucket.out,
    before: before[at]?.in,
  }))
}

function namer({ interval, timezone }: Volume, locale: string, whole: boolean) {
  const settings = { timezone, locale }
  return (at: string) =>
    interval === 'hour' ? clockText(at, settings) : dayText(at, settings, { weekday: whole })
}
