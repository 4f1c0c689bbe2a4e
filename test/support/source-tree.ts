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

const kinds = 'function\\*?|class|const|let|interface|type|enum'
const declaration = new RegExp(`^export (?:async |abstract |declare )*(?:${kinds}) (\\w+)`, 'gm')

const list = /^export (?:type )?\{([^}]*)\}/gm

/** Returns the names that a file exports: declarations and lists. */
function exportsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const declared = [...text.matchAll(declaration)].map((match) => match[1]!)
  const listed = [...text.matchAll(list)].flatMap((match) => match[1]!.match(/\w+(?=\s*(,|$))/g)!)
  return [...declared, ...listed]
}

const named = /^\s*(?:import|export)\s(?:type )?(?:\w+, )?(\*|\{)([^'"`;]*?)from\s+'([^']+)'/gm
const dynamic = /import\('([^']+)'\)/g

/**
 * Returns `path name` of each of our exports that a file imports. A dynamic import and `* as` may
 * use any name in the text of the file.
 */
function usesIn(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const words = [...new Set(text.match(/\w+/g))]
  const listed = [...text.matchAll(named)].map(([, kind, names, target]) => {
    const all = names!.split(/[,}]/).map((name) => /^(?:type )?(\w+)/.exec(name.trim())?.[1])
    return [target!, kind === '*' ? words : all] as const
  })
  const loaded = [...text.matchAll(dynamic)].map(([, target]) => [target!, words] as const)
  return [...listed, ...loaded].flatMap(([target, names]) => {
    const from = relative(root, resolve(root, dirname(path), target))
    return names.map((name) => `${from} ${name}`)
  })
}

const folders = ['src', 'client', 'mcp', 'web', 'test', 'bench', 'docs', 'bin', 'packaging']

// The public API of the SDK, generated files, and files that are used under another name.
const isUsedElsewhere =
  /^client\/src\/(florin\.ts|generated\/)|^test\/client\/(consumer\/|remote-florin\.ts)/

// Each operation is an exported object, so that it is found by its name. A test reads them all.
const isRoute = /^src\/http\/routes\/\S+ \w+Route$/

/** Returns `path name` of every export that no other file imports. */
export function unusedExports(): string[] {
  const files = folders
    .flatMap((folder) => sourceFiles(folder, /\.(tsx?|mjs)$/))
    .filter((path) => !/\/(dist[^/]*|node_modules)\//.test(path))
  const used = new Set(files.flatMap(usesIn))
  return files
    .filter((path) => !isUsedElsewhere.test(path))
    .flatMap((path) => exportsOf(path).map((name) => `${path} ${name}`))
    .filter((export_) => !used.has(export_) && !isRoute.test(export_))
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
