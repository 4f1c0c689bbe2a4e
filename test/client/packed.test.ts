// The SDK as others get it: packed, installed in an empty project, compiled against strictly, and
// run on this Node and on whatever other Node from 20 on the machine has.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  accessSync,
  constants,
  cpSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import { startFlorin } from '../support/florin.ts'
import { noteSecret, noteSecretsIn } from '../support/secrets.ts'
import type { Place } from './consumer/use-everything.ts'
import { startTroubleProxy } from './trouble-proxy.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const tsc = join(root, 'node_modules/.bin/tsc')
const project = mkdtempSync(join(tmpdir(), 'florin-consumer-'))
after(() => rm(project, { recursive: true, force: true }))

// As a person's shell has it: without what `npm test` tells the commands below it, such as that
// scripts are to be ignored, and without the tools of this checkout.
const paths = process.env.PATH!.split(delimiter).filter((path) => !/node_modules/.test(path))
const env = Object.fromEntries(
  Object.entries({ ...process.env, PATH: paths.join(delimiter) }).filter(
    ([name]) => !/^(npm_|NODE_)/i.test(name),
  ),
)

const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, env })

const settings = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  types: [],
  skipLibCheck: false,
  outDir: 'out',
}

const server = await startFlorin()
// Packed from a copy: a guide that is tested at the same time packs the checkout itself.
const workshop = mkdtempSync(join(tmpdir(), 'florin-workshop-'))
after(() => rm(workshop, { recursive: true, force: true }))
cpSync(join(root, 'client'), join(workshop, 'client'), { recursive: true, filter: isKept })
symlinkSync(join(root, 'node_modules'), join(workshop, 'node_modules'))
const packed = await npm(join(workshop, 'client'), 'pack', '--pack-destination', project)
const archive = packed.stdout.trim().split('\n').at(-1)!

test('the package holds what was compiled, its words and its license, and no source', async () => {
  await writeFile(join(project, 'package.json'), '{"private": true, "type": "module"}')
  await npm(project, 'install', `./${archive}`)
  const installed = join(project, 'node_modules/florin-client')
  assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  const files = readdirSync(join(installed, 'dist'), { recursive: true, withFileTypes: true })
  const names = files.filter((file) => file.isFile()).map(({ name }) => name)
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter((name) => !/\.(js|d\.ts)$/.test(name)),
    [],
  )
  assert.deepEqual(readdirSync(join(project, 'node_modules')).filter(isPackage), ['florin-client'])
})

test('a strict program compiles against it, for Node and for bundlers', async () => {
  cpSync(join(root, 'test/client/consumer'), project, { recursive: true })
  const node = { ...settings, module: 'nodenext' }
  const bundler = { ...settings, module: 'esnext', moduleResolution: 'bundler', noEmit: true }
  for (const [name, compilerOptions] of Object.entries({ bundler, node })) {
    const file = join(project, `tsconfig.${name}.json`)
    await writeFile(file, JSON.stringify({ compilerOptions, files: ['use-everything.ts'] }))
    const { stdout } = await run(tsc, ['-p', file], { cwd: project })
    assert.equal(stdout, '')
  }
})

for (const node of await findNodes()) {
  test(`the program works on Node ${node.version}`, async () => {
    const owner = await server.people.owner()
    const proxy = await startTroubleProxy(server.url)
    proxy.lose = 2
    const place = { ...owner, url: server.url, losing_url: proxy.url, webhook: signWebhook() }
    const report = await runProgram(node.path, place)
    assert.deepEqual(report, {
      user: owner.email,
      made: 3,
      walked: ['three', 'two', 'one', owner.email],
      followed: ['one', 'two', 'three'],
      renewed: 10,
      stored: 3,
      refused: [402, 'string'],
      aborted: 'AbortError',
      received: 'transaction.succeeded',
      forged: 'webhook_not_genuine',
    })
    assert.equal(proxy.lose, 0, 'two answers were lost')
  })
}

async function runProgram(node: string, place: Place): Promise<unknown> {
  const program = `
    import { useEverything } from './out/use-everything.js'
    const place = JSON.parse(process.argv[2])
    console.log(JSON.stringify(await useEverything(place)))`
  await writeFile(join(project, 'program.mjs'), program)
  noteSecretsIn(place)
  const { stdout } = await run(node, ['program.mjs', JSON.stringify(place)], { cwd: project, env })
  return JSON.parse(stdout)
}

function signWebhook(): Place['webhook'] {
  const secret = noteSecret(newWebhookSecret())
  const body = JSON.stringify({ id: 'evt_1', type: 'transaction.succeeded', data: {} })
  const at = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
  return { body, headers, secret }
}

function isKept(path: string): boolean {
  return path !== join(root, 'client/dist')
}

function isPackage(name: string): boolean {
  return !name.startsWith('.')
}

/** This Node, and every other from 20 on that the machine's own PATH leads to. */
async function findNodes(): Promise<{ path: string; version: string }[]> {
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
