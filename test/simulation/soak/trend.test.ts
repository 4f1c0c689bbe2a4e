// Synthetic series: steady memory under garbage collection must pass, a leak must not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../src/operations/seeding/random.ts'
import {
  evaluateMeasure,
  exitCodes,
  missedFloors,
  type SoakTotals,
  soakVerdict,
} from './evaluate-soak.ts'
import { lowestOfEach, medianOf, orderOf, type Point, slopeOf, trendOf } from './trend.ts'

const half_hour_s = 1_800

/** Returns a point every five seconds. */
function series(valueAt: (at_s: number) => number, seconds = half_hour_s): Point[] {
  return Array.from({ length: seconds / 5 }, (_, at) => ({ at_s: at * 5, value: valueAt(at * 5) }))
}

// Rises by 60 MB and falls again every 23 seconds, which is not a multiple of the window length.
const sawtooth = (at_s: number) => ((at_s % 23) / 23) * 60

function noise(): () => number {
  const random = new Random('soak')
  return () => random.fraction() * 8 - 4
}

const memory = { name: 'resident', kind: 'memory', unit: 'MB' } as const
const handles = { name: 'descriptors', kind: 'handles', unit: 'count' } as const
const queue = { name: 'due', kind: 'queue', unit: 'count' } as const

test('a sawtooth around a constant value is flat', () => {
  const jitter = noise()
  const evaluated = evaluateMeasure(
    memory,
    series((at_s) => 150 + sawtooth(at_s) + jitter()),
  )
  assert.equal(evaluated.verdict, 'FLAT')
  assert.ok(Math.abs(evaluated.trend!.share) < 0.02, String(evaluated.trend!.share))
})

test('a sawtooth around a slowly rising value grows', () => {
  const jitter = noise()
  // 40 MB per hour.
  const leak = series((at_s) => 150 + (at_s / 3_600) * 40 + sawtooth(at_s) + jitter())
  const evaluated = evaluateMeasure(memory, leak)
  assert.equal(evaluated.verdict, 'GROWING')
  assert.ok(Math.abs(evaluated.trend!.growth - 10) < 3, String(evaluated.trend!.growth))
})

test('a fast leak is detected within three minutes', () => {
  const jitter = noise()
  const points = Array.from({ length: 180 }, (_, at_s) => ({
    at_s,
    value: 150 + at_s / 5 + sawtooth(at_s) / 2 + jitter(),
  }))
  assert.equal(evaluateMeasure(memory, points).verdict, 'GROWING')
})

test('a step in the first half, as after a start, is flat', () => {
  const step = series((at_s) => (at_s < 600 ? 90 : 160) + sawtooth(at_s))
  assert.equal(evaluateMeasure(memory, step).verdict, 'FLAT')
})

test('a step in the middle of the second half grows, because it looks like a leak', () => {
  const step = series((at_s) => (at_s < 1_350 ? 150 : 210) + sawtooth(at_s))
  assert.equal(evaluateMeasure(memory, step).verdict, 'GROWING')
})

test('outliers do not change the slope', () => {
  const spikes = series((at_s) => (at_s > 1_700 ? 900 : 150) + sawtooth(at_s))
  assert.equal(evaluateMeasure(memory, spikes).verdict, 'FLAT')
})

test('a falling series is flat', () => {
  assert.equal(
    evaluateMeasure(
      memory,
      series((at_s) => 300 - at_s / 20),
    ).verdict,
    'FLAT',
  )
})

test('growth below the tolerance is flat', () => {
  assert.equal(
    evaluateMeasure(
      memory,
      series((at_s) => 150 + at_s / 300),
    ).verdict,
    'FLAT',
  )
})

test('one descriptor a minute is a leak, two additional descriptors are not', () => {
  assert.equal(
    evaluateMeasure(
      handles,
      series((at_s) => 30 + Math.floor(at_s / 60)),
    ).verdict,
    'GROWING',
  )
  assert.equal(
    evaluateMeasure(
      handles,
      series((at_s) => 30 + (at_s > 1_500 ? 2 : 0)),
    ).verdict,
    'FLAT',
  )
})

test('a queue that is emptied repeatedly is flat, one that is not grows', () => {
  const emptied = series((at_s) => (at_s % 20) * 30)
  assert.equal(evaluateMeasure(queue, emptied).verdict, 'FLAT')
  const full = series((at_s) => at_s / 2 + (at_s % 20) * 30)
  assert.equal(evaluateMeasure(queue, full).verdict, 'GROWING')
  assert.equal(
    evaluateMeasure(
      queue,
      series(() => 0),
    ).verdict,
    'FLAT',
  )
})

test('a series that is too short has no verdict', () => {
  assert.equal(evaluateMeasure(memory, []).verdict, 'TOO FEW')
  assert.equal(
    evaluateMeasure(
      memory,
      series(() => 150, 40),
    ).verdict,
    'TOO FEW',
  )
})

test('a measure of kind "reported" is never evaluated', () => {
  const reported = { name: 'database', kind: 'reported', unit: 'MB' } as const
  assert.equal(
    evaluateMeasure(
      reported,
      series((at_s) => at_s),
    ).verdict,
    'REPORTED',
  )
})

test('slope, order and median match values calculated by hand', () => {
  const line = [0, 1, 2, 3, 4].map((at_s) => ({ at_s, value: 2 * at_s + 1 }))
  assert.equal(slopeOf(line), 2)
  // S is 10 of 10 pairs with variance 16.67, minus 1 as continuity correction.
  assert.ok(Math.abs(orderOf(line) - 9 / Math.sqrt(50 / 3)) < 1e-9)
  assert.equal(orderOf(line.map(({ at_s }) => ({ at_s, value: 7 }))), 0)
  assert.equal(medianOf([3, 1, 2]), 2)
  assert.equal(medianOf([4, 1, 2, 3]), 2.5)
  assert.deepEqual(
    lowestOfEach(line, 2).map(({ value }) => value),
    [1, 5],
  )
  assert.equal(trendOf(line), undefined)
})

const totals: SoakTotals = {
  done: { pay: 30, read: 500 },
  wrong: 0,
  restarts: 0,
  seconds: half_hour_s,
  per_second: 99,
  target_per_second: 100,
}

test('the verdict is the worst that is certain', () => {
  const flat = evaluateMeasure(
    memory,
    series(() => 150),
  )
  const growing = evaluateMeasure(
    memory,
    series((at_s) => 150 + at_s),
  )
  const short = evaluateMeasure(memory, [])
  assert.equal(soakVerdict([flat], totals), 'FLAT')
  assert.equal(soakVerdict([flat, growing], { ...totals, wrong: 3 }), 'GROWING')
  assert.equal(soakVerdict([flat], { ...totals, wrong: 3 }), 'FAILED')
  assert.equal(soakVerdict([flat], { ...totals, restarts: 1 }), 'FAILED')
  assert.equal(soakVerdict([flat, short], totals), 'INVALID')
  assert.equal(soakVerdict([flat], { ...totals, done: { pay: 29 } }), 'INVALID')
  assert.equal(soakVerdict([flat], { ...totals, per_second: 80 }), 'INVALID')
  assert.deepEqual(exitCodes, { FLAT: 0, GROWING: 1, FAILED: 1, INVALID: 2 })
})

test('missedFloors names what was missed', () => {
  assert.deepEqual(missedFloors({ ...totals, per_second: 80, done: { pay: 2 } }), [
    '80 of 100 requests per second',
    'pay 2 of 30',
  ])
})
