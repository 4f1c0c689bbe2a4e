// `npm run chaos`: runs a real Florin under real faults and prints a verdict: VALID, VIOLATION or
// INVALID. Long runs consist of rounds of a minute, each on a new database.

import { mkdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { without_patroni } from '../support/patroni-cluster.ts'
import { describeFailover, failoverTimes, slowFailovers } from './failover-times.ts'
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

// The history of a minute fits in memory and is checked in a second.
const max_round_seconds = 60
// Added to a run with too little coverage.
const extra_seconds = 20
const max_shown = 20

const options = readOrExit()
if (options.patroni && without_patroni) {
  console.log(`skipped: ${without_patroni}`)
  process.exit(0)
}
const guard = new Guard()
// The guard ends all processes when this one exits, so nothing else needs to be done here.
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
  // The run itself failed, so it proves nothing.
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
  const total = all.seconds * all.seeds
  const rounds = all.seeds > 1 ? all.seeds : Math.ceil(all.seconds / max_round_seconds)
  const lengths = Array.from({ length: rounds }, () => total / rounds)
  const floors = floorsOf({ ...all, seconds: total })
  let counts: Counts | undefined
  let violations = 0
  const slow: string[] = []
  let patience = all.patience
  for (const [number, seconds] of lengths.entries()) {
    const round = { ...all, seconds, seed: all.seed + number }
    const result = await runRound(round, guard, histories)
    counts = counts === undefined ? result.counts : addCounts(counts, result.counts)
    violations += result.violations.length
    slow.push(...slowFailovers(failoverTimes(result.history)))
    printReport(result, round, lengths.length > 1)
    if (number < lengths.length - 1 || violations > 0 || patience < extra_seconds) continue
    const missed = missedFloors(counts, floors)
    if (missed.length === 0) continue
    // The floors stay the same: a slow machine needs longer to reach them.
    console.log(`too little coverage so far (${missed.join(', ')}): ${extra_seconds} seconds more`)
    patience -= extra_seconds
    lengths.push(extra_seconds)
  }
  const missed = missedFloors(counts!, floors)
  if (missed.length > 0) console.log(`too little coverage: ${missed.join(', ')}`)
  if (slow.length > 0) console.log(`too long without an acknowledged write: ${slow.join(', ')}`)
  const verdict = runVerdict(violations, [...missed, ...slow])
  const { seed, clients, instances } = all
  const seconds = lengths.reduce((sum, length) => sum + length, 0)
  const about = { violations, seed, seconds, clients, instances, rounds: lengths.length }
  console.log(lastLine(verdict, counts!, about))
  return verdict
}

function printReport(
  { violations, history, counts, saved_paths }: RoundResult,
  options: Options,
  long: boolean,
): void {
  for (const { check, what } of violations.slice(0, max_shown)) console.log(`${check}: ${what}`)
  if (violations.length > max_shown) console.log(`and ${violations.length - max_shown} more`)
  if (long)
    console.log(
      `seed ${options.seed}: ${counts.acknowledged} acknowledged, ${counts.kills} kills` +
        (options.provider ? `, ${counts.charges} charges, ${counts.late} late` : ''),
    )
  for (const times of failoverTimes(history)) console.log(describeFailover(times))
  if (violations.length > 0 || options.keep) console.log(`saved: ${saved_paths.join(' ')}`)
  else for (const path of saved_paths) rmSync(path, { force: true })
}
