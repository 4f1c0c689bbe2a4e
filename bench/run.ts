// `npm run bench`: every figure is a ratio of two things measured in one run, because this machine
// may be noisy and absolute times mean little. Rounds are interleaved, medians are shown.

import { mkdirSync, writeFileSync } from 'node:fs'
import { identity } from './identity.bench.ts'
import { payments } from './payments.bench.ts'
import { startUp } from './start-up.bench.ts'
import { transactions } from './transactions.bench.ts'

export interface Figure {
  name: string
  value: number
  unit: 'ratio' | 'ms' | 'MB'
  /** What it must reach, and what we aim at. */
  least?: number
  most?: number
  aim?: number
  details: Record<string, unknown>
}

const quick = process.argv.includes('--quick')
const options = { rounds: 3, seconds: quick ? 1 : 4 }

const figures = [
  ...(await identity(options)),
  ...(await transactions(options)),
  ...(await payments(options)),
  ...(await startUp(options)),
]

console.log(['figure', 'value', 'must', 'aim', 'verdict'].join('\t'))
for (const figure of figures) console.log(row(figure))
mkdirSync('bench/results', { recursive: true })
writeFileSync('bench/results/latest.json', `${JSON.stringify(figures, null, 2)}\n`)
console.log('bench/results/latest.json has the details.')

function row(figure: Figure): string {
  const { name, value, unit, least, most, aim } = figure
  const must = least !== undefined ? `≥ ${least}` : most !== undefined ? `≤ ${most}` : '–'
  const reached = (least === undefined || value >= least) && (most === undefined || value <= most)
  return [name, `${value} ${unit}`, must, aim ?? '–', reached ? 'reached' : 'MISSED'].join('\t')
}
