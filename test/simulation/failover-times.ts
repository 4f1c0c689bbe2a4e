// How long no write was acknowledged during a failover, next to how long there was no primary.

import type { History } from './history.ts'

interface FailoverTimes {
  name: string
  /** Between the last acknowledgement before and the first one after, or the end of the fault. */
  outage_ms: number
  without_primary_ms: number
}

export function failoverTimes({ attempts, faults }: History): FailoverTimes[] {
  const acknowledged = attempts
    .filter(({ tag, result }) => tag !== null && result === 'ok')
    .map(({ done_ms }) => done_ms)
    .toSorted((one, other) => one - other)
  return faults.flatMap(({ name, begun_ms, healed_ms, without_primary_ms }) => {
    if (without_primary_ms === undefined) return []
    const gaps = acknowledged
      .map((from_ms, at) => ({ from_ms, to_ms: acknowledged[at + 1] ?? healed_ms }))
      .filter(({ from_ms, to_ms }) => to_ms > begun_ms && from_ms < healed_ms)
    const outage_ms = Math.max(0, ...gaps.map(({ from_ms, to_ms }) => to_ms - from_ms))
    return [{ name, outage_ms, without_primary_ms }]
  })
}

// Servers connect again, and clients retry.
const tolerance_ms = 1_000

/** The failovers after which Florin took too long. A busy machine may be the reason. */
export function slowFailovers(times: FailoverTimes[]): string[] {
  return times.flatMap(({ name, outage_ms, without_primary_ms }) => {
    const max_ms = without_primary_ms + tolerance_ms
    return outage_ms > max_ms
      ? [`${name} ${inSeconds(outage_ms)} of at most ${inSeconds(max_ms)}`]
      : []
  })
}

export function describeFailover({ name, outage_ms, without_primary_ms }: FailoverTimes): string {
  const difference_ms = outage_ms - without_primary_ms
  return (
    `${name}: ${inSeconds(without_primary_ms)} without a primary, ` +
    `${inSeconds(outage_ms)} without an acknowledged write (difference ${inSeconds(difference_ms)})`
  )
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
