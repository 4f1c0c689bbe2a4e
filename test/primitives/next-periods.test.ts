import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextPeriods } from '../../src/primitives/next-periods.ts'
import { type Interval, periodAt, type Schedule } from '../../src/primitives/period.ts'

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
