// How the columns of a result become JavaScript values.

import pg from 'pg'

// pg returns bigint as text by default; CHECK constraints limit every bigint here to 2^53 − 1.
export const resultTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return Number
    if (oid === pg.types.builtins.TIMESTAMPTZ) return readTimestamp
    return pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

const readAnyTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date

const shape = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/

/**
 * Parses `2026-11-15 04:30:00.123+00`, of a UTC session and with trailing zeros of the fraction
 * left out, in 0.1 µs. pg's parser, which supports every style and time zone, takes 0.8 µs.
 */
function readTimestamp(text: string): Date {
  if (!shape.test(text)) return readAnyTime(text)
  const two = (at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
  const year = two(0) * 100 + two(2)
  let fraction_ms = 0
  for (let at = 20, worth = 100; at < text.length - 3; at++, worth /= 10) {
    fraction_ms += (text.charCodeAt(at) - 48) * worth
  }
  const ms = Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), fraction_ms)
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  return year < 100 ? readAnyTime(text) : new Date(ms)
}
