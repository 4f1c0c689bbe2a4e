// Downloads the Node that Florin runs on, for a published package that was started with an older
// one. It is not a dependency of that package: it would add 210 MB to every installation, and put
// another Node before the user's own in the npm scripts of their project. npm downloads it, so
// registries and proxies of the user apply, and the hash in runtime.json must match.

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

// Node 24.16 is the first LTS release with everything Florin uses. Keep in sync with package.json.
export const min_version = [24, 16]

export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > min_version[0] || (major === min_version[0] && minor >= min_version[1])
}

/** Returns what is wrong with this Node, or undefined. */
export function tryNode(path) {
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10000 })
  if (result.error || result.status !== 0) return 'broken'
  return isNewEnough(result.stdout.trim().slice(1)) ? undefined : 'old'
}

/** Version and hash of each Node package, as in the lock file. Undefined in a checkout. */
export const runtime = readRuntime()

function readRuntime() {
  const file = new URL('runtime.json', import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Returns the path of a Node that is new enough, or a sentence about what is wrong. */
export function downloadNode(reason) {
  const own = `Install Node ${min_version.join('.')} or newer`
  const [name, entry] = findPackage()
  if (name === undefined) {
    return { problem: `None can be downloaded for ${process.platform} on ${process.arch}. ${own}.` }
  }
  const folder = join(cacheFolder(), `node-${entry.version}-${process.platform}-${process.arch}`)
  const program = join('node_modules', name, entry.bin.node)
  const path = join(folder, program)
  if (existsSync(path)) return { path }
  // With --json, programs parse the output.
  if (!process.argv.includes('--json')) {
    process.stderr.write(`${reason}\nDownloading Node ${entry.version} to ${folder} …\n`)
  }
  try {
    const problem = install(name, entry, folder, program)
    return problem === undefined ? { path } : { problem: `${problem} ${own}.` }
  } catch (error) {
    return { problem: `Node ${entry.version} cannot be stored: ${error.message}. ${own}.` }
  }
}

function findPackage() {
  const matches = ([, { os, cpu }]) => os === process.platform && cpu === process.arch
  return Object.entries(runtime).find(matches) || []
}

function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const home = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME
  return join(home || join(homedir(), '.cache'), 'florin')
}

// In a temporary folder that is renamed when it is complete, so an interrupted download leaves no
// broken Node behind, and processes that start at the same time do not disturb each other.
function install(name, entry, folder, program) {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  removeAbandoned(dirname(folder))
  const fresh = mkdtempSync(`${folder}.new-`)
  try {
    writeProject(fresh, name, entry)
    const problem = runNpm(fresh, entry)
    if (problem !== undefined) return problem
    // Headers for native add-ons and manuals: 60 MB.
    for (const unused of ['include', 'share']) {
      rmSync(join(fresh, 'node_modules', name, unused), { recursive: true, force: true })
    }
    if (tryNode(join(fresh, program)) !== undefined) {
      return `Node ${entry.version} does not run on this system (musl, for example).`
    }
    moveTo(folder, fresh)
    return undefined
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Downloads that were interrupted. None takes an hour. */
function removeAbandoned(cache) {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    const info = /^node-.*\.new-/.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined
    if (info !== undefined && Date.now() - info.mtimeMs > 3600000) {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

function writeProject(folder, name, entry) {
  const dependencies = { [name]: entry.version }
  const packages = { '': { dependencies }, [`node_modules/${name}`]: entry }
  const lock = { lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

function runNpm(cwd, { version }) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const result = spawnSync('npm', ['ci', ...flags], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    // On Windows npm is a .cmd file, which needs a shell.
    shell: process.platform === 'win32',
  })
  if (result.error) return `Node ${version} needs npm to be downloaded: ${result.error.message}.`
  if (result.status !== 0) return `npm could not download Node ${version}.`
  return undefined
}

function moveTo(folder, fresh) {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another process has just stored the same Node.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
}
