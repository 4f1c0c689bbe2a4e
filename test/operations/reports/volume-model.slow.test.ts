// Compares volume reports with a model: random histories around daylight saving changes, in many
// time zones, with every interval and random periods.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../src/operations/seeding/random.ts'
import { startFlorin } from '../../support/florin.ts'
import { clockChanges, labelOf, sumExpectedVolume, type VolumeRow } from './expected-volume.ts'
import { writeTransactions } from './write-transactions.ts'

const florin = await startFlorin()
const seed = process.env.FLORIN_VOLUME_SEED ?? String(Date.now())

// Includes offsets of 30 and 45 minutes, changes by half an hour, changes at midnight, and UTC+14.
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
]
const intervals = ['hour', 'day', 'week', 'month'] as const
const periods_each = process.env.FLORIN_LONG ? 5 : 3

const hour_ms = 3_600_000
const start_ms = Math.ceil(Date.now() / hour_ms + 24) * hour_ms
const hours = 500 * 24

function drawHistory(random: Random, changes: number[]): VolumeRow[] {
  const times = Array.from({ length: 250 }, () => {
    const anywhere = start_ms + random.below(hours) * hour_ms
    const near = changes.length > 0 && random.chance(0.5) ? random.pick(changes)! : anywhere
    // Exactly at the edge, a millisecond or an hour off, or within two days.
    const offset = random.pick([0, -1, 1, hour_ms, -hour_ms, undefined])
    return near + (offset ?? random.below(48 * hour_ms))
  }).sort((one, other) => one - other)
  let available = 0
  return times.map((at_ms) => {
    const amount = 1 + random.below(100_000)
    const status = random.pick([
      'pending',
      'succeeded',
      'succeeded',
      'failed',
      'canceled',
      'declined',
    ] as const)!
    const may_refund = available >= amount
    const type = may_refund && random.chance(0.4) ? 'refund' : random.pick(['payment', 'credit'])!
    if (type === 'refund' && (status === 'succeeded' || status === 'pending')) available -= amount
    if (type !== 'refund' && status === 'succeeded') available += amount
    return { at_ms, type, status, amount } as VolumeRow
  })
}

const longest: Record<string, number> = { hour: 16, day: 390, week: 499, month: 499 }

function drawPeriod(random: Random, edges: number[], interval: string) {
  const from = random.pick(edges)! + random.pick([0, 0, 1, -1, -7 * hour_ms])!
  const length_ms = 1 + random.below(longest[interval]! * 24 * hour_ms)
  return { from, to: from + length_ms - 1 }
}

const within = (history: VolumeRow[], from: number, to: number) =>
  history.filter(({ at_ms }) => at_ms >= from && at_ms <= to)

for (const zone of zones) {
  test(`volumes in ${zone} match the model (seed ${seed})`, async () => {
    const random = new Random(seed, zone)
    const { token, account_id } = await florin.people.owner()
    const settings = { settings: { timezone: zone } }
    const set = await florin.call('PATCH', '/v1/account', { token, body: settings })
    assert.equal(set.status, 200, set.text)
    const changes = clockChanges(start_ms, hours, zone)
    const history = await writeTransactions(florin.db, account_id, drawHistory(random, changes))
    const edges = [...changes, ...history.map(({ at_ms }) => at_ms)]
    for (const interval of intervals) {
      for (let n = 0; n < periods_each; n += 1) {
        const { from, to } = drawPeriod(random, edges, interval)
        const query = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
        const path = `/v1/account/volume?${query}&interval=${interval}`
        const response = await florin.call('GET', path, { token })
        assert.equal(response.status, 200, response.text)
        checkReport(response.body, { history, from, to, interval, zone })
      }
    }
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the response is under test.
function checkReport(report: any, request: ReportRequest): void {
  const { history, from, to, interval, zone } = request
  const where = `${zone} ${interval} ${report.from} ${report.to}`
  assert.deepEqual([Date.parse(report.from), Date.parse(report.to)], [from, to], where)
  assert.equal(report.timezone, zone)
  const { success_rate, ...totals } = report.totals
  const expected = sumExpectedVolume(within(history, from, to))
  assert.deepEqual(totals, expected, where)
  const ended = expected.succeeded + expected.failed + expected.declined_attempts
  const rate = ended === 0 ? null : Number((expected.succeeded / ended).toFixed(4))
  assert.equal(success_rate, rate, where)
  checkBuckets(report.buckets, request, where)
  const { from: before_from, to: before_to, success_rate: _, buckets, ...before } = report.previous
  assert.equal(Date.parse(before_to), from - 1, where)
  const [first, last] = [Date.parse(before_from), Date.parse(before_to)]
  // The same length, except for daylight saving changes between whole days.
  assert.ok(Math.abs(last - first - (to - from)) <= 2 * hour_ms, where)
  assert.deepEqual(before, sumExpectedVolume(within(history, first, last)), where)
  checkBuckets(buckets, { ...request, from: first, to: last }, where)
}

interface ReportRequest {
  history: VolumeRow[]
  from: number
  to: number
  interval: string
  zone: string
}

function checkBuckets(
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the response is under test.
  buckets: any[],
  { history, from, to, interval, zone }: ReportRequest,
  where: string,
): void {
  let expected_from = from
  const inside = within(history, from, to)
  const by_label = Map.groupBy(inside, ({ at_ms }) => labelOf(at_ms, interval, zone))
  const labels = new Set<string>()
  for (const { from: begins, to: ends, ...volume } of buckets) {
    const [first, last] = [Date.parse(begins), Date.parse(ends)]
    assert.equal(first, expected_from, `${where}: ${begins} follows the previous bucket`)
    assert.ok(last >= first, where)
    expected_from = last + 1
    const label = labelOf(first, interval, zone)
    assert.equal(labelOf(last, interval, zone), label, `${where}: ${begins} is one ${interval}`)
    assert.ok(!labels.has(label), `${where}: ${label} occurs once`)
    labels.add(label)
    assert.deepEqual(volume, sumExpectedVolume(by_label.get(label) ?? []), `${where}: ${label}`)
  }
  assert.equal(expected_from, to + 1, where)
}
