// A report of volume as points of a chart, named in the account's time zone.

import type { Volume } from '../../api/api-types.ts'
import { clockText, dayText } from '../../parts/time-text.ts'

export interface VolumePoint {
  at: string
  label: string
  title: string
  /** Undefined for hours that are still to come. */
  in: number | undefined
  out: number | undefined
  /** What came in at the same place of the period before. */
  before: number | undefined
}

export function volumePoints(volume: Volume, now: string, locale: string): VolumePoint[] {
  const label = namer(volume, locale, false)
  const title = namer(volume, locale, true)
  // A line along the bottom, for a time in which nothing came, would only be in the way.
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
