// Formats a time in the reader's language and the account's time zone.

/**
 * Includes the hour, because a deadline within a day must not look like the end of that day, and
 * the zone, because readers may be in other zones.
 */
export function timeText(at: string | Date, locale: string, timezone: string): string {
  return formatFor(locale, timezone).format(new Date(at))
}

const formats = new Map<string, Intl.DateTimeFormat>()

// Bounded like the cache for amounts: creating a format is slow, and callers choose the keys.
const formats_max = 1_000

function formatFor(locale: string, timezone: string): Intl.DateTimeFormat {
  const name = `${locale} ${timezone}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat([locale, 'en'], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  })
  if (formats.size >= formats_max) formats.clear()
  formats.set(name, format)
  return format
}
