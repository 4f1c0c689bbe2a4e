// Packs the SDK as it is published, and finds the installed Node.js versions.

import { execFile } from 'node:child_process'
import { accessSync, constants, cpSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const run = promisify(execFile)
export const root = fileURLToPath(new URL('../..', import.meta.url))

const paths = process.env.PATH!.split(delimiter).filter((path) => !/node_modules/.test(path))

/**
 * The environment of a user's shell: without the variables that `npm test` sets, such as
 * ignore-scripts, and without the tools of this checkout.
 */
export const bare_env = Object.fromEntries(
  Object.entries({ ...process.env, PATH: paths.join(delimiter) }).filter(
    ([name]) => !/^(npm_|NODE_)/i.test(name),
  ),
)

export function npm(cwd: string, ...args: string[]) {
  return run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, env: bare_env })
}

/** Packs a copy, because a guide test may pack the checkout at the same time. */
export async function packClient(project: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'florin-copy-'))
  try {
    const built = join(root, 'client/dist')
    const filter = (path: string) => path !== built
    cpSync(join(root, 'client'), join(copy, 'client'), { recursive: true, filter })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const packed = await npm(join(copy, 'client'), 'pack', '--pack-destination', project)
    return packed.stdout.trim().split('\n').at(-1)!
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

interface InstalledNode {
  path: string
  version: string
}

/** This Node.js, and every other version from 20 on in PATH. */
export async function findNodes(): Promise<InstalledNode[]> {
  const found = new Set([process.execPath])
  for (const path of paths) {
    const node = join(path, 'node')
    try {
      accessSync(node, constants.X_OK)
      found.add(realpathSync(node))
    } catch {}
  }
  const nodes = await Promise.all(
    [...found].map(async (path) => ({ path, version: (await run(path, ['-v'])).stdout.trim() })),
  )
  return nodes.filter(({ version }) => Number(/\d+/.exec(version)) >= 20)
}
