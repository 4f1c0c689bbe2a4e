import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  firstPeriodAfter,
  type Interval,
  nextPeriods,
  periodAt,
  reminderTime,
  type Schedule,
} from '../../src/primitives/period.ts'
import { toLocalIso, wallTimeAt } from '../../src/primitives/time.ts'

interface Row {
  why: string
  anchor: string
  zone: string
  every: [Interval, number]
  /** The start times of the periods after the first. */
  later: string[]
}

const rows: Row[] = [
  {
    why: 'a short month moves the start to its last day, the next month does not',
    anchor: '2026-01-31T09:30:00.123Z',
    zone: 'UTC',
    every: ['month', 1],
    later: ['2026-02-28T09:30:00.123Z', '2026-03-31T09:30:00.123Z', '2026-04-30T09:30:00.123Z'],
  },
  {
    why: 'a leap year has a February 29',
    anchor: '2028-01-30T00:00:00.000Z',
    zone: 'UTC',
    every: ['month', 1],
    later: ['2028-02-29T00:00:00.000Z', '2028-03-30T00:00:00.000Z'],
  },
  {
    why: 'a year after February 29 is February 28, and after four years the 29th again',
    anchor: '2028-02-29T12:00:00.000Z',
    zone: 'UTC',
    every: ['year', 1],
    later: [
      '2029-02-28T12:00:00.000Z',
      '2030-02-28T12:00:00.000Z',
      '2031-02-28T12:00:00.000Z',
      '2032-02-29T12:00:00.000Z',
    ],
  },
  {
    why: 'quarters continue over the end of the year',
    anchor: '2026-11-30T12:00:00.000Z',
    zone: 'UTC',
    every: ['month', 3],
    later: ['2027-02-28T12:00:00.000Z', '2027-05-30T12:00:00.000Z', '2027-08-30T12:00:00.000Z'],
  },
  {
    why: 'the day is the local day: midnight in Berlin is the previous day in UTC',
    anchor: '2026-01-30T23:30:00.000Z',
    zone: 'Europe/Berlin',
    every: ['month', 1],
    later: ['2026-02-27T23:30:00.000Z', '2026-03-30T22:30:00.000Z', '2026-04-29T22:30:00.000Z'],
  },
  {
    why: 'nine in the morning in Berlin stays nine when daylight saving starts',
    anchor: '2026-03-28T08:00:00.000Z',
    zone: 'Europe/Berlin',
    every: ['day', 1],
    later: ['2026-03-29T07:00:00.000Z', '2026-03-30T07:00:00.000Z'],
  },
  {
    why: 'a skipped hour in Berlin moves forward, on that day only',
    anchor: '2026-03-28T01:30:00.000Z',
    zone: 'Europe/Berlin',
    every: ['day', 1],
    later: ['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
  },
  {
    why: 'uses the first of a repeated hour in Berlin',
    anchor: '2026-10-24T00:30:00.000Z',
    zone: 'Europe/Berlin',
    every: ['day', 1],
    later: ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  },
  {
    why: 'a skipped hour in New York moves forward',
    anchor: '2026-02-08T07:30:00.000Z',
    zone: 'America/New_York',
    every: ['month', 1],
    later: ['2026-03-08T07:30:00.000Z', '2026-04-08T06:30:00.000Z'],
  },
  {
    why: 'uses the first of a repeated hour in New York',
    anchor: '2026-10-25T05:30:00.000Z',
    zone: 'America/New_York',
    every: ['week', 1],
    later: ['2026-11-01T05:30:00.000Z', '2026-11-08T06:30:00.000Z'],
  },
  {
    why: 'Kolkata has an offset with half an hour, and no daylight saving',
    anchor: '2026-01-30T18:30:00.000Z',
    zone: 'Asia/Kolkata',
    every: ['month', 1],
    later: ['2026-02-27T18:30:00.000Z', '2026-03-30T18:30:00.000Z'],
  },
  {
    why: 'Lord Howe changes its clocks by half an hour',
    anchor: '2026-10-02T15:45:00.000Z',
    zone: 'Australia/Lord_Howe',
    every: ['day', 1],
    later: ['2026-10-03T15:45:00.000Z', '2026-10-04T15:15:00.000Z'],
  },
  {
    why: 'Santiago skips midnight when daylight saving starts',
    anchor: '2026-08-30T04:00:00.000Z',
    zone: 'America/Santiago',
    every: ['week', 1],
    later: ['2026-09-06T04:00:00.000Z', '2026-09-13T03:00:00.000Z'],
  },
]

for (const { why, anchor, zone, every, later } of rows) {
  test(why, () => {
    const schedule = scheduleOf(anchor, zone, every)
    const found = later.map((_, at) => periodAt(schedule, at + 1).toISOString())
    assert.deepEqual(found, later)
    assert.equal(periodAt(schedule, 0).toISOString(), anchor)
  })
}

function scheduleOf(anchor: string, zone: string, [interval, interval_count]: [Interval, number]) {
  return { anchor_at: new Date(anchor), interval, interval_count, zone }
}

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Apia',
]

const schedules: fc.Arbitrary<Schedule> = fc.record({
  anchor_at: fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2060-01-01T00:00:00Z'),
    noInvalidDate: true,
  }),
  interval: fc.constantFrom<Interval>('day', 'week', 'month', 'year'),
  interval_count: fc.integer({ min: 1, max: 3 }),
  zone: fc.constantFrom(...zones),
})

test('periods are ascending, and each is close to its calendar date', () => {
  const days = { day: [1, 1], week: [7, 7], month: [28, 31], year: [365, 366] } as const
  fc.assert(
    fc.property(schedules, fc.integer({ min: 0, max: 500 }), (schedule, number) => {
      const [least, most] = days[schedule.interval]
      const first = periodAt(schedule, number).getTime()
      const passed = (periodAt(schedule, number + 1).getTime() - first) / 86_400_000
      // Clocks change by at most three hours, and a short month does not affect the next period.
      assert.ok(passed > least * schedule.interval_count - 3.2, String(passed))
      assert.ok(passed < most * schedule.interval_count + 3.2, String(passed))
      assert.ok(passed > 0.5)
    }),
  )
})

test('the wall time stays the same, unless clocks skip it', () => {
  const inDay = (ms: number) => ((ms % 86_400_000) + 86_400_000) % 86_400_000
  fc.assert(
    fc.property(schedules, fc.integer({ min: 1, max: 500 }), (schedule, number) => {
      const { anchor_at, zone } = schedule
      const at = periodAt(schedule, number).getTime()
      const wanted = inDay(wallTimeAt(anchor_at.getTime(), zone))
      const shown = inDay(wallTimeAt(at, zone))
      if (shown === wanted) return
      const three_hours_ms = 10_800_000
      const leap = wallTimeAt(at, zone) - wallTimeAt(at - three_hours_ms, zone)
      assert.ok(leap > three_hours_ms, 'clocks were set forward in the hours before')
    }),
  )
})

test('months and years keep the day of the month, or use the last day', () => {
  fc.assert(
    fc.property(schedules, fc.integer({ min: 1, max: 500 }), (schedule, number) => {
      if (schedule.interval === 'day' || schedule.interval === 'week') return
      const { anchor_at, zone } = schedule
      const day = new Date(wallTimeAt(anchor_at.getTime(), zone)).getUTCDate()
      const shown = new Date(wallTimeAt(periodAt(schedule, number).getTime(), zone))
      if (shown.getUTCDate() === day) return
      const tomorrow = new Date(shown.getTime() + 86_400_000)
      assert.equal(tomorrow.getUTCDate(), 1, shown.toISOString())
      assert.ok(shown.getUTCDate() < day)
    }),
  )
})

test('firstPeriodAfter returns the first period after a time', () => {
  const anywhere = fc.integer({ min: -400, max: 40_000 })
  fc.assert(
    fc.property(schedules, anywhere, fc.integer({ min: 0, max: 40 }), (schedule, days, from) => {
      const at = new Date(schedule.anchor_at.getTime() + days * 86_400_000)
      const number = firstPeriodAfter(schedule, at, from)
      assert.ok(number >= from)
      assert.ok(periodAt(schedule, number) > at)
      if (number > from) assert.ok(periodAt(schedule, number - 1) <= at)
    }),
  )
})

test('firstPeriodAfter excludes a period that starts exactly at the time', () => {
  const schedule = scheduleOf('2026-01-31T09:30:00.000Z', 'UTC', ['month', 1])
  assert.equal(firstPeriodAfter(schedule, new Date('2026-02-28T09:30:00.000Z'), 1), 2)
  assert.equal(firstPeriodAfter(schedule, new Date('2026-02-28T09:29:59.999Z'), 1), 1)
})

test('toLocalIso uses the offset of the zone at that time', () => {
  const winter = '2026-11-15T23:30:00.123Z'
  assert.equal(toLocalIso(winter, 'UTC'), '2026-11-15T23:30:00.123+00:00')
  assert.equal(toLocalIso(winter, 'Europe/Zurich'), '2026-11-16T00:30:00.123+01:00')
  assert.equal(toLocalIso('2026-07-01T12:00:00.000Z', 'Europe/Zurich').slice(-6), '+02:00')
  assert.equal(toLocalIso(winter, 'Asia/Kolkata'), '2026-11-16T05:00:00.123+05:30')
  assert.equal(toLocalIso(winter, 'America/St_Johns'), '2026-11-15T20:00:00.123-03:30')
})

const monthly: Schedule = {
  anchor_at: new Date('2026-01-31T09:30:00.123Z'),
  interval: 'month',
  interval_count: 1,
  zone: 'UTC',
}

const text = (dates: Date[]) => dates.map((date) => date.toISOString())

test('after a short month, periods start on the day of the first period again', () => {
  assert.deepEqual(text(nextPeriods(monthly, new Date('2026-02-28T09:30:00.123Z'), 3)), [
    '2026-02-28T09:30:00.123Z',
    '2026-03-31T09:30:00.123Z',
    '2026-04-30T09:30:00.123Z',
  ])
})

test('periods follow without a gap, whichever is next', () => {
  const schedules = fc.record({
    anchor_at: fc.date({
      min: new Date('2024-01-01'),
      max: new Date('2030-01-01'),
      noInvalidDate: true,
    }),
    interval: fc.constantFrom<Interval>('day', 'week', 'month', 'year'),
    interval_count: fc.integer({ min: 1, max: 3 }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  })
  fc.assert(
    fc.property(schedules, fc.integer({ min: 1, max: 200 }), (schedule, number) => {
      const expected = [0, 1, 2, 3].map((at) => periodAt(schedule, number + at))
      assert.deepEqual(text(nextPeriods(schedule, expected[0]!, 4)), text(expected))
    }),
  )
})

test('after a change of time zone, the next period stays and later ones move', () => {
  const berlin = { ...monthly, zone: 'Europe/Berlin' }
  const stored = periodAt({ ...monthly, zone: 'Asia/Tokyo' }, 3)
  const [first, second] = nextPeriods(berlin, stored, 2)
  assert.deepEqual([first, second], [stored, periodAt(berlin, 4)])
})

test('the reminder is due three days before expiry', () => {
  const expires_at = new Date('2026-12-14T08:00:00.000Z')
  const created_at = new Date('2026-11-14T08:00:00.000Z')
  const at = (days: number | null) => reminderTime(expires_at, days, created_at)?.toISOString()
  assert.equal(at(null), '2026-12-11T08:00:00.000Z')
  assert.equal(at(29), '2026-11-15T08:00:00.000Z')
  assert.equal(at(0), undefined)
  assert.equal(reminderTime(expires_at, null, new Date('2026-12-11T03:00:00.000Z')), null)
})
