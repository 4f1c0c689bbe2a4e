// CPU time of the test run. It hardly depends on how busy the machine is, unlike elapsed time.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache_path } from './durations.ts'

/**
 * Seconds of CPU time that this process and all its ended descendants used, or undefined where the
 * system does not report it. A PostgreSQL server that this process started is included once it has
 * stopped.
 */
export function cpuSeconds(): number | undefined {
  try {
    // The command name in parentheses may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return ticks / 100
  } catch {
    return undefined
  }
}

interface DefaultRun {
  seconds: number
  cpu_s: number | undefined
}

const run_path = join(cache_path, 'default-run.json')

/** Remembers the last complete run of the default tier, for `npm run check`. */
export function saveDefaultRun(run: DefaultRun): void {
  writeFileSync(run_path, JSON.stringify(run))
}

/** Undefined if no complete run has passed. */
export function readDefaultRun(): DefaultRun | undefined {
  return existsSync(run_path) ? JSON.parse(readFileSync(run_path, 'utf8')) : undefined
}
