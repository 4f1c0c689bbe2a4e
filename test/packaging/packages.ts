// Installs the packages as a user would, and finds the Node.js versions to run them on.

import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A system user; undefined is the user who runs the tests. */
export type SystemUser = { uid: number; gid: number } | undefined

const npm_link = findNpm()

function findNpm(): string {
  const folders = process.env.PATH!.split(delimiter).filter((path) => !/node_modules/.test(path))
  const found = folders.map((path) => join(path, 'npm')).find((path) => existsSync(path))
  if (found === undefined) throw new Error('npm is not in PATH.')
  return found
}

/** A home folder of a fresh user account, with a space in its path. Removed after the tests. */
export function makeHome(t: { after(work: () => Promise<void>): void }, user: SystemUser): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-packages-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const home = join(folder, 'a home')
  mkdirSync(home)
  if (user !== undefined) chownSync(home, user.uid, user.gid)
  return home
}

/** How npm reaches the registry, wherever it is configured: other homes and prefixes lack it. */
const network = {
  NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
  npm_config_registry: npmSetting('registry'),
  npm_config_cafile: npmSetting('cafile'),
}

function npmSetting(name: string): string | undefined {
  const value = execFileSync(npm_link, ['config', 'get', name], { encoding: 'utf8' }).trim()
  return value === 'null' ? undefined : value
}

/**
 * The environment of a user who logs in: no settings of the test run or of npm, and this Node.js as
 * `node`. Names that must not be inherited are undefined.
 */
export function loginEnv(
  home: string,
  node: string,
  user: SystemUser,
): Record<string, string | undefined> {
  const names = Object.keys(process.env).filter((name) =>
    /^(npm_|NODE_|FLORIN_|XDG_|HOST$|PORT$|DATABASE_URL$)/i.test(name),
  )
  const path = [dirname(node), dirname(npm_link), '/usr/local/bin', '/usr/bin', '/bin']
  return {
    ...process.env,
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    ...network,
    npm_config_update_notifier: 'false',
    // Only another user starts without a cache.
    ...(user === undefined && { npm_config_cache: join(homedir(), '.npm') }),
    HOME: home,
    PATH: path.join(delimiter),
  }
}

interface NpmOptions {
  node: string
  cwd: string
  user: SystemUser
}

/** Runs npm on a Node.js version. */
export function npm(args: string[], { node, cwd, user }: NpmOptions) {
  const env = loginEnv(cwd, node, user)
  return run(npm_link, args, { cwd, env, ...user, maxBuffer: 10_000_000 })
}

/** Returns the paths of the packages in a folder, by package name. */
export function findPackages(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const nameOf = (name: string) => /^(.+)-\d+\.\d+\.\d+[^/]*\.tgz$/.exec(name)![1]!
  const found = names.map((name) => [nameOf(name), join(folder, name)] as const)
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)))
}

export interface NodeVersion {
  major: number
  path: string
}

/** Why npm cannot install a version of Node.js. */
interface MissingVersion {
  major: number
  missing: string
}

/** The bytes of all files. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0)
}

/** Users without a cache need it. */
export async function isRegistryReachable(): Promise<boolean> {
  try {
    await run(npm_link, ['view', 'fastify', 'version', '--prefer-online', '--fetch-retries=0'])
    return true
  } catch {
    return false
  }
}

// Kept for the next run, because each has 200 MB. Other users must be able to enter the folder.
const cache = process.getuid!() === 0 ? '/var/cache' : join(homedir(), '.cache')

function majorOf(path: string): number | undefined {
  const manifest = join(path, 'package.json')
  if (!existsSync(manifest)) return undefined
  return Number.parseInt(JSON.parse(readFileSync(manifest, 'utf8')).version, 10)
}

export const node_majors = [20, 22, 24, 26]

export async function findNode(major: number): Promise<NodeVersion | MissingVersion> {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(cache, 'florin-test-tools', `node-${major}`)
  const path = join(folder, 'node_modules', name, 'bin', 'node')
  try {
    const installed = join(root, 'node_modules', name)
    if (!existsSync(path) && majorOf(installed) === major) {
      // Copied, because other users may not be able to enter the folder of the checkout.
      cpSync(installed, dirname(dirname(path)), { recursive: true })
    }
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true })
      const flags = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--prefer-offline']
      await run(npm_link, ['install', ...flags, `${name}@${major}`], { cwd: folder })
    }
    return { major, path }
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    return { major, missing: `npm cannot install Node.js ${major}: ${stderr || message}` }
  }
}
