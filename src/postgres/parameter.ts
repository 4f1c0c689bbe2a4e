// A value as PostgreSQL reads it. What pg does with values is right and slow: it escapes every
// entry of an array with two searches, though ids, numbers and hashes need none.

import { toIso } from '../primitives/time.ts'

/** Text, bytes or null, whatever kind of value it was. */
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
      throw new TypeError(`a ${typeof value} is no value of a statement`)
  }
}

function objectParameter(value: object): string | Buffer {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Date) return dateText(value)
  if (Array.isArray(value)) return arrayText(value)
  throw new TypeError('an object is no value of a statement; write it out as JSON first')
}

// toIso is for times that Florin shows. JavaScript writes years beyond 9999 as +010000, which
// PostgreSQL does not read.
function dateText(date: Date): string {
  const at_ms = date.getTime()
  if (at_ms >= 0 && at_ms < year_10_000_ms) return toIso(date)
  return date.toISOString().replace(/^\+0*/, '')
}

const year_10_000_ms = 253_402_300_800_000

// What stands in an array as it is: ids, numbers, ISO times, names of ours.
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
  // NULL without quotes is no text.
  if (plain.test(value) && !/^null$/i.test(value)) return value
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}
