// Runs every planted bug with many seeds and prints how many the checks caught, as the table in
// docs/concepts/reliability.md.

import { rmSync } from 'node:fs'
import { isDefaultNemesis, type Options } from '../options.ts'
import type { RoundResult } from '../round.ts'
import { addCounts, type Counts, floorsOf, missedFloors } from '../verdict.ts'
import { type PlantedBug, planted_bugs, plantedBugNames } from './planted-bugs.ts'
import { provider_bugs, providerBugNames } from './provider-bugs.ts'

// Required: nineteen of twenty.
const min_share = 0.95

type BugName = NonNullable<Options['plant']>

const all_bugs: Record<BugName, PlantedBug> = { ...planted_bugs, ...provider_bugs }

interface Tally {
  plant: BugName
  caught: number
  seeds: number
  checks: Map<string, number>
}

export async function runPlantedBugs(
  options: Options,
  run: (options: Options) => Promise<RoundResult>,
): Promise<number> {
  const names = options.plant === undefined ? namesFor(options) : [options.plant]
  const tallies: Tally[] = []
  for (const plant of names) tallies.push(await runPlantedBug(plant, options, run))
  console.log(['| planted bug | caught | most often by |', '|---|---|---|'].join('\n'))
  for (const tally of tallies) console.log(toRow(tally))
  return tallies.every(({ caught, seeds }) => caught >= Math.ceil(seeds * min_share)) ? 0 : 1
}

function namesFor({ provider }: Options): BugName[] {
  return provider ? providerBugNames : plantedBugNames
}

async function runPlantedBug(
  plant: BugName,
  options: Options,
  run: (options: Options) => Promise<RoundResult>,
): Promise<Tally> {
  const tally: Tally = { plant, caught: 0, seeds: options.seeds, checks: new Map() }
  const instances = Math.max(options.instances, all_bugs[plant].instances)
  const nemesis = isDefaultNemesis(options) ? [...all_bugs[plant].faults] : options.nemesis
  for (let number = 0; number < options.seeds; number++) {
    const seed = options.seed + number
    const found = await findWith(run, { ...options, plant, seed, instances, nemesis })
    if (found.size > 0) tally.caught += 1
    for (const check of found) tally.checks.set(check, (tally.checks.get(check) ?? 0) + 1)
    console.log(`${plant} with seed ${seed}: caught by ${[...found].join(', ') || 'nothing'}`)
  }
  return tally
}

/**
 * Returns the checks that found a violation. As in other runs, a run with too little coverage
 * proves nothing and goes on, as long as `patience` allows. A failed run finds nothing.
 */
async function findWith(
  run: (options: Options) => Promise<RoundResult>,
  options: Options,
): Promise<Set<string>> {
  const { seconds, seed, seeds } = options
  const floors = floorsOf(options)
  let counts: Counts | undefined
  for (let number = 0; number * seconds <= options.patience; number++) {
    try {
      const result = await run({ ...options, seed: seed + number * seeds })
      for (const path of result.saved_paths) rmSync(path, { force: true })
      if (result.violations.length > 0) return new Set(result.violations.map(({ check }) => check))
      counts = counts === undefined ? result.counts : addCounts(counts, result.counts)
    } catch (error) {
      console.log(error)
    }
    if (counts !== undefined && missedFloors(counts, floors).length === 0) break
  }
  return new Set()
}

function toRow({ plant, caught, seeds, checks }: Tally): string {
  const most = [...checks].sort((one, other) => other[1] - one[1]).slice(0, 3)
  const by = most.map(([check, times]) => `${check} (${times})`).join(', ')
  return `| \`${plant}\`: ${all_bugs[plant].what} | ${caught} of ${seeds} | ${by || '–'} |`
}
