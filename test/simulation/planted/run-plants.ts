// Every planted bug with many seeds: how many of them the checker caught, as the table that
// docs/concepts/reliability.md shows.

import { rmSync } from 'node:fs'
import type { Options } from '../options.ts'
import type { RoundResult } from '../round.ts'
import { type PlantName, plantNames } from './plant-names.ts'

// PROMISES: nineteen of twenty.
const share_least = 0.95

export async function runPlants(
  options: Options,
  run: (options: Options) => Promise<RoundResult>,
): Promise<number> {
  const rows: string[] = []
  let missed = false
  const names = options.plant === undefined ? plantNames : [options.plant as PlantName]
  for (const plant of names) {
    const caught_by = new Map<string, number>()
    let caught = 0
    for (let number = 0; number < options.seeds; number++) {
      const seed = options.seed + number
      const { violations, history_path } = await run({ ...options, plant, seed })
      const found = new Set(violations.map(({ check }) => check))
      if (found.size > 0) caught += 1
      for (const check of found) caught_by.set(check, (caught_by.get(check) ?? 0) + 1)
      const by = [...found].join(', ') || 'nothing'
      console.log(`${plant} with seed ${seed}: found by ${by}`)
      rmSync(history_path, { force: true })
    }
    missed ||= caught < Math.floor(options.seeds * share_least)
    const most = [...caught_by].sort((one, other) => other[1] - one[1]).slice(0, 3)
    const checks = most.map(([check, times]) => `${check} (${times})`).join(', ')
    rows.push(`| \`${plant}\` | ${caught} of ${options.seeds} | ${checks} |`)
  }
  console.log(['| planted | caught | most often by |', '|---|---|---|', ...rows].join('\n'))
  return missed ? 1 : 0
}
