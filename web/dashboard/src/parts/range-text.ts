// The visible range of a list: "1–20 of 240".

interface Total {
  count: number
  /** False when the server stopped counting at its limit: there are at least this many. */
  is_exact: boolean
}

export function rangeText(first: number, last: number, total: Total | undefined): string {
  const range = `${grouped(first)}–${grouped(last)}`
  if (total === undefined) return range
  // Rows may have been added since they were counted.
  const count = Math.max(total.count, last)
  if (count === 1) return '1 result'
  return `${range} of ${grouped(count)}${total.is_exact ? '' : '+'}`
}

export function grouped(count: number): string {
  return count.toLocaleString('en')
}
