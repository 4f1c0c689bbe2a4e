// How long each test file took in earlier runs on this machine. The longest files start first:
// starting one of them last would leave the other cores idle.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tierOf, tiers } from './choose-files.ts'
import { root } from './source-tree.ts'

export const cache_path = join(root, 'node_modules/.cache/florin-tests')

const durations_path = join(cache_path, 'durations.json')

export interface FileDuration {
  elapsed_s: number
  /** Without PostgreSQL. */
  cpu_s: number
}

/** By test file. */
export type Durations = Record<string, FileDuration>

export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(durations_path, 'utf8'))
  } catch {
    return {}
  }
}

export function saveDurations(measured: Durations): void {
  mkdirSync(cache_path, { recursive: true })
  writeFileSync(durations_path, JSON.stringify({ ...readDurations(), ...measured }, null, 1))
}

/** Files without a record come first, because they may be long, those of later tiers before. */
export function longestFirst(files: string[], durations: Durations): string[] {
  const of = (file: string) => durations[file]?.elapsed_s ?? 1e9 + tiers.indexOf(tierOf(file))
  return [...files].sort((a, b) => of(b) - of(a) || a.localeCompare(b))
}

/** The files that used the most CPU time. */
export function mostExpensive(durations: Durations, count: number): string[] {
  return Object.entries(durations)
    .filter(([file]) => tierOf(file) === 'default')
    .sort(([, a], [, b]) => b.cpu_s - a.cpu_s)
    .slice(0, count)
    .map(([file, { cpu_s }]) => `${cpu_s.toFixed(1).padStart(6)} s  ${file}`)
}
