// `npm run check`: all that a contributor must know. Each step says what it is, and the first that
// fails ends the run.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bins = new URL('../../node_modules/.bin/', import.meta.url)
const bin = (name: string) => fileURLToPath(new URL(name, bins))

const steps: [string, string[]][] = [
  ['format and lint', [bin('biome'), 'ci', '--error-on-warnings']],
  ['types', [bin('tsc'), '--noEmit']],
  ['types of the SDK', [bin('tsc'), '--noEmit', '-p', 'client']],
  ['types of the dashboard', [bin('tsc'), '--noEmit', '-p', 'web/dashboard']],
  ['generated files are fresh', [process.execPath, 'docs/generate.ts', '--check']],
  ['generated parts of the SDK are fresh', [process.execPath, 'client/generate.ts', '--check']],
  ['the built dashboard is fresh', [process.execPath, 'web/dashboard/build.ts', '--check']],
  ['tests', [process.execPath, 'test/support/run.ts']],
  // Last, because it wants both cores: with less it takes longer to see enough.
  ['chaos', [process.execPath, 'test/simulation/run.ts', '--seconds', '45', '--patience', '60']],
]

for (const [name, [command, ...args]] of steps) {
  const started = performance.now()
  const { status } = spawnSync(command!, args, { stdio: 'inherit' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (status === 0) continue
  // 2 where nothing is known to be wrong, and nothing is shown to be right either.
  const has_no_verdict = name === 'chaos' && status === 2
  if (has_no_verdict) console.log('CHAOS GAVE NO VERDICT. Run it where both cores are free.')
  process.exit(has_no_verdict ? 2 : 1)
}
