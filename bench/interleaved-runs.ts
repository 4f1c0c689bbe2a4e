// Runs plans in turn: each round loads one server after another, so changes in machine load affect
// all of them. Ratios are computed per round and the median is reported, so a slowdown of half a
// minute changes both sides and hardly their ratio.

import type { Figure } from './figure.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import { load } from './processes.ts'
import { median, ratio } from './statistics.ts'

export interface Options {
  rounds: number
  seconds: number
  /** Fewer rows, for a result within a minute. */
  quick: boolean
}

type HttpPlan = { name: string } & Pick<LoadOptions, 'port' | 'requests' | 'status' | 'client'> & {
    connections?: number
    rate?: number
  }

/** A peer without HTTP has its own load generator. */
type RunPlan = HttpPlan | { name: string; load: (seconds: number) => Promise<LoadResult> }

interface RunSamples {
  per_second: number[]
  p50_ms: number[]
  p99_ms: number[]
}

export const default_connections = 64

export class InterleavedRuns {
  readonly all: Record<string, RunSamples> = {}

  /** The first round is discarded: V8 is cold, while real servers run for months. */
  async run(plans: RunPlan[], { rounds, seconds }: Options): Promise<void> {
    for (const plan of plans) await this.once(plan, seconds)
    for (const plan of plans) delete this.all[plan.name]
    for (let round = 0; round < rounds; round++) {
      for (const plan of plans) await this.once(plan, seconds)
    }
  }

  async once(plan: RunPlan, seconds: number): Promise<void> {
    const { name } = plan
    const result =
      'load' in plan
        ? await plan.load(seconds)
        : await load({ connections: default_connections, ...plan, seconds })
    if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} responses were wrong`)
    this.all[name] ??= { per_second: [], p50_ms: [], p99_ms: [] }
    const samples = this.all[name]
    samples.per_second.push(result.per_second)
    samples.p50_ms.push(result.p50_ms)
    samples.p99_ms.push(result.p99_ms)
  }

  perSecond(name: string): number {
    return median(this.all[name]!.per_second)
  }

  /** Median over all rounds of `one` ÷ `other`; each request of `one` counts as `items`. */
  ratio(
    one: string,
    other: string,
    of: keyof RunSamples = 'per_second',
    { items = 1 }: { items?: number } = {},
  ): number {
    return ratio(median(this.ratios(one, other, of)) * items, 1)
  }

  /** `one` ÷ `other` of each round. */
  ratios(one: string, other: string, of: keyof RunSamples = 'per_second'): number[] {
    const others = this.all[other]![of]
    return this.all[one]![of].map((value, round) => value / others[round]!)
  }
}

interface EchoMark {
  name: string
  /** Absent for figures that are reported for orientation only. */
  min?: number
  goal?: number
}

/**
 * Compares Florin with a bare echo, with two clients. The required ratios were set with Node's own
 * client. With the lean client the echo is four times as fast, so the database weighs four times as
 * much; that ratio is reported without a requirement.
 */
export async function compareWithEcho(
  florin: HttpPlan,
  echo: HttpPlan,
  mark: EchoMark,
  options: Options,
): Promise<Figure[]> {
  const runs = new InterleavedRuns()
  const ordinary = { client: 'ordinary' } as const
  await runs.run(
    [
      { ...echo, ...ordinary, name: 'echo' },
      { ...florin, ...ordinary, name: 'florin' },
      { ...echo, name: 'echo, lean client' },
      { ...florin, name: 'florin, lean client' },
    ],
    options,
  )
  const of = (client: string) => runs.ratio(`florin${client}`, `echo${client}`)
  const common = { unit: 'ratio', details: runs.all } as const
  return [
    { ...mark, ...common, value: of('') },
    { name: `  the same with a lean client`, ...common, value: of(', lean client') },
  ]
}
