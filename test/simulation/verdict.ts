// Decides whether a run is valid. With too little coverage it is not, whatever the checks found.

import { resolveDoubts } from './checks/one-effect-for-each-write.ts'
import type { History } from './history.ts'
import { type NemesisName, possibleFaults } from './nemesis/nemesis-names.ts'
import type { Options } from './options.ts'
import { type Write, writesOf } from './writes.ts'

export interface Counts {
  kills: number
  faults: number
  fault_kinds: number
  requests: number
  acknowledged: number
  in_doubt: number
  happened: number
  did_not_happen: number
  replayed: number
  /** Replayed by another server than the one that acknowledged the write. */
  replayed_elsewhere: number
  /** Servers that acknowledged writes, and those that were killed alone. */
  servers_used: number
  servers_killed: number
  refused_402: number
  unavailable_503: number
  reads: number
  walks: number
  audits: number
  webhooks: number
  /** Deliveries after the first of an event. */
  repeated_webhooks: number
  revoked: number
  failed_starts: number
  failovers: number
  interrupted_waits: number
  slowest_recovery_ms: number
  /** With a payment provider; otherwise zero. */
  charges: number
  late: number
  refunds: number
  disputes: number
  notices: number
  lost_notices: number
  outages: number
}

type Count = keyof Counts

export function countHistory(history: History): Counts {
  const { attempts, faults, walks, audits, webhooks } = history
  const writes = writesOf(history)
  const kills = faults.filter(({ name }) => name.startsWith('kill'))
  const recoveries = kills.map(({ begun_ms, healed_ms }) => healed_ms - begun_ms)
  const acknowledged = writes.filter((write) => write.acknowledged !== undefined)
  return {
    kills: kills.length,
    faults: faults.length,
    fault_kinds: new Set(faults.map(({ name }) => name)).size,
    requests: attempts.length,
    acknowledged: acknowledged.length,
    in_doubt: writes.filter(({ in_doubt }) => in_doubt).length,
    ...resolveDoubts(history),
    replayed: attempts.filter(({ replayed }) => replayed).length,
    replayed_elsewhere: writes.reduce((sum, write) => sum + countElsewhere(write), 0),
    servers_used: new Set(acknowledged.map((write) => write.acknowledged!.server)).size,
    servers_killed: new Set(faults.flatMap(({ server }) => server ?? [])).size,
    refused_402: attempts.filter(({ status }) => status === 402).length,
    unavailable_503: attempts.filter(({ status }) => status === 503).length,
    reads: attempts.filter(({ tag, result }) => tag === null && result === 'ok').length,
    walks: walks.length,
    audits: audits.length,
    webhooks: webhooks.length,
    repeated_webhooks: webhooks.length - new Set(webhooks.map(({ event }) => event)).size,
    revoked: acknowledged.filter(({ operation }) => operation === 'revoke').length,
    failed_starts: faults.reduce((sum, fault) => sum + (fault.failed_starts ?? 0), 0),
    failovers: faults.filter(({ failed_over }) => failed_over).length,
    interrupted_waits: faults.reduce((sum, fault) => sum + (fault.interrupted_waits ?? 0), 0),
    slowest_recovery_ms: Math.round(Math.max(0, ...recoveries)),
    ...countProvider(history),
  }
}

function countElsewhere({ attempts, acknowledged }: Write): number {
  return attempts.filter(({ replayed, server }) => replayed && server !== acknowledged?.server)
    .length
}

function countProvider({ provider, final, notices, faults }: History) {
  const late = final.transactions.filter(
    ({ type, metadata }) => type === 'payment' && metadata.late_payment === true,
  )
  return {
    charges: provider?.charges.length ?? 0,
    late: late.length,
    refunds: provider?.refunds.length ?? 0,
    disputes: provider?.disputes.length ?? 0,
    notices: notices.filter(({ status }) => status !== null).length,
    lost_notices: notices.filter(({ is_dropped }) => is_dropped).length,
    outages: faults.filter(({ name }) => name.startsWith('provider-')).length,
  }
}

/** Adds up the counts of two rounds. */
export function addCounts(one: Counts, other: Counts): Counts {
  const maxima: Count[] = ['fault_kinds', 'slowest_recovery_ms', 'servers_used', 'servers_killed']
  const names = Object.keys(one) as Count[]
  const joined = names.map((name) => [
    name,
    maxima.includes(name) ? Math.max(one[name], other[name]) : one[name] + other[name],
  ])
  return Object.fromEntries(joined)
}

type FloorOptions = Pick<
  Options,
  'seconds' | 'clients' | 'nemesis' | 'database' | 'instances' | 'standby' | 'patroni' | 'provider'
>

// With a failing standby and failovers, nothing can be written for much of the time.
const standby_share = 0.1

/** The minimum coverage of a run. The figures are for 60 seconds and 16 clients. */
export function floorsOf(options: FloorOptions): Partial<Counts> {
  return options.provider ? providerFloors(options) : commonFloors(options)
}

/** Per minute; a run with a provider is about what happens there. */
function providerFloors({ seconds, nemesis }: FloorOptions): Partial<Counts> {
  const time = seconds / 60
  const kills = nemesis.some((name) => name.startsWith('kill'))
  const figures = {
    kills: kills ? 5 : 0,
    acknowledged: 300,
    audits: 100,
    charges: 60,
    late: 6,
    refunds: 30,
    disputes: 10,
    notices: 60,
    lost_notices: 20,
    outages: 1,
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, Math.floor(figure * time)]),
  )
}

function commonFloors(options: FloorOptions): Partial<Counts> {
  const { seconds, clients, instances } = options
  const nemesis = possibleFaults(options.nemesis, options)
  const time = seconds / 60
  const share = options.standby || options.patroni ? standby_share : 1
  const load = time * share * Math.min(1, clients / 16)
  const floor = (figure: number) => Math.floor(figure)
  const kills = nemesis.some((name) => name.startsWith('kill'))
  return {
    kills: kills ? floor(20 * time * share) : 0,
    failovers: minFailovers(options, nemesis),
    interrupted_waits: options.standby ? floor(30 * time) : 0,
    fault_kinds: Math.min(nemesis.length, floor(seconds / 6)),
    acknowledged: floor(5_000 * load),
    in_doubt: kills ? floor(100 * load) : 0,
    replayed: floor(1_000 * load),
    // Of all replays, half are elsewhere with two servers, and more with more.
    replayed_elsewhere: instances > 1 ? floor(300 * load) : 0,
    servers_used: instances,
    // About a third of the kills are of one server alone.
    servers_killed: nemesis.includes('kill-server') ? Math.min(instances, floor(5 * time)) : 0,
    refused_402: floor(50 * load),
    reads: floor(500 * load),
    walks: floor(20 * load),
    audits: floor(200 * time * share),
    webhooks: floor(20 * load),
    revoked: floor(10 * load),
  }
}

function minFailovers({ standby, patroni, seconds }: FloorOptions, names: NemesisName[]): number {
  if (patroni) return names.filter((name) => /^(switch-over|lose-primary)$/.test(name)).length
  return standby ? Math.max(1, Math.floor((3 * seconds) / 60)) : 0
}

export function missedFloors(counts: Counts, floors: Partial<Counts>): string[] {
  return (Object.entries(floors) as [Count, number][])
    .filter(([name, min]) => counts[name] < min)
    .map(([name, min]) => `${name} ${counts[name]} of ${min}`)
}

export type Verdict = 'VALID' | 'VIOLATION' | 'INVALID'

export const exitCodes: Record<Verdict, number> = { VALID: 0, VIOLATION: 1, INVALID: 2 }

/** A violation counts even if the coverage was too low. */
export function runVerdict(violations: number, missed: string[]): Verdict {
  if (violations > 0) return 'VIOLATION'
  return missed.length > 0 ? 'INVALID' : 'VALID'
}

export function lastLine(verdict: Verdict, counts: Counts, more: Record<string, unknown>): string {
  const figures = Object.entries({ ...counts, ...more }).map(([name, value]) => `${name}=${value}`)
  return `chaos ${figures.join(' ')} ${verdict}`
}
