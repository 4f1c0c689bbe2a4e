// Runs the SDK tests on every other installed Node.js from 20 on. Their types are removed, and they
// use the compiled package; the server stays in this process.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { bare_env, findNodes, npm, packClient, root, run } from './pack-client.ts'

// `pages` runs first, because it counts all users.
const tests = ['pages', 'retries', 'sessions', 'stream', 'verify-webhook']
const others = (await findNodes()).filter(({ path }) => path !== process.execPath)
const skip = others.length === 0 && 'no other Node.js from 20 on is installed'

const { url, people } = await startFlorin()

const fixture_server = createServer(async (request, response) => {
  const chunks = await Array.fromAsync(request)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  const make: Record<string, () => unknown> = {
    '/florin': () => ({ url }),
    '/owner': () => people.owner(),
    '/admin': () => people.admin(),
    '/platform': () => people.platform(),
    '/session': () => people.session(body),
  }
  response.end(JSON.stringify(await make[request.url!]!()))
})
await new Promise<void>((resolve) => fixture_server.listen(0, '127.0.0.1', resolve))
after(() => new Promise((resolve) => fixture_server.close(resolve)))

test('the SDK tests pass on other Node.js versions', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-sdk-tests-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await copyProject(folder)
  const { port } = fixture_server.address() as AddressInfo
  const env = { ...bare_env, FLORIN_TEST_FIXTURE_URL: `http://127.0.0.1:${port}` }
  for (const { path, version } of others) {
    for (const name of tests) {
      const file = `test/client/${name}.test.mjs`
      const args = ['--import', './polyfills.mjs', '--test', '--test-reporter=tap', file]
      const ran = await run(path, args, { cwd: folder, env }).catch((error) => error)
      const of = /^# pass (\d+)$/m.exec(ran.stdout)
      assert.equal(Number(of?.[1]), count(name), `${name} on ${version}:\n${ran.stdout}`)
    }
  }
})

/** Copies the compiled package and the tests to the same relative paths. */
async function copyProject(folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  await npm(folder, 'install', `./${await packClient(folder)}`)
  cpSync(join(folder, 'node_modules/florin-client/dist'), join(folder, 'client/dist'), {
    recursive: true,
  })
  for (const name of ['standardwebhooks', '@stablelib/base64', 'fast-sha256']) {
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
    })
  }
  for (const name of tests) strip(folder, `test/client/${name}.test.ts`)
  strip(folder, 'test/client/fault-proxy.ts')
  strip(folder, 'test/support/secrets.ts')
  strip(folder, 'test/support/until.ts')
  strip(folder, 'src/primitives/secrets.ts')
  strip(folder, 'src/primitives/text.ts')
  strip(folder, 'test/client/remote-florin.ts', 'test/support/florin.ts')
  strip(folder, 'test/client/remote-florin.ts', 'test/support/people.ts')
  writeFileSync(join(folder, 'polyfills.mjs'), polyfills)
}

/** Functions that the tests use and Node.js 20 lacks. */
const polyfills = `
  Array.fromAsync ??= async (all) => {
    const got = []
    for await (const one of all) got.push(one)
    return got
  }
  Promise.withResolvers ??= () => {
    const parts = {}
    parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }))
    return parts
  }`

function strip(folder: string, from: string, to = from): void {
  const text = stripTypeScriptTypes(readFileSync(join(root, from), 'utf8'))
    .replaceAll(/(from '.*client\/)src(\/.*)\.ts'/g, "$1dist$2.js'")
    .replaceAll(/(from '\..*)\.ts'/g, "$1.mjs'")
  const file = join(folder, to.replace(/\.ts$/, '.mjs'))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function count(name: string): number {
  return readFileSync(join(root, `test/client/${name}.test.ts`), 'utf8').match(/^test\(/gm)!.length
}
