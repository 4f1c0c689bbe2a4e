// Days and times as the account's customers write them, in the account's time zone.

export function dayText(at: string | Date, locale: string, timezone: string): string {
  return formatFor('day', locale, timezone).format(new Date(at))
}

/** With the zone's name: a receipt is read elsewhere too. */
export function timeText(at: string | Date, locale: string, timezone: string): string {
  return formatFor('time', locale, timezone).format(new Date(at))
}

const day = { year: 'numeric', month: 'long', day: 'numeric' } as const
const shapes = {
  day,
  time: { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
} as const

const formats = new Map<string, Intl.DateTimeFormat>()

// As with amounts, making a format is slow, and its names come from callers: past the bound all are
// forgotten rather than kept for ever.
const formats_max = 1_000

function formatFor(
  shape: keyof typeof shapes,
  locale: string,
  timezone: string,
): Intl.DateTimeFormat {
  const name = `${shape} ${locale} ${timezone}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat([locale, 'en'], { ...shapes[shape], timeZone: timezone })
  if (formats.size >= formats_max) formats.clear()
  formats.set(name, format)
  return format
}
