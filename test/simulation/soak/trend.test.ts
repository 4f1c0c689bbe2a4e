// Hand-made series: what a garbage collector makes of steady memory must pass, what a leak makes of
// it must not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../src/seeding/random.ts'
import {
  evaluateMeasure,
  exitCodes,
  missedFloors,
  type SoakTotals,
  soakVerdict,
} from './evaluate-soak.ts'
import { lowestOfEach, medianOf, orderOf, type Point, slopeOf, trendOf } from './trend.ts'

const half_hour_s = 1_800

/** One point every five seconds. */
function series(valueAt: (at_s: number) => number, seconds = half_hour_s): Point[] {
  return Array.from({ length: seconds / 5 }, (_, at) => ({ at_s: at * 5, value: valueAt(at * 5) }))
}

// Up by 60 MB and down again, every 23 seconds: no multiple of the windows' length.
const sawtooth = (at_s: number) => ((at_s % 23) / 23) * 60

function noise(): () => number {
  const random = new Random('soak')
  return () => random.fraction() * 8 - 4
}

const memory = { name: 'resident', kind: 'memory', unit: 'MB' } as const
const handles = { name: 'descriptors', kind: 'handles', unit: 'count' } as const
const queue = { name: 'due', kind: 'queue', unit: 'count' } as const

test('a sawtooth on steady ground is flat', () => {
  const jitter = noise()
  const judged = evaluateMeasure(
    memory,
    series((at_s) => 150 + sawtooth(at_s) + jitter()),
  )
  assert.equal(judged.verdict, 'FLAT')
  assert.ok(Math.abs(judged.trend!.share) < 0.02, String(judged.trend!.share))
})

test('a sawtooth on ground that rises slowly grows', () => {
  const jitter = noise()
  // Forty megabytes an hour.
  const leak = series((at_s) => 150 + (at_s / 3_600) * 40 + sawtooth(at_s) + jitter())
  const judged = evaluateMeasure(memory, leak)
  assert.equal(judged.verdict, 'GROWING')
  assert.ok(Math.abs(judged.trend!.growth - 10) < 3, String(judged.trend!.growth))
})

test('a leak of three minutes is seen in three minutes', () => {
  const jitter = noise()
  const points = Array.from({ length: 180 }, (_, at_s) => ({
    at_s,
    value: 150 + at_s / 5 + sawtooth(at_s) / 2 + jitter(),
  }))
  assert.equal(evaluateMeasure(memory, points).verdict, 'GROWING')
})

test('what a start fills is in the first half, and flat', () => {
  const step = series((at_s) => (at_s < 600 ? 90 : 160) + sawtooth(at_s))
  assert.equal(evaluateMeasure(memory, step).verdict, 'FLAT')
})

test('a step in the midst of the second half cannot be told from a leak, and grows', () => {
  const step = series((at_s) => (at_s < 1_350 ? 150 : 210) + sawtooth(at_s))
  assert.equal(evaluateMeasure(memory, step).verdict, 'GROWING')
})

test('a few points that lie do not move the slope', () => {
  const spikes = series((at_s) => (at_s > 1_700 ? 900 : 150) + sawtooth(at_s))
  assert.equal(evaluateMeasure(memory, spikes).verdict, 'FLAT')
})

test('what shrinks is flat', () => {
  assert.equal(
    evaluateMeasure(
      memory,
      series((at_s) => 300 - at_s / 20),
    ).verdict,
    'FLAT',
  )
})

test('noise that happens to rise by less than the tolerance is flat', () => {
  assert.equal(
    evaluateMeasure(
      memory,
      series((at_s) => 150 + at_s / 300),
    ).verdict,
    'FLAT',
  )
})

test('one descriptor a minute is a leak, two readers who came are none', () => {
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

test('a queue that is emptied again and again is flat, one that never is grows', () => {
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

test('a series that is too short says nothing', () => {
  assert.equal(evaluateMeasure(memory, []).verdict, 'TOO FEW')
  assert.equal(
    evaluateMeasure(
      memory,
      series(() => 150, 40),
    ).verdict,
    'TOO FEW',
  )
})

test('what is only told is never judged', () => {
  const told = { name: 'database', kind: 'reported', unit: 'MB' } as const
  assert.equal(
    evaluateMeasure(
      told,
      series((at_s) => at_s),
    ).verdict,
    'REPORTED',
  )
})

test('slope, order and median are what the books say', () => {
  const line = [0, 1, 2, 3, 4].map((at_s) => ({ at_s, value: 2 * at_s + 1 }))
  assert.equal(slopeOf(line), 2)
  // S is 10 of 10 pairs, its variance 16.67, and one is taken off for continuity.
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

const seen: SoakTotals = {
  done: { pay: 30, read: 500 },
  wrong: 0,
  restarts: 0,
  seconds: half_hour_s,
  per_second: 99,
  per_second_wanted: 100,
}

test('the verdict says the worst that is certain', () => {
  const flat = evaluateMeasure(
    memory,
    series(() => 150),
  )
  const growing = evaluateMeasure(
    memory,
    series((at_s) => 150 + at_s),
  )
  const short = evaluateMeasure(memory, [])
  assert.equal(soakVerdict([flat], seen), 'FLAT')
  assert.equal(soakVerdict([flat, growing], { ...seen, wrong: 3 }), 'GROWING')
  assert.equal(soakVerdict([flat], { ...seen, wrong: 3 }), 'FAILED')
  assert.equal(soakVerdict([flat], { ...seen, restarts: 1 }), 'FAILED')
  assert.equal(soakVerdict([flat, short], seen), 'INVALID')
  assert.equal(soakVerdict([flat], { ...seen, done: { pay: 29 } }), 'INVALID')
  assert.equal(soakVerdict([flat], { ...seen, per_second: 80 }), 'INVALID')
  assert.deepEqual(exitCodes, { FLAT: 0, GROWING: 1, FAILED: 1, INVALID: 2 })
})

test('what was missed is named', () => {
  assert.deepEqual(missedFloors({ ...seen, per_second: 80, done: { pay: 2 } }), [
    '80 of 100 requests a second',
    'pay 2 of 30',
  ])
})
