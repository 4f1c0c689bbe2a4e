import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isTimeZone,
  parseDuration,
  parseTimestamp,
  timeZoneNames,
  toIso,
} from '../../src/primitives/time.ts'

test('toIso agrees with toISOString', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      assert.equal(toIso(date), date.toISOString())
      assert.equal(toIso(date.getTime()), date.toISOString())
    }),
    { numRuns: 2000 },
  )
})

test('toIso renders the first and last millisecond of a day in any order', () => {
  for (const at_ms of [0, -1, 86_399_999, 86_400_000, -86_400_000, 1_785_542_399_999, 59_999]) {
    assert.equal(toIso(at_ms), new Date(at_ms).toISOString())
  }
  assert.equal(toIso(1.9), '1970-01-01T00:00:00.001Z')
})

test('toIso throws for an invalid date', () => {
  assert.throws(() => toIso(Number.NaN), RangeError)
  assert.throws(() => toIso(new Date(Number.NaN)), RangeError)
})

test('a date without a time means its first or last millisecond', () => {
  assert.equal(read('2026-02-28', 'first'), '2026-02-28T00:00:00.000Z')
  assert.equal(read('2026-02-28', 'last'), '2026-02-28T23:59:59.999Z')
  assert.equal(read('2024-02-29', 'last'), '2024-02-29T23:59:59.999Z')
  assert.equal(read('0001-01-01', 'first'), '0001-01-01T00:00:00.000Z')
  assert.equal(read('9999-12-31', 'last'), '9999-12-31T23:59:59.999Z')
})

test('parses date-times with Z or an offset', () => {
  const pairs = [
    ['2026-02-28T10:20:30Z', '2026-02-28T10:20:30.000Z'],
    ['2026-02-28t10:20:30z', '2026-02-28T10:20:30.000Z'],
    ['2026-02-28T10:20:30.5Z', '2026-02-28T10:20:30.500Z'],
    ['2026-02-28T10:20:30.123000000Z', '2026-02-28T10:20:30.123Z'],
    ['2026-02-28T23:20:30+02:00', '2026-02-28T21:20:30.000Z'],
    ['2026-02-28T23:20:30-02:30', '2026-03-01T01:50:30.000Z'],
    ['2026-02-28T10:20:30-00:00', '2026-02-28T10:20:30.000Z'],
    ['2026-02-28T10:20:30+23:59', '2026-02-27T10:21:30.000Z'],
    ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ] as const
  for (const [text, iso] of pairs) {
    assert.equal(read(text, 'first'), iso)
    assert.equal(read(text, 'last'), iso)
  }
})

test('rounds fractions of a millisecond into the range', () => {
  assert.equal(read('2026-01-01T00:00:00.0001Z', 'first'), '2026-01-01T00:00:00.001Z')
  assert.equal(read('2026-01-01T00:00:00.0001Z', 'last'), '2026-01-01T00:00:00.000Z')
  assert.equal(read('2026-01-01T00:00:59.999000001Z', 'first'), '2026-01-01T00:01:00.000Z')
  assert.equal(read('2026-01-01T00:00:59.999999999Z', 'last'), '2026-01-01T00:00:59.999Z')
  assert.equal(read('1969-12-31T23:59:59.9985Z', 'first'), '1969-12-31T23:59:59.999Z')
  assert.equal(read('1969-12-31T23:59:59.9985Z', 'last'), '1969-12-31T23:59:59.998Z')
})

test('rejects everything else', () => {
  const bad = [
    '',
    'now',
    'today',
    'infinity',
    '-infinity',
    'epoch',
    '2026',
    '2026-02',
    '20260101',
    '2026-2-1',
    '26-02-01',
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '-0001-01-01',
    '+002026-01-01',
    '10000-01-01',
    '2026-W01',
    '2026-W01-1',
    '2026-001',
    ' 2026-01-01',
    '2026-01-01 ',
    '2026-01-01\n',
    '2026/01/01',
    '2026-01-01T',
    '2026-01-01T10:20Z',
    '2026-01-01T10:20:30',
    '2026-01-01 10:20:30Z',
    '2026-01-01T10:20:30 Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:61Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T10:20:30.Z',
    '2026-01-01T10:20:30,5Z',
    '2026-01-01T10:20:30.1234567890Z',
    '2026-01-01T10:20:30+0200',
    '2026-01-01T10:20:30+02',
    '2026-01-01T10:20:30+24:00',
    '2026-01-01T10:20:30+02:60',
    '2026-01-01T10:20:30−02:00',
    '2026-01-01T10:20:30ZZ',
    '2026-01-01T10:20:30UTC',
    '2026-01-01Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '٢٠٢٦-٠١-٠١',
    '1767225600000',
  ]
  for (const text of bad) {
    assert.equal(parseTimestamp(text, 'first'), undefined, text)
    assert.equal(parseTimestamp(text, 'last'), undefined, text)
  }
})

test('every rendered time round-trips', () => {
  const written = { min: new Date(-62_135_596_800_000), max: new Date(253_402_300_799_999) }
  fc.assert(
    fc.property(fc.date({ ...written, noInvalidDate: true }), (date) => {
      assert.deepEqual(parseTimestamp(toIso(date), 'first'), date)
      assert.deepEqual(parseTimestamp(toIso(date), 'last'), date)
    }),
  )
})

test('accepts a calendar date exactly if it exists', () => {
  const part = (max: number) => fc.integer({ min: 0, max })
  fc.assert(
    fc.property(part(9999), part(14), part(33), (year, month, day) => {
      const text = [pad(year, 4), pad(month, 2), pad(day, 2)].join('-')
      const date = new Date(`${text}T00:00:00.000Z`)
      const exists = year > 0 && !Number.isNaN(+date) && date.toISOString().startsWith(text)
      assert.equal(parseTimestamp(text, 'first') !== undefined, exists, text)
    }),
    { numRuns: 2000 },
  )
})

function read(text: string, edge: 'first' | 'last'): string | undefined {
  return parseTimestamp(text, edge)?.toISOString()
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

test('parses a duration of a whole number and a unit', () => {
  const good: [string, number][] = [
    ['1s', 1],
    ['90s', 90],
    ['45m', 2_700],
    ['12h', 43_200],
    ['3d', 259_200],
    ['2w', 1_209_600],
    ['007d', 604_800],
    ['0s', 0],
  ]
  for (const [text, seconds] of good) assert.equal(parseDuration(text), seconds, text)
})

test('returns undefined for any other duration', () => {
  const bad = ['', '3', 'd', '3 d', '3D', '-3d', '+3d', '3.5d', '1d12h', '3d ', '3y', '3ms', '٣d']
  for (const text of [...bad, `${'9'.repeat(13)}s`]) assert.equal(parseDuration(text), undefined)
})

test('accepts UTC and locations, including old names', () => {
  const good = [
    'UTC',
    'Etc/UTC',
    'Europe/Berlin',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/New_York',
    'America/Argentina/Buenos_Aires',
    'America/Buenos_Aires',
    'America/North_Dakota/New_Salem',
    'America/Port-au-Prince',
    'America/Coyhaique',
    'Africa/Dar_es_Salaam',
    'Antarctica/DumontDUrville',
    'Arctic/Longyearbyen',
    'Atlantic/Reykjavik',
    'Australia/Lord_Howe',
    'Indian/Maldives',
    'Pacific/Kanton',
  ]
  for (const name of good) assert.ok(isTimeZone(name), name)
})

test('rejects offsets, abbreviations, other spellings and unknown names', () => {
  const bad = [
    '',
    'utc',
    'Utc',
    'GMT',
    'GMT+1',
    'Z',
    'EST',
    'CET',
    'EST5EDT',
    '+02:00',
    '+02',
    'UTC+2',
    'Etc/GMT+5',
    'Etc/GMT',
    'US/Pacific',
    'Canada/Eastern',
    'europe/berlin',
    'EUROPE/BERLIN',
    'Europe/berlin',
    'Europe/Berlin ',
    ' Europe/Berlin',
    'Europe/',
    'Europe',
    '/Berlin',
    'Foo/Bar',
    'Mars/Olympus',
    'America/Argentina',
    'Europe/Berlin\u0000',
    '__proto__',
  ]
  for (const name of bad) assert.ok(!isTimeZone(name), name)
})

test('this Node supports every time zone in the table', () => {
  for (const name of timeZoneNames) {
    assert.match(name, /^[A-Z][a-z]+(\/[A-Za-z_-]+){1,2}$/)
    assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: name }), name)
  }
  assert.equal(timeZoneNames.size, 489)
})

test('every location that this Node lists is in the table', () => {
  const missing = Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))
  assert.deepEqual(
    missing.filter((name) => !name.startsWith('Etc/')),
    [],
  )
})
