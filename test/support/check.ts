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
  // Last, because it wants both cores: with less it sees too little, and says that it is invalid.
  ['chaos', [process.execPath, 'test/simulation/run.ts', '--seconds', '45']],
]

for (const [name, [command, ...args]] of steps) {
  const started = performance.now()
  const status = name === 'chaos' ? runChaos(command!, args) : run(command!, args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  // 2 where nothing is known to be wrong, and nothing is shown to be right either.
  if (status !== 0) process.exit(name === 'chaos' && status === 2 ? 2 : 1)
}

function run(command: string, args: string[]): number | null {
  return spawnSync(command, args, { stdio: 'inherit' }).status
}

/**
 * A machine that others use may let a run see too little, which is no verdict and not green: it is
 * made again with more clients, of which the same is asked.
 */
function runChaos(command: string, args: string[]): number | null {
  for (const clients of [16, 24, 32]) {
    const status = run(command, [...args, '--clients', String(clients)])
    if (status !== 2) return status
  }
  console.log('CHAOS GAVE NO VERDICT: three runs saw too little. Run it where both cores are free.')
  return 2
}
