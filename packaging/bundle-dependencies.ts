// Copies the run-time dependencies into the package, in the versions of the lock file: an
// installation then runs exactly what was tested. npm ignores the lock file of a published package.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'

interface LockedPackage {
  version: string
  integrity: string
  dev?: true
  optional?: true
  devOptional?: true
  os?: string | string[]
  cpu?: string | string[]
  bin?: Record<string, string>
}

export interface Lock {
  packages: Record<string, LockedPackage>
}

/** Copies all packages that the dependencies of package.json need, and returns their paths. */
export function bundleDependencies(root: string, lock: Lock, to: string): string[] {
  const paths = Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional }]) => path && !dev && !optional && !devOptional)
    .map(([path]) => path)
  for (const path of paths) {
    copyPackage(join(root, path), join(to, path))
    rewriteManifest(join(to, path, 'package.json'))
  }
  return paths
}

// Not needed to run: half of the size. License files stay.
const unused_folder =
  /^(__tests__|\..*|bench(marks?)?|docs?|examples?|fixtures|integration|node_modules|spec|tests?)$/
const unused_file = /^\.|\.(map|tsbuildinfo)$|\.[cm]?ts$|\.(test|spec)\.[cm]?js$/

// src/documents/pdf/fonts.ts reads the upright fonts with a variable weight, and their characters.
const font_package = /[\\/]@fontsource-variable[\\/][^\\/]+$/
const used_of_fonts = /^(files([\\/].*-wght-normal\.woff2)?|unicode\.json|package\.json|LICENSE)$/

function copyPackage(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  cpSync(from, to, {
    recursive: true,
    filter: (path) => {
      const inner = relative(from, path)
      if (inner === '') return true
      if (unused_file.test(basename(path)) || isUnusedFolder(inner)) return false
      return !font_package.test(from) || used_of_fonts.test(inner)
    },
  })
}

// Only in the package's root: a nested folder of this name may be a part of the program.
function isUnusedFolder(inner: string): boolean {
  return unused_folder.test(inner.split(sep)[0]!)
}

// Without `engines` npm does not warn on an older Node.js, where the launcher starts a newer one.
// Scripts and development dependencies have no use in a bundled package.
function rewriteManifest(file: string): void {
  const { engines, scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The Node.js packages of the lock file, for bin/download-node.mjs. */
export function nodePackages(lock: Lock): Record<string, object> {
  const found = Object.entries(lock.packages).filter(([path]) =>
    /^node_modules\/node-(bin-)?(darwin|linux|win)-/.test(path),
  )
  return Object.fromEntries(
    found.map(([path, { version, integrity, os, cpu, bin }]) => {
      const entry = { version, integrity, os: String(os), cpu: String(cpu), bin }
      return [path.slice('node_modules/'.length), entry]
    }),
  )
}
