// `npm test`: one PostgreSQL server for the whole run, and a few processes that share the test
// files. choose-files.ts explains the tiers. Files given as arguments run in one process each.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDashboardBuilt } from '../../web/dashboard/ensure-built.ts'
import { chooseFiles, filesAfter, isWholeDefaultTier, readChoice } from './choose-files.ts'
import { cpuSeconds, saveDefaultRun } from './cpu-time.ts'
import { type Durations, longestFirst, readDurations, saveDurations } from './durations.ts'
import { useMemoryDisk } from './memory-disk.ts'
import { startTestServer } from './postgres.ts'
import { writeEntries } from './shared-entries.ts'

const started = performance.now()
const choice = readChoice(process.argv.slice(2))
// More than there are cores: tests wait for timers, disks and other processes. With one file per
// core 39 % of the CPU time was idle, with two per core still a quarter.
const concurrency_max = Math.min(6, 3 * availableParallelism())
ensureDashboardBuilt()
useMemoryDisk()
const run_path = await mkdtemp(join(tmpdir(), 'florin-run-'))
const server = await startTestServer()
const env = {
  ...process.env,
  FLORIN_TEST_POSTGRES: JSON.stringify(server.connection),
  FLORIN_TEST_RUN: run_path,
  ...(choice.evidence && { FLORIN_TEST_EVIDENCE: run_path }),
  // Each process loads most of the server: 0.5 s of CPU with the compile cache, 1.2 s without.
  NODE_COMPILE_CACHE: 'node_modules/.cache/florin-tests',
}

const passed = choice.files.length > 0 ? await runTests(choice.files) : await runChosen()
await server.stop()
// A process that was killed may still be writing to it.
await rm(run_path, { recursive: true, force: true, maxRetries: 5 })
const seconds = Math.round((performance.now() - started) / 1000)
const cpu_s = cpuSeconds()
const cpu_text = cpu_s === undefined ? '' : `, with ${Math.round(cpu_s)} s of CPU time`
console.log(`${passed ? 'passed' : 'failed'} in ${seconds} s${cpu_text}`)
if (passed && isWholeDefaultTier(choice)) saveDefaultRun({ seconds, cpu_s })
process.exitCode = passed ? 0 : 1

async function runChosen(): Promise<boolean> {
  const files = longestFirst(chooseFiles(choice), readDurations())
  console.log(`running ${files.length} test files`)
  if (files.length === 0) return true
  const passed = await runTests(await writeEntries(run_path, { files, each: 20 }))
  const have_ended = haveAllEnded(files)
  const is_clean = !choice.evidence || (await runTests(filesAfter(choice)))
  return passed && have_ended && is_clean
}

/**
 * Saves the duration of each file. Also detects files lost with a process that ended early, which
 * no reporter would show.
 */
function haveAllEnded(files: string[]): boolean {
  const durations: Durations = {}
  for (const [at, file] of files.entries()) {
    try {
      durations[file] = JSON.parse(readFileSync(join(run_path, `ended-${at}`), 'utf8'))
    } catch {
      console.log(`DID NOT FINISH: ${file}`)
    }
  }
  saveDurations(durations)
  return Object.keys(durations).length === files.length
}

/** Returns whether all tests passed. */
function runTests(files: string[]): Promise<boolean> {
  const flags = ['--test', `--test-concurrency=${concurrency_max}`, '--test-timeout=1200000']
  // Collecting garbage took a fifth of the time with the default of 16 MB.
  flags.push('--max-semi-space-size=64')
  const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit', env })
  // Stop the tests when this run is stopped, so the database is stopped afterwards too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}
