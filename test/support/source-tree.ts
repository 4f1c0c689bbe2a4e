// Reads our source tree: which files exist, and what each imports.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns paths relative to the root, with forward slashes. */
export function sourceFiles(folder: string, named = /\.(tsx?|mjs|sql)$/): string[] {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

const imports = /(?:^|\n)\s*(?:import|export)\s[^'"`]*?from\s+'([^']+)'|import\('([^']+)'\)/g

/** Returns what a file imports: our files as paths from the root, packages as written. */
export function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(imports)].map((match) => {
    const target = match[1] ?? match[2]!
    if (!target.startsWith('.')) return target
    return relative(root, resolve(root, dirname(path), target))
  })
}

const known = new Map<string, string[]>()

/** Returns the file and all of our files that it imports, directly or through others. */
export function closureOf(path: string): Set<string> {
  const found = new Set([path])
  for (const file of found) {
    const targets = known.get(file) ?? (existsSync(join(root, file)) ? importsOf(file) : [])
    known.set(file, targets)
    for (const target of targets) if (/^\w[^:]*\.tsx?$/.test(target)) found.add(target)
  }
  return found
}

/** Returns an import cycle, or undefined. Type imports count too. */
export function findCycle(paths: string[]): string | undefined {
  const files = new Set(paths)
  const done = new Set<string>()
  const visit = (path: string, trail: string[]): string | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' → ')
    if (done.has(path)) return undefined
    for (const target of importsOf(path).filter((found) => files.has(found))) {
      const cycle = visit(target, [...trail, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const path of files) {
    const cycle = visit(path, [])
    if (cycle) return cycle
  }
  return undefined
}
