// Parses search parameters. Invalid values are dropped and never reach the API.

type Reader<Value> = (value: unknown) => Value | undefined

export function oneOf<const Value extends string>(values: readonly Value[]): Reader<Value> {
  return (value) => values.find((one) => one === value)
}

/** A valid calendar day, such as 2026-11-15. */
export const day: Reader<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isInCalendar(value)
    ? value
    : undefined

/** A day or an instant. Links from counters use instants to list exactly the counted rows. */
export const dayOrInstant: Reader<string> = (value) => day(value) ?? instant(value)

export const instant: Reader<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{8,12}Z$/.test(value)
    ? Number.isNaN(Date.parse(value))
      ? undefined
      : value
    : undefined

function isInCalendar(text: string): boolean {
  const at_ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at_ms) && new Date(at_ms).toISOString().startsWith(text)
}

/** The router parses digits in the URL as a number. */
export const text: Reader<string> = (value) => {
  const given = typeof value === 'number' ? String(value) : value
  return typeof given === 'string' && given !== '' ? given.slice(0, 255) : undefined
}

/** A page number; page 1 is omitted from the URL. */
export const pageNumber: Reader<number> = (value) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 1 ? number : undefined
}

type Readers = Record<string, Reader<unknown>>

type Values<Fields extends Readers> = { [Name in keyof Fields]?: ReturnType<Fields[Name]> }

/** For a route's validateSearch. */
export function readSearch<Fields extends Readers>(fields: Fields) {
  return (search: Record<string, unknown>): Values<Fields> => {
    // Includes undefined values: the router merges this over the raw parameters.
    const found = Object.entries(fields).map(([name, read]) => [name, read(search[name])] as const)
    return Object.fromEntries(found) as Values<Fields>
  }
}

export function isFiltered(filters: object): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
