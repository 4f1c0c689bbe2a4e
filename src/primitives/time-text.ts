// A time as its reader writes it: in the reader's language, in the account's time zone.

/**
 * With the hour, and with the zone's name: what ends in the course of a day must not seem to last
 * until its end, and pages and emails are read in other zones too.
 */
export function timeText(at: string | Date, locale: string, timezone: string): string {
  return formatFor(locale, timezone).format(new Date(at))
}

const formats = new Map<string, Intl.DateTimeFormat>()

// As with amounts, making a format is slow, and its names come from callers: past the bound all are
// forgotten rather than kept for ever.
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
