// The launcher, with Node.js versions that are too old and with incomplete installations.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { version } from '../../src/version.ts'
import { FlorinProcess, launcher, runToEnd } from './florin-process.ts'

const old = findOldNode()
const needsOld = { skip: old === undefined && 'this machine has no Node older than 24.16' }

test('an old Node.js runs Florin with the installed newer one', needsOld, async () => {
  const { code, stdout, stderr } = await runToEnd(['--version'], { node: old! })
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `${version}\n`, stderr: '' })
  assert.equal((await runToEnd(['strat'], { node: old! })).code, 64)
})

test('the launcher forwards arguments, exit codes and signals', needsOld, async (t) => {
  const installation = await makeInstallation(t)
  await installation.putNode({ link: process.execPath })
  await installation.put('src/cli.ts', program)
  const options = { node: old!, script: installation.script }
  const ended = await runToEnd(['exit', '3'], options)
  assert.equal(ended.code, 3)
  assert.equal(ended.stdout, `${JSON.stringify(['exit', '3', process.versions.node])}\n`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const waiting = new FlorinProcess(['wait'], options)
    await once(waiting.child.stdout!, 'data')
    const { code, stdout } = await waiting.stop(signal)
    assert.equal(code, 5)
    assert.match(stdout, new RegExp(`got ${signal}`))
  }
})

const program = `
const args: string[] = process.argv.slice(2)
const timer = setTimeout(() => {}, 60_000)
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, () => {
    console.log('got', name)
    clearTimeout(timer)
    process.exitCode = 5
  })
console.log(JSON.stringify([...args, process.versions.node]))
if (args[0] === 'exit') process.exit(Number(args[1]))
`

test('suggests npm ci if no packages are installed', async (t) => {
  const { script } = await makeInstallation(t)
  for (const node of [process.execPath, old ?? process.execPath]) {
    const { code, stdout, stderr } = await runToEnd(['start'], { node, script })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.equal(stderr, 'The packages are not installed. Run: npm ci\n')
  }
  const { stderr } = await runToEnd(['start', '--json'], { script })
  assert.equal(JSON.parse(stderr).error, 'cannot_launch')
})

test('an old Node.js after --omit=optional suggests two solutions', needsOld, async (t) => {
  const installation = await makeInstallation(t)
  await installation.put('node_modules/.keep', '')
  const { code, stderr } = await runToEnd(['start'], { node: old!, script: installation.script })
  assert.equal(code, 1)
  assert.match(stderr, /^Florin requires Node 24\.16 or newer; this is Node \d+\.\d+\.\d+\. /)
  assert.match(stderr, /Run npm ci without --omit=optional\./)
  assert.match(stderr, /Install Node 24\.16 or newer, and set DATABASE_URL/)
})

// As on a system with musl: the binary exists, but its dynamic loader does not.
test('suggests installing Node.js if the installed one cannot run', needsOld, async (t) => {
  const installation = await makeInstallation(t)
  await installation.putNode({ text: '#!/lib64/ld-linux-that-is-not-there.so.2\n' })
  const { code, stderr } = await runToEnd(['start'], { node: old!, script: installation.script })
  assert.equal(code, 1)
  assert.match(stderr, /does not run on this system \(Alpine and other musl systems/)
  assert.match(stderr, /Install Node 24\.16 or newer, run npm ci --omit=optional, and set DATABASE/)
})

test('all npm scripts use the launcher, and receive their arguments', needsOld, async (t) => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const [name, line] of Object.entries<string>(scripts)) {
    assert.match(line, /^node bin\/(florin|run)\.mjs( |$)/, name)
  }
  const installation = await makeInstallation(t)
  await installation.put('node_modules/.keep', '')
  const script = join(dirname(installation.script), 'run.mjs')
  const options = { script, cwd: dirname(dirname(script)) }
  const { code, stderr } = await runToEnd(['test/run.ts', 'a'], { ...options, node: old! })
  assert.equal(code, 1)
  assert.match(stderr, /^Florin requires Node 24\.16 or newer; .*Run npm ci without --omit=opt/)
  await installation.put(
    'test/run.ts',
    'const args: string[] = process.argv\nconsole.log(args.slice(2))',
  )
  await installation.putNode({ link: process.execPath })
  const forwarded = await runToEnd(['test/run.ts', 'a', 'b'], { ...options, node: old! })
  assert.deepEqual([forwarded.code, forwarded.stdout], [0, "[ 'a', 'b' ]\n"])
})

test('detects that the installed Node.js is also too old', needsOld, async (t) => {
  const installation = await makeInstallation(t)
  await installation.putNode({ text: '#!/bin/sh\necho v24.15.9\n' })
  const { code, stderr } = await runToEnd(['start'], { node: old!, script: installation.script })
  assert.equal(code, 1)
  assert.match(stderr, /is also too old\. Run: npm ci$/m)
})

test('a package downloads Node.js once, by its hash', needsOld, async (t) => {
  const installation = await makeInstallation(t)
  const { integrity, env, requests } = await startRegistry(t, installation.path)
  await installation.put('node_modules/.keep', '')
  await installation.put('src/cli.ts', program)
  const options = { node: old!, script: installation.script, env }
  const putRuntime = (entry: object) =>
    installation.put('bin/runtime.json', JSON.stringify({ [node_package]: entry }))
  const { platform: os, arch: cpu } = process
  const entry = { version: '26.0.0', integrity, os, cpu, bin: { node: 'bin/node' } }

  await putRuntime({ ...entry, integrity: `sha512-${Buffer.alloc(64).toString('base64')}` })
  const changed = await runToEnd(['exit', '0'], options)
  assert.deepEqual([changed.code, changed.stdout], [1, ''])
  assert.match(changed.stderr, /EINTEGRITY/)
  assert.match(
    changed.stderr,
    /npm could not download Node 26\.0\.0\. Install Node 24\.16 or newer/,
  )
  assert.deepEqual(await readdir(join(installation.path, 'cache/florin')), [])

  const abandoned = join(installation.path, 'cache/florin', 'node-26.0.0-x.new-abcdef')
  await mkdir(abandoned)
  await utimes(abandoned, 1, 1)
  await putRuntime(entry)
  const started = [1, 2].map(() => runToEnd(['exit', '3'], options))
  for (const { code, stdout, stderr } of await Promise.all(started)) {
    assert.deepEqual(
      [code, stdout],
      [3, `${JSON.stringify(['exit', '3', process.versions.node])}\n`],
    )
    assert.match(stderr, /^Florin requires .*\nDownloading Node 26\.0\.0 to .* …\n$/)
  }
  assert.deepEqual(await readdir(join(installation.path, 'cache/florin')), [
    `node-26.0.0-${process.platform}-${process.arch}`,
  ])
  const sent = requests.length
  assert.equal((await runToEnd(['exit', '0'], options)).stderr, '')
  assert.equal(requests.length, sent)

  await putRuntime({ ...entry, cpu: 'other' })
  const other = await runToEnd(['start', '--json'], options)
  assert.match(JSON.parse(other.stderr).message, /None can be downloaded for \w+ on \w+\. Install/)
})

const node_package = `node-${process.platform}-${process.arch}`

/** A registry with one package, whose `node` is the Node.js of this test. */
async function startRegistry(t: TestContext, path: string) {
  const folder = join(path, 'registry')
  const manifest = { name: node_package, version: '26.0.0', bin: { node: 'bin/node' } }
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  const packed = spawnSync('npm', ['pack', '--json'], { cwd: folder, encoding: 'utf8' })
  const [{ filename, integrity }] = JSON.parse(packed.stdout)
  const archive = readFileSync(join(folder, filename))
  const requests: string[] = []
  const server = createServer(({ url, headers }, response) => {
    requests.push(url!)
    const dist = { integrity, tarball: `http://${headers.host}/${filename}` }
    const versions = { '26.0.0': { ...manifest, dist } }
    const is_archive = url === `/${filename}`
    response.end(is_archive ? archive : JSON.stringify({ name: node_package, versions }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close().closeAllConnections())
  const env = {
    XDG_CACHE_HOME: join(path, 'cache'),
    npm_config_cache: join(path, 'npm'),
    npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  }
  return { integrity: integrity as string, env, requests }
}

test('names a missing package', async (t) => {
  const installation = await makeInstallation(t)
  await installation.put('node_modules/.keep', '')
  await installation.put('src/cli.ts', "import 'commander'\n")
  const { code, stderr } = await runToEnd(['start'], { script: installation.script })
  assert.equal(code, 1)
  assert.match(stderr, /^Cannot find package 'commander' .* incomplete\. Run: npm ci\n$/)
  // In a package. The registry has another one of this name.
  await installation.put('package.json', '{ "type": "module", "version": "9.8.7" }')
  await installation.put('bin/runtime.json', '{}')
  const packed = await runToEnd(['start'], { script: installation.script })
  assert.match(packed.stderr, / incomplete\. Run: npm install \.\/florin-9\.8\.7\.tgz\n$/)
})

test('names a missing package of a command', async () => {
  const hooks = `
    import { registerHooks } from 'node:module'
    const missing = { code: 'ERR_MODULE_NOT_FOUND' }
    registerHooks({ resolve(name, context, next) {
      if (name !== 'node-pg-migrate') return next(name, context)
      throw Object.assign(new Error("Cannot find package 'node-pg-migrate'"), missing)
    } })`
  const node_args = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
  const { code, stderr } = await runToEnd(['migrate'], { node_args })
  assert.equal(code, 1)
  assert.match(stderr, /^Cannot find package 'node-pg-migrate'.* incomplete\. Run: npm ci\n$/)
})

test('starts without a dashboard, and states how to build it', async (t) => {
  const installation = await makeInstallation(t)
  await installation.put('node_modules/.keep', '')
  await installation.put('src/cli.ts', "console.log('started')\n")
  const folders = ['client/src/a.ts', 'src/bank/a.ts', 'src/primitives/a.ts']
  const sources = ['package-lock.json', 'tsconfig.json', ...folders]
  const web = ['build.ts', 'index.html', 'tsconfig.json', 'public/a.js', 'src/a.ts']
  for (const name of [...sources, ...web.map((file) => `web/dashboard/${file}`)]) {
    await installation.put(name, '')
  }
  const ensure = 'web/dashboard/ensure-built.ts'
  await installation.put(ensure, readFileSync(ensure, 'utf8'))
  const message = 'The dashboard is not built. Run: npm ci && npm run build'
  const plain = await runToEnd(['start'], { script: installation.script })
  assert.deepEqual([plain.stdout, plain.stderr], ['started\n', `${message}\n`])
  const json = await runToEnd(['start', '--json'], { script: installation.script })
  assert.deepEqual(JSON.parse(json.stderr), { error: 'dashboard_not_built', message })
  const help = await runToEnd(['start', '--help'], { script: installation.script })
  assert.deepEqual([help.stdout, help.stderr], ['started\n', ''])
})

async function makeInstallation(t: TestContext) {
  const path = await mkdtemp(join(tmpdir(), 'florin launcher '))
  t.after(() => rm(path, { recursive: true, force: true }))
  const script = join(path, 'bin', 'florin.mjs')
  const node = join(path, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), text)
  }
  await put('package.json', '{ "type": "module" }')
  await mkdir(dirname(script))
  for (const name of ['florin.mjs', 'launch.mjs', 'download-node.mjs', 'run.mjs']) {
    await copyFile(join(dirname(launcher), name), join(dirname(script), name))
  }
  return {
    path,
    script,
    put,
    async putNode(what: { link: string } | { text: string }) {
      await mkdir(dirname(node), { recursive: true })
      if ('link' in what) return symlink(what.link, node)
      await writeFile(node, what.text)
      return chmod(node, 0o755)
    },
  }
}

/** The first Node.js in PATH that is too old for Florin, outside of node_modules. */
function findOldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders
    .filter((folder) => folder !== '' && !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((path) => {
      const output = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''
      const [major = 99, minor = 0] = output.slice(1).split('.').map(Number)
      return output.startsWith('v') && (major < 24 || (major === 24 && minor < 16))
    })
}
