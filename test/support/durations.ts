// How long each test file took in earlier runs on this machine. The longest files start first:
// starting one of them last would leave the other cores idle.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tierOf, tiers } from './choose-files.ts'
import { root } from './source-tree.ts'

export const cache_path = join(root, 'node_modules/.cache/florin-tests')

const durations_path = join(cache_path, 'durations.json')

/** Milliseconds by test file. */
export type Durations = Record<string, number>

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
  const of = (file: string) => durations[file] ?? 1e9 + tiers.indexOf(tierOf(file))
  return [...files].sort((a, b) => of(b) - of(a) || a.localeCompare(b))
}
