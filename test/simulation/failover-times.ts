// How long no write was acknowledged during a failover, next to how long there was no primary.

import type { History } from './history.ts'

interface FailoverTimes {
  name: string
  /** Between the last acknowledgement before and the first one after. */
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
      .map((from_ms, at) => ({ from_ms, to_ms: acknowledged[at + 1] ?? from_ms }))
      .filter(({ from_ms, to_ms }) => to_ms > begun_ms && from_ms < healed_ms)
    const outage_ms = Math.max(0, ...gaps.map(({ from_ms, to_ms }) => to_ms - from_ms))
    return [{ name, outage_ms, without_primary_ms }]
  })
}

export function describeFailover({ name, outage_ms, without_primary_ms }: FailoverTimes): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(2)
  const difference = outage_ms - without_primary_ms
  return (
    `${name}: ${seconds(without_primary_ms)} s without a primary, ` +
    `${seconds(outage_ms)} s without an acknowledged write (difference ${seconds(difference)} s)`
  )
}
