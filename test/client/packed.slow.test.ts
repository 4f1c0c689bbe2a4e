// The published SDK: packed, installed in an empty project, compiled against in strict mode, and
// run on every installed Node.js from 20 on and with only the globals of edge runtimes.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecret, recordSecretsIn } from '../support/secrets.ts'
import type { ConsumerTarget } from './consumer/use-everything.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { bare_env, findNodes, npm, packClient, root, run } from './pack-client.ts'

const tsc = join(root, 'node_modules/.bin/tsc')
const project = mkdtempSync(join(tmpdir(), 'florin-consumer-'))
after(() => rm(project, { recursive: true, force: true }))

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
const archive = await packClient(project)

test('the package contains compiled files, README and license, and no source', async () => {
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

test('npm install ./client works in a fresh clone without lifecycle scripts', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'florin-clone-'))
  try {
    // Only files that git tracks.
    const { stdout } = await run('git', ['ls-files', 'client'], { cwd: root })
    for (const file of stdout.trim().split('\n')) cpSync(join(root, file), join(clone, file))
    const shop = join(clone, 'shop')
    mkdirSync(shop)
    await writeFile(join(shop, 'package.json'), '{"private": true, "type": "module"}')
    await npm(shop, 'install', '--ignore-scripts', '../client')
    const program = "import { Florin } from 'florin-client'; console.log(typeof Florin)"
    for (const { path } of await findNodes()) {
      const ran = await run(path, ['--input-type=module', '-e', program], { cwd: shop })
      assert.equal(ran.stdout.trim(), 'function')
    }
  } finally {
    await rm(clone, { recursive: true, force: true })
  }
})

test('a strict program compiles against it, for Node.js and for bundlers', async () => {
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

const nodes = await findNodes()

for (const node of nodes) {
  test(`the program works on Node.js ${node.version}`, async () => {
    await runProgram(node.path, ['program.mjs'])
  })
}

test('the program works with only the globals of edge runtimes', async () => {
  const flags = ['--experimental-vm-modules', '--no-warnings', 'edge-runtime.mjs']
  await runProgram(process.execPath, flags)
})

async function runProgram(node: string, args: string[]): Promise<void> {
  const owner = await server.people.owner()
  const proxy = await startFaultProxy(server.url)
  proxy.lose = 2
  const target = { ...owner, url: server.url, lossy_url: proxy.url, webhook: signWebhook() }
  recordSecretsIn(target)
  const program = `
    import { useEverything } from './out/use-everything.js'
    const target = JSON.parse(process.argv[2])
    console.log(JSON.stringify(await useEverything(target)))`
  await writeFile(join(project, 'program.mjs'), program)
  const all_args = [...args, JSON.stringify(target)]
  const { stdout } = await run(node, all_args, { cwd: project, env: bare_env })
  assert.deepEqual(JSON.parse(stdout), {
    user: owner.email,
    made: 3,
    listed: ['three', 'two', 'one', owner.email],
    followed: ['one', 'two', 'three'],
    refreshed: 10,
    stored: 3,
    rejected: [402, 'string'],
    aborted: 'AbortError',
    received: 'transaction.succeeded',
    forged: 'webhook_verification_failed',
  })
  assert.equal(proxy.lose, 0, 'two responses were lost')
}

function signWebhook(): ConsumerTarget['webhook'] {
  const secret = recordSecret(newWebhookSecret())
  const body = JSON.stringify({ id: 'evt_1', type: 'transaction.succeeded', data: {} })
  const at = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
  return { body, headers, secret }
}

function isPackage(name: string): boolean {
  return !name.startsWith('.')
}
