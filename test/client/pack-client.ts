// The SDK packed as it is published, and the Nodes of this machine that programs with it run on.

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
 * As a person's shell has it: without what `npm test` tells the commands below it, such as that
 * scripts are to be ignored, and without the tools of this checkout.
 */
export const bare_env = Object.fromEntries(
  Object.entries({ ...process.env, PATH: paths.join(delimiter) }).filter(
    ([name]) => !/^(npm_|NODE_)/i.test(name),
  ),
)

export function npm(cwd: string, ...args: string[]) {
  return run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, env: bare_env })
}

/** From a copy: a guide that is tested at the same time packs the checkout itself. */
export async function packClient(project: string): Promise<string> {
  const workshop = mkdtempSync(join(tmpdir(), 'florin-workshop-'))
  try {
    const built = join(root, 'client/dist')
    const filter = (path: string) => path !== built
    cpSync(join(root, 'client'), join(workshop, 'client'), { recursive: true, filter })
    symlinkSync(join(root, 'node_modules'), join(workshop, 'node_modules'))
    const packed = await npm(join(workshop, 'client'), 'pack', '--pack-destination', project)
    return packed.stdout.trim().split('\n').at(-1)!
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

export interface NodeFound {
  path: string
  version: string
}

/** This Node, and every other from 20 on that the machine's own PATH leads to. */
export async function findNodes(): Promise<NodeFound[]> {
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
