// `npm run check`: everything a contributor must run. Prints the result of each step and stops at
// the first failure. With `--after-test`, right after `npm test -- --evidence`, it does not repeat
// those tests.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readDefaultRun } from './cpu-time.ts'
import { mostExpensive, readDurations } from './durations.ts'

// Keeps `npm test` short. The tests use about 530 s, and the same tests needed 1.5 times as long in
// some hours of one shared machine. Move a test to another tier, or make tests cheaper, before you
// raise it.
const default_tier_cpu_s_max = 850

interface CheckStep {
  name: string
  command: string[]
  env?: Record<string, string | undefined>
}

const bins = new URL('../../node_modules/.bin/', import.meta.url)
const bin = (name: string) => fileURLToPath(new URL(name, bins))
const node = (...args: string[]) => [process.execPath, ...args]
const tests = (...args: string[]) => node('test/support/run.ts', '--evidence', ...args)
const external = process.env.FLORIN_TEST_DATABASE_URL
const on_embedded = { FLORIN_TEST_DATABASE_URL: undefined }

const before_tests: CheckStep[] = [
  { name: 'formatting and lint', command: [bin('biome'), 'ci', '--error-on-warnings'] },
  { name: 'types', command: [bin('tsc'), '--noEmit'] },
  { name: 'SDK types', command: [bin('tsc'), '--noEmit', '-p', 'client'] },
  { name: 'dashboard types', command: [bin('tsc'), '--noEmit', '-p', 'web/dashboard'] },
  { name: 'generated docs are up to date', command: node('docs/generate.ts', '--check') },
  { name: 'generated SDK is up to date', command: node('client/generate.ts', '--check') },
  { name: 'dashboard build', command: node('web/dashboard/build.ts') },
]

const default_tier: CheckStep = { name: 'tests', command: tests(), env: on_embedded }

const other_tiers: CheckStep = {
  name: 'browser, process and slow tests',
  command: tests('--tier', 'browser', '--tier', 'process', '--tier', 'slow'),
  env: on_embedded,
}

// All fuzz requests were sent to the embedded PostgreSQL; a fifth is enough here.
const other_database: CheckStep = {
  name: 'database tests on the PostgreSQL of FLORIN_TEST_DATABASE_URL',
  command: tests(),
  env: { FLORIN_FUZZ_REQUESTS: '2000' },
}

// Last, because it needs both cores: with less CPU it takes longer to cover enough.
const chaos: CheckStep = {
  name: 'chaos',
  command: node('test/simulation/run.ts', '--seconds', '45', '--patience', '60'),
}

const chaos_with_provider: CheckStep = {
  name: 'chaos with a payment provider',
  command: node('test/simulation/run.ts', '--provider', '--seconds', '20', '--patience', '40'),
}

for (const step of before_tests) run(step)
if (!process.argv.includes('--after-test')) run(default_tier)
checkBudget()
run(other_tiers)
if (external !== undefined) run(other_database)
run(chaos)
run(chaos_with_provider)

function run({ name, command, env = {} }: CheckStep): void {
  const started = performance.now()
  const [program, ...args] = command
  const { status } = spawnSync(program!, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (status === 0) return
  // Exit status 2: no violation was found, but coverage was too low to pass.
  const has_no_verdict = name.startsWith('chaos') && status === 2
  if (has_no_verdict) console.log('CHAOS GAVE NO VERDICT. Run it on a machine with two idle cores.')
  process.exit(has_no_verdict ? 2 : 1)
}

/** Fails if the default tier has become too expensive. */
function checkBudget(): void {
  const cpu_s = readDefaultRun()?.cpu_s
  const is_within = cpu_s === undefined || cpu_s <= default_tier_cpu_s_max
  const used = cpu_s === undefined ? 'an unknown number' : Math.round(cpu_s)
  console.log(
    `${is_within ? '✓' : '✗'} tests used ${used} of ${default_tier_cpu_s_max} CPU seconds`,
  )
  if (is_within) return
  for (const line of mostExpensive(readDurations(), 20)) console.log(line)
  process.exit(1)
}
