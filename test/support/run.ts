// `npm test`: one PostgreSQL server for the whole run, a few processes that share all test files,
// and finally a search for secrets in all logs and stored rows. Files given as arguments
// run in one process each.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureDashboardBuilt } from '../../web/dashboard/ensure-built.ts'
import { startTestServer } from './postgres.ts'

// With an external database only tests that depend on the database are worth repeating. The fuzz
// tests among them send every statement; the others depend on what may differ between PostgreSQL
// servers: plans, locks, lost connections, upgrades.
const database_heavy = [
  /^test.(ledger|migrations|postgres|verification)./,
  /^test.transactions.(key-orders|lanes|lists|money|settlement)/,
  /^test.(http.fuzz|reports.volume\.|users.search|webhooks.deliver)/,
  /^test.commands.verify/,
]

const started = performance.now()
ensureDashboardBuilt()
const server = await startTestServer()
const run_path = await mkdtemp(join(tmpdir(), 'florin-run-'))
const failed_path = join(run_path, 'failed-files')
const env = {
  ...process.env,
  FLORIN_TEST_POSTGRES: JSON.stringify(server.connection),
  FLORIN_TEST_RUN: run_path,
  // Each process loads most of the server: 0.5 s of CPU with the compile cache, 1.2 s without.
  NODE_COMPILE_CACHE: 'node_modules/.cache/florin-tests',
}
// More than there are cores: tests wait for timers, disks and other processes. With one file per
// core 39 % of the CPU time was idle, with two per core still a quarter.
const concurrency_max = Math.min(6, 3 * availableParallelism())
const chosen = process.argv.slice(2)
const isLast = (file: string) => file.endsWith('.after.ts')
const last = chosen.length > 0 ? chosen.filter(isLast) : ['test/after/*.after.ts']
const shared = chosen.length > 0 ? undefined : await shareFiles()
const first = shared?.entries ?? chosen.filter((file) => !isLast(file))
let failed = first.length > 0 && (await runTests(first)) && (await failsAgain())
if (shared !== undefined) failed = !haveAllFinished(shared.files) || failed
if (last.length > 0) failed = (await runTests(last)) || failed
await server.stop()
await rm(run_path, { recursive: true, force: true })
const seconds = Math.round((performance.now() - started) / 1000)
console.log(`${failed ? 'failed' : 'passed'} in ${seconds} s`)
process.exitCode = failed ? 1 : 0

function isDatabaseHeavy(file: string): boolean {
  return database_heavy.some((kind) => kind.test(file)) && !/embedded[-\w]*\.test/.test(file)
}

/** Read by the processes that share all files, from the folder of the run. */
export interface FileQueue {
  files: string[]
  /** The maximum number of files that one process takes. */
  each: number
}

/** Creates the entry points of the processes that share the files: see shared-process.ts. */
async function shareFiles(): Promise<{ files: string[]; entries: string[] }> {
  const shared: FileQueue = { files: await longFirst(await chooseFiles()), each: 8 }
  await writeFile(join(run_path, 'shared.json'), JSON.stringify(shared))
  const length = Math.ceil(shared.files.length / shared.each)
  const entries = Array.from({ length }, (_, at) => join(run_path, `shared-${at}.mjs`))
  const module = new URL('shared-process.ts', import.meta.url).href
  await Promise.all(entries.map((entry) => writeFile(entry, `import '${module}'\n`)))
  return { files: shared.files, entries }
}

/** Detects files lost with a process that ended early, which no reporter would show. */
function haveAllFinished(files: string[]): boolean {
  const left = files.filter((_, at) => !existsSync(join(run_path, `ended-${at}`)))
  if (left.length > 0) console.log(`DID NOT FINISH: ${left.join(', ')}`)
  return left.length === 0
}

// Tests with browsers, child processes or property-based cases take minutes. Starting one of
// them last would leave the other cores idle.
async function longFirst(files: string[]): Promise<string[]> {
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const is_long = new Set(files.filter((_, at) => /browser|process|fast-check/.test(sources[at]!)))
  return [...files].sort((a, b) => Number(is_long.has(b)) - Number(is_long.has(a)))
}

async function chooseFiles(): Promise<string[]> {
  const files = (await Array.fromAsync(glob('test/**/*.test.ts'))).sort()
  if (process.env.FLORIN_TEST_DATABASE_URL === undefined) return files
  const chosen = files.filter(isDatabaseHeavy)
  console.log(`skipping ${files.length - chosen.length} files that hardly use the database`)
  return chosen
}

/**
 * If only browser tests failed, runs those files once more, one at a time: on a busy machine a
 * browser may be too slow. Any other failure is final.
 */
async function failsAgain(): Promise<boolean> {
  const files = (await readFile(failed_path, 'utf8')).split('\n').filter(Boolean)
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  if (files.length === 0 || !sources.every((source) => source.includes('/browser.ts'))) return true
  const names = files.map((file) => relative('.', file)).join(', ')
  console.log(`Only browser tests failed. Running them again, one at a time: ${names}`)
  const failed = await runTests(files, 1)
  if (!failed) console.log(`UNSTEADY: failed at first, passed when run alone: ${names}`)
  return failed
}

function runTests(files: string[], at_once = concurrency_max) {
  const flags = ['--test', `--test-concurrency=${at_once}`, '--test-timeout=600000']
  const reports = { spec: 'stdout', './test/support/failed-files.ts': failed_path }
  for (const [reporter, to] of Object.entries(reports)) {
    flags.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`)
  }
  const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit', env })
  // Stop the tests when this run is stopped, so the database is stopped afterwards too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise<boolean>((resolve) => child.on('exit', (code) => resolve(code !== 0)))
}
