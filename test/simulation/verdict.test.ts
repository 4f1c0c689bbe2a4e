import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailover, failoverTimes, slowFailovers } from './failover-times.ts'
import { nemesisNames } from './nemesis/nemesis-names.ts'
import { smallHistory } from './small-history.ts'
import {
  addCounts,
  countHistory,
  exitCodes,
  floorsOf,
  lastLine,
  missedFloors,
  runVerdict,
} from './verdict.ts'

const all = [...nemesisNames]
const topology = {
  database: 'embedded',
  instances: 1,
  standby: false,
  patroni: false,
  provider: false,
}

test('sixty seconds with sixteen clients have the documented floors', () => {
  const floors = floorsOf({ seconds: 60, clients: 16, nemesis: all, ...topology })
  const { kills, acknowledged, in_doubt, audits } = floors
  assert.deepEqual([kills, acknowledged, in_doubt, audits], [20, 5_000, 100, 200])
})

test('floors rise with the duration and fall with fewer clients', () => {
  const hour = floorsOf({ seconds: 3_600, clients: 16, nemesis: all, ...topology })
  assert.deepEqual([hour.kills, hour.acknowledged], [1_200, 300_000])
  const four = floorsOf({ seconds: 60, clients: 4, nemesis: all, ...topology })
  assert.deepEqual([four.kills, four.acknowledged, four.audits], [20, 1_250, 200])
})

test('a run without kills has no floor for kills', () => {
  const floors = floorsOf({ seconds: 60, clients: 16, nemesis: ['hold-locks'], ...topology })
  assert.deepEqual([floors.kills, floors.in_doubt, floors.fault_kinds], [0, 0, 1])
})

test('floors do not include faults that are impossible in the topology', () => {
  const run = { seconds: 600, clients: 16, nemesis: all }
  const kinds = (database: string, instances: number) =>
    floorsOf({ ...run, ...topology, database, instances }).fault_kinds
  assert.deepEqual([kinds('embedded', 1), kinds('embedded', 2)], [11, 12])
  assert.equal(kinds('postgres://it', 1), 9)
})

test('a run with a standby must fail over and interrupt waits for the standby', () => {
  const run = { seconds: 20, clients: 16, nemesis: all, ...topology }
  const with_standby = floorsOf({ ...run, standby: true })
  assert.deepEqual([with_standby.failovers, with_standby.interrupted_waits], [1, 10])
  const without = floorsOf(run)
  assert.deepEqual([without.failovers, without.interrupted_waits], [0, 0])
})

test('with several servers, each must acknowledge writes and be killed', () => {
  const run = { seconds: 60, clients: 16, nemesis: all, ...topology }
  const three = floorsOf({ ...run, instances: 3 })
  assert.deepEqual([three.servers_used, three.servers_killed], [3, 3])
  assert.equal(three.replayed_elsewhere, 300)
  assert.equal(floorsOf(run).replayed_elsewhere, 0)
  const history = smallHistory()
  const one = countHistory(history)
  assert.deepEqual([one.servers_used, one.servers_killed, one.replayed_elsewhere], [1, 0, 0])
  const replay = history.attempts.find(({ replayed }) => replayed)!
  const attempts = [...history.attempts, { ...replay, server: 2 }]
  const faults = history.faults.map((fault) => ({ ...fault, server: 1 }))
  const counts = countHistory({ ...history, attempts, faults })
  assert.deepEqual([counts.servers_killed, counts.replayed_elsewhere], [1, 1])
})

test('a run with Patroni must do each of its faults', () => {
  const run = { seconds: 20, clients: 16, ...topology, patroni: true }
  assert.equal(floorsOf({ ...run, nemesis: ['switch-over', 'lose-primary'] }).failovers, 2)
})

test('the outage of a failover is the longest gap between acknowledged writes around it', () => {
  const [first] = smallHistory().attempts.filter(({ result }) => result === 'ok')
  const attempts = [10, 60, 900, 950, 4_000].map((done_ms) => ({ ...first!, done_ms }))
  const fault = { kind: 'fault', name: 'lose-primary', begun_ms: 100, healed_ms: 1_000 } as const
  const faults = [{ ...fault, without_primary_ms: 700 }, fault]
  const times = failoverTimes({ ...smallHistory(), attempts, faults })
  // The gap after 950 ms begins before the cluster is complete again.
  assert.deepEqual(times, [{ name: 'lose-primary', outage_ms: 3_050, without_primary_ms: 700 }])
  assert.match(
    describeFailover(times[0]!),
    /0\.70 s without a primary, 3\.05 s .*difference 2\.35 s/,
  )
  const silent = failoverTimes({ ...smallHistory(), attempts: attempts.slice(0, 2), faults })
  assert.equal(silent[0]!.outage_ms, 940, 'until the end of the fault')
})

test('a run is invalid if an outage lasts a second longer than the failover', () => {
  const times = { name: 'lose-primary', without_primary_ms: 700 }
  assert.deepEqual(slowFailovers([{ ...times, outage_ms: 1_700 }]), [])
  const slow = slowFailovers([{ ...times, outage_ms: 3_050 }])
  assert.deepEqual(slow, ['lose-primary 3.05 s of at most 1.70 s'])
  assert.equal(runVerdict(0, slow), 'INVALID')
})

test('a run with too little coverage is invalid and lists what it missed', () => {
  const counts = countHistory(smallHistory())
  const missed = missedFloors(counts, { kills: 1, audits: 200 })
  assert.deepEqual(missed, ['audits 1 of 200'])
  assert.equal(runVerdict(0, missed), 'INVALID')
  assert.equal(runVerdict(0, []), 'VALID')
  assert.equal(runVerdict(1, missed), 'VIOLATION')
  assert.deepEqual(exitCodes, { VALID: 0, VIOLATION: 1, INVALID: 2 })
})

test('countHistory counts writes and resolves unknown outcomes', () => {
  const counts = countHistory(smallHistory())
  assert.equal(counts.acknowledged, 9)
  assert.deepEqual([counts.in_doubt, counts.happened, counts.did_not_happen], [2, 0, 1])
  assert.deepEqual([counts.replayed, counts.refused_402, counts.revoked], [1, 1, 1])
  const [webhook] = smallHistory().webhooks
  const again = countHistory({ ...smallHistory(), webhooks: [webhook!, webhook!, webhook!] })
  assert.deepEqual([counts.repeated_webhooks, again.repeated_webhooks], [0, 2])
  assert.deepEqual([counts.kills, counts.faults, counts.slowest_recovery_ms], [1, 2, 20])
})

test('rounds are added up, except for maxima', () => {
  const counts = countHistory(smallHistory())
  const both = addCounts(counts, { ...counts, slowest_recovery_ms: 30 })
  assert.equal(both.acknowledged, 18)
  assert.deepEqual([both.fault_kinds, both.slowest_recovery_ms], [2, 30])
})

test('the last line has every count, the seed, and the verdict at its end', () => {
  const line = lastLine('VALID', countHistory(smallHistory()), { seed: 7 })
  assert.match(line, /^chaos kills=1 .*acknowledged=9 .*seed=7 VALID$/)
})
