// `npm run chaos`: a real Florin under real faults, and a word at the end: VALID, VIOLATION or
// INVALID. Long runs are rounds of a minute, each on a database of its own.

import { mkdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BadOption, type Options, readOptions } from './options.ts'
import { runPlantedBugs } from './planted/run-planted-bugs.ts'
import { type RoundResult, runRound } from './round.ts'
import { Guard } from './servers/guard-client.ts'
import {
  addCounts,
  type Counts,
  exitCodes,
  floorsOf,
  lastLine,
  missedFloors,
  runVerdict,
  type Verdict,
} from './verdict.ts'

// A minute's history fits in memory and is judged in a second.
const round_seconds_max = 60
// What is added where a run has seen too little.
const more_seconds = 20
const shown_max = 20

const options = readOrExit()
const guard = new Guard()
// The guard ends whatever runs when we are gone, so nothing else is to be done here.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => process.exit(128 + constants.signals[name]))
}
const histories = join(tmpdir(), 'florin-chaos-histories')
mkdirSync(histories, { recursive: true })
try {
  process.exitCode = options.plants
    ? await runPlantedBugs(options, (planted) => runRound(planted, guard, histories))
    : exitCodes[await runRounds(options)]
} catch (error) {
  // The run itself broke: whatever that means, it proves nothing.
  console.log(error)
  console.log(`chaos seed=${options.seed} INVALID`)
  process.exitCode = exitCodes.INVALID
}
await guard.end()

function readOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof BadOption)) throw error
    console.error(error.message)
    process.exit(64)
  }
}

async function runRounds(all: Options): Promise<Verdict> {
  const rounds = Math.ceil(all.seconds / round_seconds_max)
  const lengths = Array.from({ length: rounds }, () => all.seconds / rounds)
  const floors = floorsOf(all)
  let counts: Counts | undefined
  let violations = 0
  let patience = all.patience
  for (const [number, seconds] of lengths.entries()) {
    const round = { ...all, seconds, seed: all.seed + number }
    const result = await runRound(round, guard, histories)
    counts = counts === undefined ? result.counts : addCounts(counts, result.counts)
    violations += result.violations.length
    printReport(result, round, lengths.length > 1)
    if (number < lengths.length - 1 || violations > 0 || patience < more_seconds) continue
    const missed = missedFloors(counts, floors)
    if (missed.length === 0) continue
    // The same is asked of it as before: a slow machine takes longer to see it.
    console.log(`so far ${missed.join(', ')}: ${more_seconds} seconds more`)
    patience -= more_seconds
    lengths.push(more_seconds)
  }
  const missed = missedFloors(counts!, floors)
  if (missed.length > 0) console.log(`seen too little: ${missed.join(', ')}`)
  const verdict = runVerdict(violations, missed)
  const { seed, clients, instances } = all
  const seconds = lengths.reduce((sum, length) => sum + length, 0)
  const about = { violations, seed, seconds, clients, instances, rounds: lengths.length }
  console.log(lastLine(verdict, counts!, about))
  return verdict
}

function printReport(
  { violations, counts, saved_paths }: RoundResult,
  of: Options,
  long: boolean,
): void {
  for (const { check, what } of violations.slice(0, shown_max)) console.log(`${check}: ${what}`)
  if (violations.length > shown_max) console.log(`and ${violations.length - shown_max} more`)
  if (long)
    console.log(`seed ${of.seed}: ${counts.acknowledged} acknowledged, ${counts.kills} kills`)
  if (violations.length > 0 || of.keep) console.log(`kept: ${saved_paths.join(' ')}`)
  else for (const path of saved_paths) rmSync(path, { force: true })
}
