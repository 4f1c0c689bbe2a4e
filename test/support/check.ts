// `npm run check`: everything a contributor must run. Prints the result of each step and stops at
// the first failure.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bins = new URL('../../node_modules/.bin/', import.meta.url)
const bin = (name: string) => fileURLToPath(new URL(name, bins))

const steps: [string, string[]][] = [
  ['formatting and lint', [bin('biome'), 'ci', '--error-on-warnings']],
  ['types', [bin('tsc'), '--noEmit']],
  ['SDK types', [bin('tsc'), '--noEmit', '-p', 'client']],
  ['dashboard types', [bin('tsc'), '--noEmit', '-p', 'web/dashboard']],
  ['generated docs are up to date', [process.execPath, 'docs/generate.ts', '--check']],
  ['generated SDK is up to date', [process.execPath, 'client/generate.ts', '--check']],
  ['dashboard build', [process.execPath, 'web/dashboard/build.ts']],
  ['tests', [process.execPath, 'test/support/run.ts']],
  // Last, because it needs both cores: with less CPU it takes longer to cover enough.
  ['chaos', [process.execPath, 'test/simulation/run.ts', '--seconds', '45', '--patience', '60']],
]

for (const [name, [command, ...args]] of steps) {
  const started = performance.now()
  const { status } = spawnSync(command!, args, { stdio: 'inherit' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (status === 0) continue
  // Exit status 2: no violation was found, but coverage was too low to pass.
  const has_no_verdict = name === 'chaos' && status === 2
  if (has_no_verdict) console.log('CHAOS GAVE NO VERDICT. Run it on a machine with two idle cores.')
  process.exit(has_no_verdict ? 2 : 1)
}
