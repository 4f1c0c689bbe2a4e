// `npm run bench`: every figure is a ratio of two things measured in one run, because this machine
// may be noisy and absolute times mean little. Rounds are interleaved, medians are shown.

import { mkdirSync, writeFileSync } from 'node:fs'
import { abuse } from './abuse.bench.ts'
import { costs } from './cost.bench.ts'
import { events } from './events.bench.ts'
import { identity } from './identity.bench.ts'
import type { Options } from './interleaved-runs.ts'
import { payments } from './payments.bench.ts'
import { resilience } from './resilience.bench.ts'
import { sizes } from './sizes.bench.ts'
import { startUp } from './start-up.bench.ts'
import { embedded, onServer, type WithTarget } from './targets.ts'
import { transactions } from './transactions.bench.ts'
import { webhooks } from './webhooks.bench.ts'

export interface Figure {
  name: string
  value: number
  unit: 'per second' | 'ratio' | 'ms' | 'MB' | 'bytes' | 'flushes' | 'count'
  /** What it must reach, and what we aim at. */
  least?: number
  most?: number
  aim?: number
  details: Record<string, unknown>
}

const benches: Record<string, (target: WithTarget, options: Options) => Promise<Figure[]>> = {
  identity,
  transactions,
  payments,
  events,
  webhooks,
  sizes,
  costs,
  // Of a database of one's own there is nothing to start.
  'start-up': async (target, options) => (target === embedded ? startUp(options) : []),
}

// The latter only when they are named.
const all: typeof benches = { ...benches, ...resilience, abuse }

const words = process.argv.slice(2)
const quick = words.includes('--quick')
const options = { rounds: quick ? 3 : 5, seconds: quick ? 1 : 4, quick }
// `npm run bench -- transactions` runs that part alone.
const chosen = words.filter((word) => word !== '--quick')
const unknown = chosen.find((name) => !(name in all))
if (unknown !== undefined) {
  console.error(`There is no bench ${unknown}. There are: ${Object.keys(all).join(', ')}.`)
  process.exit(64)
}

const results: Record<string, Figure[]> = { embedded: await runAll(embedded) }
const server_url = process.env.DATABASE_URL
if (server_url) results.DATABASE_URL = await runAll(onServer(server_url))

for (const [target, figures] of Object.entries(results)) print(target, figures)
mkdirSync('bench/results', { recursive: true })
writeFileSync('bench/results/latest.json', `${JSON.stringify(results, null, 2)}\n`)
console.log('bench/results/latest.json has the details.')

async function runAll(target: WithTarget): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of chosen.length > 0 ? chosen : Object.keys(benches)) {
    figures.push(...(await all[name]!(target, options)))
  }
  return figures
}

function print(target: string, figures: Figure[]): void {
  console.log(target === 'embedded' ? 'Embedded PostgreSQL' : 'PostgreSQL at DATABASE_URL')
  console.log(['figure', 'value', 'must', 'aim', 'verdict'].join('\t'))
  for (const figure of figures) console.log(row(figure))
}

function row(figure: Figure): string {
  const { name, value, unit, least, most, aim } = figure
  const must = least !== undefined ? `≥ ${least}` : most !== undefined ? `≤ ${most}` : '–'
  const reached = (least === undefined || value >= least) && (most === undefined || value <= most)
  const verdict = must === '–' ? '–' : reached ? 'reached' : 'MISSED'
  return [name, `${value} ${unit}`, must, aim ?? '–', verdict].join('\t')
}
