// Runs an example in a copy of its folder, with the packages that `npm install` would add.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { envOf } from '../cli/florin-process.ts'
import { findFreePort } from '../support/free-port.ts'
import { root } from '../support/source-tree.ts'
import { until } from '../support/until.ts'

const packages = {
  fastify: 'node_modules/fastify',
  '@fastify/formbody': 'node_modules/@fastify/formbody',
  'florin-client': 'client',
}

interface ExampleOptions {
  name: string
  /** A folder for the copy. */
  into: string
  florin_url: string
  after(work: () => Promise<void>): void
}

/** Runs the setup and starts the shop. Returns its URL. */
export async function startExample(options: ExampleOptions): Promise<string> {
  const cwd = join(options.into, options.name)
  cpSync(join(root, 'examples', options.name), cwd, { recursive: true })
  for (const [name, path] of Object.entries(packages)) {
    const link = join(cwd, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, path), link)
  }
  const url = `http://127.0.0.1:${await findFreePort()}`
  const env = { ...envOf(), FLORIN_URL: options.florin_url, SHOP_URL: url }
  await promisify(execFile)(process.execPath, ['setup.mjs'], { cwd, env })
  const args = ['--env-file=.env', 'server.mjs']
  const shop = spawn(process.execPath, args, {
    cwd,
    env: envOf(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  options.after(() => stop(shop))
  let printed = ''
  shop.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  await until(() => printed.includes(`The shop is open at ${url}`) || shop.exitCode !== null)
  return url
}

async function stop(shop: ChildProcess): Promise<void> {
  if (shop.exitCode !== null) return
  shop.kill()
  await once(shop, 'exit')
}

/** Submits the first form of a page like a browser, without following the redirect. */
export async function submitForm(
  page_url: string,
  action: string,
  fields: Record<string, string>,
): Promise<Response> {
  const body = new URLSearchParams(fields)
  return fetch(new URL(action, page_url), { method: 'POST', body, redirect: 'manual' })
}

/** The value of a hidden field. */
export function hiddenField(page: string, name: string): string {
  const found = new RegExp(`type="hidden" name="${name}" value="([^"]+)"`).exec(page)?.[1]
  if (found === undefined) throw new Error(`no field ${name} in ${page}`)
  return found
}
