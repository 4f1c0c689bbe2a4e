// `npm run bench`: most figures are ratios measured in one run, because absolute times
// mean little on a noisy machine. Rounds are interleaved and medians are shown.

import { mkdirSync, writeFileSync } from 'node:fs'
import { abuse } from './abuse.bench.ts'
import { costs } from './cost.bench.ts'
import { events } from './events.bench.ts'
import type { Figure } from './figure.ts'
import { findings } from './findings.bench.ts'
import { identity } from './identity.bench.ts'
import type { Options } from './interleaved-runs.ts'
import { payments } from './payments.bench.ts'
import { peers } from './peers.bench.ts'
import { resilience } from './resilience.bench.ts'
import { sizes } from './sizes.bench.ts'
import { startUp } from './start-up.bench.ts'
import { embedded, onServer, type WithTarget } from './targets.ts'
import { transactions } from './transactions.bench.ts'
import { webhooks } from './webhooks.bench.ts'

const benches: Record<string, (target: WithTarget, options: Options) => Promise<Figure[]>> = {
  identity,
  transactions,
  payments,
  events,
  webhooks,
  sizes,
  costs,
  // An external database server has no startup to measure.
  'start-up': async (target, options) => (target === embedded ? startUp(options) : []),
}

// Peers, resilience, abuse and findings run only when named.
const all: typeof benches = { ...benches, peers, ...resilience, abuse, findings }

const args = process.argv.slice(2)
const quick = args.includes('--quick')
const options = { rounds: quick ? 3 : 5, seconds: quick ? 1 : 4, quick }
// `npm run bench -- transactions` runs that part alone.
const chosen = args.filter((arg) => arg !== '--quick')
const unknown = chosen.find((name) => !(name in all))
if (unknown !== undefined) {
  console.error(`Unknown bench "${unknown}". Available: ${Object.keys(all).join(', ')}.`)
  process.exit(64)
}

const results: Record<string, Figure[]> = { embedded: await runAll(embedded) }
const server_url = process.env.DATABASE_URL
if (server_url) results.DATABASE_URL = await runAll(onServer(server_url))

for (const [target, figures] of Object.entries(results)) print(target, figures)
if (!Object.values(results).flat().every(isMet)) process.exitCode = 1
mkdirSync('bench/results', { recursive: true })
writeFileSync('bench/results/latest.json', `${JSON.stringify(results, null, 2)}\n`)
console.log('Details: bench/results/latest.json')

async function runAll(target: WithTarget): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of chosen.length > 0 ? chosen : Object.keys(benches)) {
    figures.push(...(await all[name]!(target, options)))
  }
  return figures
}

function print(target: string, figures: Figure[]): void {
  console.log(target === 'embedded' ? 'Embedded PostgreSQL' : 'PostgreSQL at DATABASE_URL')
  console.log(['figure', 'value', 'required', 'goal', 'verdict'].join('\t'))
  for (const figure of figures) console.log(row(figure))
}

function row(figure: Figure): string {
  const { name, value, spread, unit, min, max, goal } = figure
  const required = min !== undefined ? `≥ ${min}` : max !== undefined ? `≤ ${max}` : '–'
  const verdict = required === '–' ? '–' : isMet(figure) ? 'met' : 'MISSED'
  const range = spread === undefined ? '' : ` (${spread.join(' – ')})`
  return [name, `${value} ${unit}${range}`, required, goal ?? '–', verdict].join('\t')
}

function isMet({ value, min, max }: Figure): boolean {
  return (min === undefined || value >= min) && (max === undefined || value <= max)
}
