// Builds the dashboard when dist/ is missing or was built from other sources. `npm start` and
// `npm test` call this, so dist/ is not committed. Loads no build tools: the build is a child
// process, and its memory is free again when the server starts.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const dist = fileURLToPath(new URL('dist', import.meta.url))

/** A file in dist/ with the hash of its sources. The server does not serve files of this type. */
export const stamp = 'sources.sha256'

const sources = [
  'web/dashboard/build.ts',
  'web/dashboard/index.html',
  'web/dashboard/public',
  'web/dashboard/src',
  'web/dashboard/tsconfig.json',
  'client/src',
  'src/bank',
  'src/primitives',
  'package-lock.json',
  'tsconfig.json',
]

/** Throws an error with the command to run if there is no current build. */
export function ensureDashboardBuilt(): void {
  if (builtFrom() === hashSources()) return
  if (!existsSync(join(root, 'node_modules/vite'))) {
    const state = existsSync(dist) ? 'is older than its sources' : 'is not built'
    throw new Error(`The dashboard ${state}. Run: npm ci && npm run build`)
  }
  // With --json, programs parse the output.
  if (!process.argv.includes('--json')) process.stderr.write('Building the dashboard …\n')
  const build = join(root, 'web/dashboard/build.ts')
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The dashboard was not built. Run: npm run build')
}

function builtFrom(): string | undefined {
  const path = join(dist, stamp)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** By content, because a checkout sets all modification times to the current time. */
export function hashSources(): string {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesIn)) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

function filesIn(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}
