// The expected volume report, computed independently of the server: `Intl` determines the hour,
// day, week or month of each transaction in the time zone.

export interface VolumeRow {
  at_ms: number
  type: 'payment' | 'credit' | 'refund'
  /** `declined` is a card attempt, not a transaction. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled' | 'declined'
  amount: number
}

interface ExpectedVolume {
  in: number
  out: number
  succeeded: number
  failed: number
  canceled: number
  pending: number
  declined_attempts: number
}

export function sumExpectedVolume(rows: VolumeRow[]): ExpectedVolume {
  const of = (status: VolumeRow['status']) => rows.filter((row) => row.status === status)
  const amounts = (some: VolumeRow[]) => some.reduce((sum, { amount }) => sum + amount, 0)
  const paid = of('succeeded')
  return {
    in: amounts(paid.filter(({ type }) => type !== 'refund')),
    out: amounts(paid.filter(({ type }) => type === 'refund')),
    succeeded: paid.length,
    failed: of('failed').length,
    canceled: of('canceled').length,
    pending: of('pending').length,
    declined_attempts: of('declined').length,
  }
}

/** The label of the calendar interval that contains this instant. */
export function labelOf(at_ms: number, interval: string, zone: string): string {
  const part = partsAt(at_ms, zone)
  const day = `${part.year}-${part.month}-${part.day}`
  // The offset distinguishes the two occurrences of an hour that repeats.
  if (interval === 'hour') return `${day} ${part.hour} ${part.timeZoneName}`
  if (interval === 'day') return day
  if (interval === 'month') return `${part.year}-${part.month}`
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() - ((noon.getUTCDay() + 6) % 7))
  return noon.toISOString().slice(0, 10)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function partsAt(at_ms: number, zone: string): Record<string, string> {
  if (!formats.has(zone)) {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      timeZoneName: 'longOffset',
    })
    formats.set(zone, format)
  }
  const parts = formats.get(zone)!.formatToParts(at_ms)
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]))
}

/** The instants of daylight saving changes in this time zone, within `hours`. */
export function clockChanges(from_ms: number, hours: number, zone: string): number[] {
  const offset = (at_ms: number) => partsAt(at_ms, zone).timeZoneName
  return Array.from({ length: hours * 2 }, (_, n) => from_ms + n * 1_800_000).filter(
    (at_ms) => offset(at_ms) !== offset(at_ms - 1),
  )
}
