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

// More than a minute each. A new machine has no record, and the order decides its idle time too.
export const long_files = [
  'test/deploy/image.process.test.ts',
  'test/packaging/packages.process.test.ts',
  'test/simulation/rolling-upgrade.process.test.ts',
  'test/simulation/patroni.process.test.ts',
  'test/simulation/crash-points/crash-points.process.test.ts',
  'test/embedded-postgres/backup/backup.process.test.ts',
  'test/simulation/reconcile-month.process.test.ts',
  'test/cli/status-and-doctor.process.test.ts',
  'test/docs/guides.process.test.ts',
  'test/client/generated-clients.slow.test.ts',
  'test/http/fuzz.slow.test.ts',
  'test/dashboard/settings.browser.test.ts',
  'test/dashboard/responsive-lists.browser.test.ts',
  'test/pages/payment-page-accessibility.browser.test.ts',
]

/**
 * Files without a record come first, because they may be long: those that are known to be long,
 * then those of later tiers.
 */
export function longestFirst(files: string[], durations: Durations): string[] {
  const of = (file: string) => durations[file]?.elapsed_s ?? 1e9 + expectedRank(file)
  return [...files].sort((a, b) => of(b) - of(a) || a.localeCompare(b))
}

function expectedRank(file: string): number {
  return long_files.includes(file) ? tiers.length : tiers.indexOf(tierOf(file))
}

/** The files that used the most CPU time. */
export function mostExpensive(durations: Durations, count: number): string[] {
  return Object.entries(durations)
    .filter(([file]) => tierOf(file) === 'default')
    .sort(([, a], [, b]) => b.cpu_s - a.cpu_s)
    .slice(0, count)
    .map(([file, { cpu_s }]) => `${cpu_s.toFixed(1).padStart(6)} s  ${file}`)
}
