// `npm test`: one PostgreSQL for the whole run, a few processes that share all test files, and at
// the end a look for secrets in everything that was logged or stored. Arguments choose files, which
// then have a process each.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startTestServer } from './postgres.ts'

// With a database of one's own only what asks it much is worth running again. The made-up requests
// among these send every statement there is; the rest lean on what one PostgreSQL may do otherwise
// than another: plans, locks, lost connections, upgrades.
const database_heavy = [
  /^test.(ledger|migrations|postgres|verification)./,
  /^test.transactions.(key-orders|lanes|lists|money|settlement)/,
  /^test.(http.fuzz|reports.volume\.|users.search|webhooks.deliver)/,
  /^test.commands.verify/,
]

const started = performance.now()
const server = await startTestServer()
const run_path = await mkdtemp(join(tmpdir(), 'florin-run-'))
const failed_path = join(run_path, 'failed-files')
const env = {
  ...process.env,
  FLORIN_TEST_POSTGRES: JSON.stringify(server.connection),
  FLORIN_TEST_RUN: run_path,
  // Each process loads most of the server: 0.5 s of CPU when compiled, else 1.2.
  NODE_COMPILE_CACHE: 'node_modules/.cache/florin-tests',
}
// More than there are cores: with as many files as cores, 39 % of their time went by unused, since
// tests wait for timers, disks and other processes; with twice as many still a quarter.
const concurrency_max = Math.min(6, 3 * availableParallelism())
const chosen = process.argv.slice(2)
const isLast = (file: string) => file.endsWith('.after.ts')
const last = chosen.length > 0 ? chosen.filter(isLast) : ['test/after/*.after.ts']
const shared = chosen.length > 0 ? undefined : await shareFiles()
const first = shared?.entries ?? chosen.filter((file) => !isLast(file))
let failed = first.length > 0 && (await runTests(first)) && (await failAgain())
if (shared !== undefined) failed = !haveAllEnded(shared.files) || failed
if (last.length > 0) failed = (await runTests(last)) || failed
await server.stop()
await rm(run_path, { recursive: true, force: true })
const seconds = Math.round((performance.now() - started) / 1000)
console.log(`${failed ? 'failed' : 'passed'} in ${seconds} s`)
process.exitCode = failed ? 1 : 0

function isDatabaseHeavy(file: string): boolean {
  return database_heavy.some((kind) => kind.test(file)) && !/embedded[-\w]*\.test/.test(file)
}

/** What the processes that share all files find in the folder of the run. */
export interface SharedRun {
  files: string[]
  /** How many of them a process takes at the most. */
  each: number
}

/** The processes that share the files: see shared-process.ts. */
async function shareFiles(): Promise<{ files: string[]; entries: string[] }> {
  const shared: SharedRun = { files: await longFirst(await chooseFiles()), each: 8 }
  await writeFile(join(run_path, 'shared.json'), JSON.stringify(shared))
  const length = Math.ceil(shared.files.length / shared.each)
  const entries = Array.from({ length }, (_, at) => join(run_path, `shared-${at}.mjs`))
  const module = new URL('shared-process.ts', import.meta.url).href
  await Promise.all(entries.map((entry) => writeFile(entry, `import '${module}'\n`)))
  return { files: shared.files, entries }
}

/** A process that ends before its time takes files with it, and nothing else would tell. */
function haveAllEnded(files: string[]): boolean {
  const left = files.filter((_, at) => !existsSync(join(run_path, `ended-${at}`)))
  if (left.length > 0) console.log(`NOT RUN TO THEIR END: ${left.join(', ')}`)
  return left.length === 0
}

// Those with browsers, other processes or made-up cases take a minute or two. One of them begun at
// the very end would leave all cores but one without work.
async function longFirst(files: string[]): Promise<string[]> {
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const is_long = new Set(files.filter((_, at) => /browser|process|fast-check/.test(sources[at]!)))
  return [...files].sort((a, b) => Number(is_long.has(b)) - Number(is_long.has(a)))
}

async function chooseFiles(): Promise<string[]> {
  const files = (await Array.fromAsync(glob('test/**/*.test.ts'))).sort()
  if (process.env.FLORIN_TEST_DATABASE_URL === undefined) return files
  const asking = files.filter(isDatabaseHeavy)
  console.log(`${files.length - asking.length} files ask this database little: left out here.`)
  return asking
}

/**
 * What only browsers failed at is tried once more, one file at a time: how fast a browser draws is
 * the machine's, and a test that was too late is no news. Anything else has failed.
 */
async function failAgain(): Promise<boolean> {
  const files = (await readFile(failed_path, 'utf8')).split('\n').filter(Boolean)
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  if (files.length === 0 || !sources.every((source) => source.includes('/browser.ts'))) return true
  const names = files.map((file) => relative('.', file)).join(', ')
  console.log(`Only tests in a browser failed. Once more, by themselves: ${names}`)
  const failed = await runTests(files, 1)
  if (!failed) console.log(`UNSTEADY: failed at first, and passed alone: ${names}`)
  return failed
}

function runTests(files: string[], at_once = concurrency_max) {
  const flags = ['--test', `--test-concurrency=${at_once}`, '--test-timeout=600000']
  const reports = { spec: 'stdout', './test/support/failed-files.ts': failed_path }
  for (const [reporter, to] of Object.entries(reports)) {
    flags.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`)
  }
  const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit', env })
  // Whoever ends this run ends its tests: then the database is stopped, as after any run.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise<boolean>((resolve) => child.on('exit', (code) => resolve(code !== 0)))
}
