// InterleavedRuns of one run: each round loads one server after another, so that whatever the machine does
// meanwhile falls on all of them. They are compared round by round, and the median is told: a
// machine that slows down for half a minute changes both, and their ratio little.

import type { LoadOptions } from './load.ts'
import { load } from './processes.ts'
import type { Figure } from './run.ts'
import { median, ratio } from './statistics.ts'

export interface Options {
  rounds: number
  seconds: number
  /** Fewer rows, for a look in a minute. */
  quick: boolean
}

export type RunPlan = { name: string } & Pick<
  LoadOptions,
  'port' | 'requests' | 'status' | 'client'
> & { connections?: number }

interface RunSamples {
  per_second: number[]
  p50_ms: number[]
  p99_ms: number[]
}

export class InterleavedRuns {
  readonly all: Record<string, RunSamples> = {}

  /** Servers run for months, and code that is new to V8 is slow: the first round is lost. */
  async run(plans: RunPlan[], { rounds, seconds }: Options): Promise<void> {
    for (const plan of plans) await this.once(plan, seconds)
    for (const plan of plans) delete this.all[plan.name]
    for (let round = 0; round < rounds; round++) {
      for (const plan of plans) await this.once(plan, seconds)
    }
  }

  async once({ name, ...plan }: RunPlan & { rate?: number }, seconds: number): Promise<void> {
    const result = await load({ connections: 64, ...plan, seconds })
    if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} responses were wrong`)
    this.all[name] ??= { per_second: [], p50_ms: [], p99_ms: [] }
    const leg = this.all[name]
    leg.per_second.push(result.per_second)
    leg.p50_ms.push(result.p50_ms)
    leg.p99_ms.push(result.p99_ms)
  }

  perSecond(name: string): number {
    return median(this.all[name]!.per_second)
  }

  /** One ÷ the other. */
  ratio(one: string, other: string, of: keyof RunSamples = 'per_second'): number {
    const others = this.all[other]![of]
    return ratio(median(this.all[one]![of].map((value, round) => value / others[round]!)), 1)
  }
}

interface EchoMark {
  name: string
  /** None where the figure only says what another could reach. */
  least?: number
  aim?: number
}

/**
 * Florin against a bare echo, twice. With Node's own client an echo is about as fast as when its
 * marks were set; with the lean one it is four times as fast, and what the database does weighs
 * four times as much, so that ratio has no mark.
 */
export async function compareWithEcho(
  florin: RunPlan,
  echo: RunPlan,
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
