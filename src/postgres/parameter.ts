// Serializes a value for PostgreSQL. pg does this correctly but slowly: it runs two searches over
// every array element to escape it, though ids, numbers and hashes need no escaping.

import { toIso } from '../primitives/time.ts'

/** Returns text, bytes or null for any supported value. */
export function parameter(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? null : objectParameter(value)
    case 'undefined':
      return null
    default:
      throw new TypeError(`a ${typeof value} cannot be a statement parameter`)
  }
}

function objectParameter(value: object): string | Buffer {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Date) return dateText(value)
  if (Array.isArray(value)) return arrayText(value)
  throw new TypeError('an object cannot be a statement parameter; serialize it as JSON first')
}

// toIso covers the years 1970 to 9999. JavaScript writes later years as +010000, which PostgreSQL
// does not accept.
function dateText(date: Date): string {
  const at_ms = date.getTime()
  if (at_ms >= 0 && at_ms < year_10_000_ms) return toIso(date)
  return date.toISOString().replace(/^\+0*/, '')
}

const year_10_000_ms = 253_402_300_800_000

// Array elements that need no quotes: ids, numbers, ISO times, names.
const plain = /^[A-Za-z0-9_.:+-]+$/

function arrayText(values: unknown[]): string {
  let text = '{'
  for (let at = 0; at < values.length; at++) {
    if (at > 0) text += ','
    text += entryText(parameter(values[at]))
  }
  return `${text}}`
}

function entryText(value: string | Buffer | null): string {
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return `"\\\\x${value.toString('hex')}"`
  // An unquoted NULL would be a null, not the text.
  if (plain.test(value) && !/^null$/i.test(value)) return value
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}
